package collect

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// NamesSecret reports whether something of this name (a variable, a header, a
// parameter of a URL) usually holds a secret.
func NamesSecret(name string) bool {
	credential := regexp.MustCompile(`(?i)auth|token|secret|passw|pwd|credential|cookie|session|signature|api.?key|access.?key|private.?key|(^|[-_.])(key|sig|pat|pass|jwt|dsn)($|[-_.])`)
	return credential.MatchString(name)
}

// PassedSecrets are the secrets in a variable that a server is given. A value
// that was written down beside its name is one only under a name like
// API_TOKEN. One that was looked up always is, save those that every server
// gets anyway (HOME) and the everyday ones that texts are full of.
func PassedSecrets(name, value string, lookedUp bool) []string {
	everyday := []string{"false", "debug", "error", "trace", "verbose", "warning", "production", "development", "staging", "default", "local", "localhost"}
	if !NamesSecret(name) && (!lookedUp || slices.Contains(everyday, strings.ToLower(value)) || slices.Contains(passed(), name)) {
		return nil
	}
	return []string{value}
}

// HeaderSecrets are the secrets in the value of a header: the whole, what
// follows a scheme ("Bearer …"), and what basic authentication hides.
func HeaderSecrets(value string) []string {
	secrets := []string{value}
	scheme, rest, found := strings.Cut(value, " ")
	if !found {
		return secrets
	}
	rest = strings.TrimSpace(rest)
	secrets = append(secrets, rest)
	if !strings.EqualFold(scheme, "Basic") {
		return secrets
	}
	if plain, err := base64.StdEncoding.DecodeString(rest); err == nil {
		_, password, _ := strings.Cut(string(plain), ":")
		secrets = append(secrets, string(plain), password)
	}
	return secrets
}

// urlSecrets are the secrets in an address: user, password and the query. A
// value of the query in plain words, as in ?tools=issues, is none unless its
// name says so: such a word stands in every second description.
func urlSecrets(u *url.URL) []string {
	var secrets []string
	if user := u.User; user != nil {
		password, _ := user.Password()
		secrets = append(secrets, user.Username(), password, user.Username()+":"+password, user.String())
	}
	words := regexp.MustCompile(`^[a-z]{1,16}([-_.,][a-z]{1,16})*$`)
	named := false
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, found := strings.Cut(pair, "=")
		if !found {
			name, value = "", name
		}
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		if plain == "" || words.MatchString(plain) && !NamesSecret(name) {
			continue
		}
		named = true
		secrets = append(secrets, plain, value)
	}
	if named {
		secrets = append(secrets, u.RawQuery)
	}
	return secrets
}
