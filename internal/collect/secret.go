package collect

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// NamesSecret reports whether something of this name (a variable, a header, an
// option, a parameter of a URL) usually holds a secret: API_TOKEN and
// X-Auth-Token do, TOKEN_FILE, AUTH_TYPE and MAX_TOKENS do not.
func NamesSecret(name string) bool {
	credential := regexp.MustCompile(`(?i)(token|secret|password|passwd|passphrase|pwd|credentials?|cookie|authorization|signature|jwt|(api|access|private|signing|encryption)[-_.]?key)([-_.]?(v?[0-9]+|id|base|value))?$` +
		`|(^|[-_.])(key|auth|sig|pat|pass|dsn|session)([-_.]?[0-9]+)?$`)
	return credential.MatchString(name)
}

// ArgvSecrets are the secrets in a command line: the values of options and
// variables that are named like one, as in --api-key VALUE or TOKEN=VALUE.
func ArgvSecrets(argv []string) (secrets []string) {
	for i, word := range argv {
		name, value, inside := strings.Cut(word, "=")
		switch {
		case !NamesSecret(strings.TrimLeft(name, "-")):
		case inside:
			secrets = append(secrets, value)
		case strings.HasPrefix(name, "-") && i+1 < len(argv) && !strings.HasPrefix(argv[i+1], "-"):
			secrets = append(secrets, argv[i+1])
		}
	}
	return secrets
}

// PassedSecrets are the secrets in a variable that a server is given. A value
// that was written down beside its name is one only under a name like
// API_TOKEN. One that was looked up always is, save those that every server
// gets anyway (HOME) and the everyday ones that texts are full of.
func PassedSecrets(name, value string, lookedUp bool) []string {
	everyday := []string{"false", "debug", "error", "trace", "verbose", "warning", "production", "development", "staging", "default", "local", "localhost"}
	if !NamesSecret(name) && (!lookedUp || slices.Contains(everyday, strings.ToLower(value)) || IsForEveryServer(name)) {
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

// urlSecrets are the secrets in an address: user, password and the query. What
// a parameter like tools= chooses in plain words is none: such words are the
// names of what the server offers.
func urlSecrets(u *url.URL) []string {
	var secrets []string
	if user := u.User; user != nil {
		password, _ := user.Password()
		secrets = append(secrets, user.Username(), password, user.Username()+":"+password, user.String())
	}
	choice := regexp.MustCompile(`(?i)^(tools?|toolsets?|features?|groups?|scopes?|mode|profile|transport|format|version|lang|language|locale|region|read_?only)$`)
	words := regexp.MustCompile(`^[a-z]{1,16}([-_.,][a-z]{1,16})*$`)
	whole := false
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, found := strings.Cut(pair, "=")
		if !found {
			name, value = "", name
		}
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		if plain == "" || choice.MatchString(name) && words.MatchString(plain) {
			continue
		}
		whole = true
		secrets = append(secrets, plain, value)
	}
	if whole {
		secrets = append(secrets, u.RawQuery)
	}
	return secrets
}
