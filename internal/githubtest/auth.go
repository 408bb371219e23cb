package githubtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// notDecoded is what GitHub answers to a JWT that is none.
const notDecoded = "A JSON web token could not be decoded"

// tokenPrefix of installation tokens. Since 27 Apr 2026 the rest is "APPID_" and
// a JWT (openapi, apps/create-installation-access-token), much longer than the 40
// characters that older clients expected.
const tokenPrefix = "ghs_"

// installation is the App installed on one account. Permissions belong to it, not
// to a repository.
type installation struct {
	id          int64
	owner       string
	permissions map[string]string
	created     time.Time
	suspended   bool
	repos       []*Repository

	primary int         // limit of requests an hour
	used    int         // requests in the running hour
	resets  time.Time   // when that hour ends
	writes  []time.Time // content-creating requests of the last hour
	sarifs  []time.Time // SARIF uploads of the last hour
}

// token is one live installation token.
type token struct {
	value       string
	inst        *installation
	expires     time.Time
	permissions map[string]string
	repos       map[int64]bool // nil means all of the installation
}

// DefaultPermissions is what an installation grants unless told otherwise: the
// least privilege set of the App plus the code scanning upload.
func DefaultPermissions() map[string]string {
	return map[string]string{
		"metadata": "read", "contents": "read", "checks": "write", "pull_requests": "write",
		"merge_queues": "read", "security_events": "write",
	}
}

// rank orders access levels; an unknown level grants nothing.
func rank(level string) int { return slices.Index([]string{"", "read", "write", "admin"}, level) }

// grants reports whether permissions include one like "checks:write".
func grants(permissions map[string]string, want string) bool {
	name, level, _ := strings.Cut(want, ":")
	return rank(permissions[name]) >= rank(level)
}

// covers reports whether the token reaches a repository.
func (t *token) covers(r *Repository) bool {
	return r.installed && r.inst == t.inst && (t.repos == nil || t.repos[r.ID])
}

// authenticate fills c.token or checks the App's JWT.
func (s *Server) authenticate(c *call, route route) *reply {
	deny := func(format string, args ...any) *reply {
		bad := refuse(http.StatusUnauthorized, format, args...)
		return &bad
	}
	_, credential, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	switch {
	case credential == "":
		return deny("Requires authentication")
	case strings.HasPrefix(credential, tokenPrefix):
		c.token = s.liveToken(credential)
		if c.token == nil {
			return deny("Bad credentials")
		}
		if route.app {
			return deny(notDecoded)
		}
	default:
		if err := s.checkJWT(credential, c.now); err != nil {
			return deny("%s", err)
		}
		if !route.app {
			bad := refuse(http.StatusForbidden, "Resource not accessible by integration")
			return &bad
		}
	}
	return nil
}

// liveToken returns the token of that value unless it has expired.
func (s *Server) liveToken(value string) *token {
	t := s.tokens[value]
	if t == nil || !s.now().Before(t.expires) || t.inst.suspended {
		return nil
	}
	return t
}

// checkJWT holds an App's token against the rules in docs,
// generating-a-json-web-token-jwt-for-a-github-app.md. Times are judged here
// because the library can only use its own clock.
func (s *Server) checkJWT(text string, now time.Time) error {
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation(), jwt.WithJSONNumber())
	if _, err := parser.ParseWithClaims(text, claims, func(*jwt.Token) (any, error) { return &s.key.PublicKey, nil }); err != nil {
		//lint:ignore ST1005 the words are GitHub's
		return errors.New(notDecoded)
	}
	if iss := fmt.Sprint(claims["iss"]); iss != strconv.Itoa(AppID) && iss != s.clientID() {
		return fmt.Errorf("'Issuer' claim ('iss') must be the App's id or client id")
	}
	iat, err := claimTime(claims["iat"])
	if err != nil || iat.After(now) {
		return fmt.Errorf("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	exp, err := claimTime(claims["exp"])
	if err != nil || !exp.After(now) {
		return fmt.Errorf("'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	}
	if exp.After(now.Add(MaxJWTLifetime)) {
		return fmt.Errorf("'Expiration time' claim ('exp') is too far in the future")
	}
	return nil
}

func claimTime(claim any) (time.Time, error) {
	number, _ := claim.(json.Number)
	seconds, err := number.Int64()
	return time.Unix(seconds, 0), err
}

func (s *Server) clientID() string { return "Iv1.githubtest" + strconv.Itoa(AppID) }

// authorize finds the repository that the path names and checks that the token
// reaches it with the permission that the endpoint needs (docs, "Permissions
// required for GitHub Apps"). A repository out of reach does not exist: 404.
func (s *Server) authorize(c *call, route route) *reply {
	if owner := c.params["owner"]; owner != "" {
		c.repo = s.repo(owner, c.params["repo"])
		if c.repo == nil || (c.token != nil && !c.token.covers(c.repo) && (c.repo.private || c.r.Method != http.MethodGet)) {
			bad := notFound()
			return &bad
		}
	}
	if c.token == nil || len(route.needs) == 0 {
		return nil
	}
	for _, want := range route.needs {
		if grants(c.token.permissions, want) && grants(c.token.inst.permissions, want) {
			return nil
		}
	}
	bad := refuse(http.StatusForbidden, "Resource not accessible by integration")
	bad.header = http.Header{"X-Accepted-Github-Permissions": {strings.NewReplacer(":", "=").Replace(strings.Join(route.needs, "; "))}}
	return &bad
}

// mint makes an installation token.
func (s *Server) mint(inst *installation, repos map[int64]bool, permissions map[string]string) *token {
	now := s.now()
	t := &token{inst: inst, repos: repos, permissions: maps.Clone(permissions), expires: now.Add(TokenLifetime)}
	claims := jwt.MapClaims{"jti": s.newID(), "iss": AppID, "installation": inst.id, "iat": now.Unix(), "exp": t.expires.Unix(), "perm": permissions}
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(s.secret)
	if err != nil { // HS256 with a byte key cannot fail
		panic(err)
	}
	t.value = tokenPrefix + strconv.Itoa(AppID) + "_" + signed
	s.tokens[t.value] = t
	return t
}

// ExpireTokens ends all installation tokens now, as if their hour were over.
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}
