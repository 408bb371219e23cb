package collect

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
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
// variables that are named like one, as in --api-key VALUE or TOKEN=VALUE, those
// of headers, as in --header 'Authorization: Bearer VALUE', and what addresses
// hold.
func ArgvSecrets(argv []string) (secrets []string) {
	header := regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):\s*([^/\s].*)$`)
	for i, word := range argv {
		name, value, inside := strings.Cut(word, "=")
		switch {
		case !NamesSecret(strings.TrimLeft(name, "-")):
		case inside:
			secrets = append(secrets, valueSecrets(value)...)
		case strings.HasPrefix(name, "-") && i+1 < len(argv) && !strings.HasPrefix(argv[i+1], "-"):
			secrets = append(secrets, valueSecrets(argv[i+1])...)
		}
		for _, text := range []string{word, value} {
			if found := header.FindStringSubmatch(text); found != nil && NamesSecret(found[1]) {
				secrets = append(secrets, HeaderSecrets(found[2])...)
			}
			secrets = append(secrets, addressSecrets(text)...)
		}
	}
	return secrets
}

// PassedSecrets are the secrets in a variable that a server is given. A value
// that was written down beside its name is one only under a name like
// API_TOKEN, or where it is an address that holds one. One that was looked up
// always is, save those that every server gets anyway (HOME) and the everyday
// ones that texts are full of.
func PassedSecrets(name, value string, lookedUp bool) []string {
	everyday := []string{"false", "debug", "error", "trace", "verbose", "warning", "production", "development", "staging", "default", "local", "localhost"}
	if !NamesSecret(name) && (!lookedUp || slices.Contains(everyday, strings.ToLower(value)) || IsForEveryServer(name)) {
		return addressSecrets(value)
	}
	return valueSecrets(value)
}

// valueSecrets are a secret value, what follows the scheme in one like "Bearer
// …", and what it holds as an address.
func valueSecrets(value string) []string {
	secrets := []string{value}
	if scheme, _, _ := strings.Cut(value, " "); slices.Contains([]string{"bearer", "basic", "token"}, strings.ToLower(scheme)) {
		secrets = HeaderSecrets(value)
	}
	return append(secrets, addressSecrets(value)...)
}

// addressSecrets are the secrets in the addresses of a text, as of a database:
// the password, or the user where a token stands in its place; and in a text
// that is one address, what parameters say that are named like a secret.
func addressSecrets(text string) (secrets []string) {
	userInfo := regexp.MustCompile(`://([^/?#\s]+)@`)
	for _, found := range userInfo.FindAllStringSubmatch(text, -1) {
		written := found[1]
		if _, password, found := strings.Cut(written, ":"); found {
			written = password
		}
		secrets = append(secrets, written)
		if plain, err := url.PathUnescape(written); err == nil {
			secrets = append(secrets, plain)
		}
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		for name, values := range u.Query() {
			if NamesSecret(name) {
				secrets = append(secrets, values...)
			}
		}
	}
	return secrets
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

// urlSecrets are the secrets in the address of a server: user, password, the
// query, and what somebody generated in the path. What a parameter like tools=
// chooses in plain words is none: such words are the names of what the server
// offers.
func urlSecrets(u *url.URL) []string {
	var secrets []string
	for segment := range strings.SplitSeq(u.Path, "/") {
		if isGenerated(segment) {
			secrets = append(secrets, segment)
		}
	}
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

// isGenerated tells a token from a word that somebody chose (v2beta1,
// mcp-2025-06-18): a UUID, or a run of 12 or more letters and digits, which
// change places at least three times.
func isGenerated(text string) bool {
	const long, changes = 12, 3
	if regexp.MustCompile(`(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`).MatchString(text) {
		return true
	}
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		changed, last := -1, false
		for i, r := range run {
			if digit := unicode.IsDigit(r); i == 0 || digit != last {
				changed, last = changed+1, digit
			}
		}
		if len(run) >= long && changed >= changes {
			return true
		}
	}
	return false
}
