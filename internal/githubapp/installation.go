package githubapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"sync"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

// TokenScope narrows an installation token to repositories (at most 500) and
// permissions. The zero value asks for everything that the installation has;
// nothing in this program does.
type TokenScope struct {
	RepositoryIDs []int64
	Permissions   github.InstallationPermissions
}

// ReadScope reads the contents and metadata of one repository.
func ReadScope(repositoryID int64) TokenScope {
	return TokenScope{[]int64{repositoryID}, github.InstallationPermissions{
		Contents: github.String("read"), Metadata: github.String("read")}}
}

// WriteScope writes the checks and pull request comments of one repository.
func WriteScope(repositoryID int64) TokenScope {
	return TokenScope{[]int64{repositoryID}, github.InstallationPermissions{
		Checks: github.String("write"), PullRequests: github.String("write")}}
}

// SARIFScope writes the code scanning results of one repository. Many
// installations do not grant it: see [PermissionMissing].
func SARIFScope(repositoryID int64) TokenScope {
	return TokenScope{[]int64{repositoryID}, github.InstallationPermissions{
		SecurityEvents: github.String("write")}}
}

// MetadataScope reads who may do what in one repository.
func MetadataScope(repositoryID int64) TokenScope {
	return TokenScope{[]int64{repositoryID}, github.InstallationPermissions{
		Metadata: github.String("read")}}
}

// ContentsScope writes commits and branches of one repository. It serves one
// purpose, the lock that somebody accepted, and many installations do not grant
// it: see [PermissionMissing].
func ContentsScope(repositoryID int64) TokenScope {
	return TokenScope{[]int64{repositoryID}, github.InstallationPermissions{
		Contents: github.String("write")}}
}

func (s TokenScope) words() []string {
	var m map[string]string
	b, err := json.Marshal(s.Permissions)
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		return nil // a struct of strings always passes
	}
	words := make([]string, 0, len(m))
	for k, v := range m {
		words = append(words, k+": "+v)
	}
	sort.Strings(words)
	return words
}

// Installation returns a client that acts as an installation within a scope,
// and the source of its token. Make one per job and purpose: the token is
// minted at the first use, once for all concurrent ones, and again when less
// than a minute of its hour is left. All clients of an installation share one
// write lane.
func (a *App) Installation(id int64, s TokenScope) (*github.Client, *TokenSource) {
	source := &TokenSource{app: a, installation: id, scope: s}
	source.tr = source.transport()
	client := a.client(&installationTransport{app: a, lane: a.lane(id), source: source})
	return client, source
}

// TokenSource mints and keeps one installation token. It is safe for
// concurrent use. It prints as nothing but its purpose.
type TokenSource struct {
	app          *App
	installation int64
	scope        TokenScope

	mu sync.Mutex
	tr *ghinstallation.Transport // holds the token
}

func (s *TokenSource) transport() *ghinstallation.Transport {
	// One AppsTransport each: a refresh writes into it, so sharing one among
	// installation transports is a data race (v2.12.0 and v2.19.0).
	tr := ghinstallation.NewFromAppsTransport(s.app.appsTransport(), s.installation)
	tr.InstallationTokenOptions = &github.InstallationTokenOptions{
		RepositoryIDs: s.scope.RepositoryIDs,
		Permissions:   &s.scope.Permissions,
	}
	return tr
}

// Check mints the token unless there is a good one, which tells whether the
// installation grants the scope. Errors: [*PermissionMissing], [*NoAccess],
// [*RetryLater], or any failure to reach GitHub.
func (s *TokenSource) Check(ctx context.Context) error {
	_, err := s.Reveal(ctx)
	return err
}

// Reveal returns the token's text, for git. It must reach neither argv nor a
// file nor a log.
func (s *TokenSource) Reveal(ctx context.Context) (string, error) {
	s.mu.Lock()
	tr := s.tr
	s.mu.Unlock()
	text, err := tr.Token(ctx)
	if err != nil {
		return "", s.explain(err)
	}
	return text, nil
}

// forget drops a token that GitHub no longer takes, although its hour is not
// over by our clock.
func (s *TokenSource) forget(ctx context.Context, refused string) {
	if text, err := s.Reveal(ctx); err != nil || text != refused {
		return // somebody else was faster
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tr = s.transport()
}

// String keeps the token out of %v; it names the purpose.
func (s *TokenSource) String() string {
	return "token for " + strings.Join(s.scope.words(), ", ")
}

// explain turns a refused mint into the outcomes that callers know.
func (s *TokenSource) explain(err error) error {
	var he *ghinstallation.HTTPError
	if !errors.As(err, &he) || he.Response == nil {
		return redactedError{err}
	}
	defer he.Response.Body.Close() // the library leaves it open for us
	body, readErr := io.ReadAll(io.LimitReader(he.Response.Body, errorBody))
	if readErr != nil {
		return redactedError{err}
	}
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &said) != nil || said.Message == "" {
		said.Message = he.Response.Status
	}
	switch he.Response.StatusCode {
	case http.StatusUnprocessableEntity:
		if strings.Contains(strings.ToLower(said.Message), "permission") {
			return &PermissionMissing{Installation: s.installation, Wanted: s.scope.words()}
		}
		return &NoAccess{Installation: s.installation, Reason: said.Message}
	case http.StatusNotFound, http.StatusForbidden:
		return &NoAccess{Installation: s.installation, Reason: said.Message}
	}
	return redactedError{err}
}

// installationTransport paces, authenticates and sends.
type installationTransport struct {
	app    *App
	lane   *lane
	source *TokenSource
}

func (t *installationTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.lane.blocked(t.app.now()); err != nil {
		closeBody(r)
		return nil, err
	}
	if writes(r) {
		if err := t.lane.enter(r.Context(), t.app); err != nil {
			closeBody(r)
			return nil, err
		}
		defer t.lane.leave()
	}
	resp, err := t.authenticated(r)
	var later *RetryLater
	if errors.As(err, &later) {
		t.lane.block(t.app.now().Add(later.After), later.Reason)
	}
	if err != nil {
		return nil, err
	}
	if reset, ok := exhausted(resp.Header, t.app.now()); ok {
		t.lane.block(reset, "GitHub's hourly rate limit is used up")
	}
	// The lane remembers the limit for the whole installation. Without this
	// header go-github does not keep a second account of its own, per client
	// and with an error type of its own.
	resp.Header.Del("X-RateLimit-Reset")
	return resp, nil
}

// authenticated sends the request with the token; once more, with a new one,
// when GitHub refuses it: a refused request has done nothing.
func (t *installationTransport) authenticated(r *http.Request) (*http.Response, error) {
	for renewed := false; ; renewed = true {
		token, err := t.source.Reveal(r.Context())
		if err != nil {
			closeBody(r)
			return nil, err
		}
		try := r.Clone(r.Context())
		if renewed && r.GetBody != nil {
			if try.Body, err = r.GetBody(); err != nil {
				return nil, fmt.Errorf("repeat the request: %w", err)
			}
		}
		try.Header.Set("Authorization", "Bearer "+token)
		resp, err := t.lane.cache.send(try, baseTransport{t.app})
		if err != nil || resp.StatusCode != http.StatusUnauthorized || renewed || r.Body != nil && r.GetBody == nil {
			return resp, err
		}
		resp.Body.Close()
		t.source.forget(r.Context(), token)
	}
}
