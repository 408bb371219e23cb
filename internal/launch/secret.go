package launch

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// isSecret tells whether a literal value is a secret, by the form that a known
// issuer gives its keys, or by its name and what it looks like. kind is that form
// in words, "" for none. References to variables are no literals, and neither is
// what stands for a value that the reader is to fill in.
func isSecret(name, value string) (kind string, secret bool) {
	value = strings.TrimSpace(literal(value))
	if value == "" || isPlaceholder(value) {
		return "", false
	}
	if kind = knownSecret(value); kind != "" {
		return kind, true
	}
	if strings.Contains(value, "://") || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "./") {
		return "", false // where something is
	}
	switch secretName(name) {
	case always:
		// NEO4J_PASSWORD=neo4j is what every installation has.
		return "", !isLabel(value) && !slices.Contains(nameWords(name), strings.ToLower(value))
	case whenRandom:
		return "", looksRandom(value)
	}
	return "", false
}

// secretMember looks for a secret in a value that is a JSON object, as variables
// with several headers are: {"Authorization": "Bearer …"}.
func secretMember(value string) (kind string, secret bool) {
	var members map[string]any
	if !strings.HasPrefix(strings.TrimSpace(value), "{") || json.Unmarshal([]byte(value), &members) != nil {
		return "", false
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if text, ok := members[name].(string); ok {
			if kind, secret = isSecret(name, credentials(text)); secret {
				return kind, true
			}
		}
	}
	return "", false
}

// references are the forms in which clients and shells write a value that comes
// from elsewhere, and <angle brackets>, which the reader is to replace.
var references = regexp.MustCompile(`\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*|\{env:[^}]*\}|\{file:[^}]*\}|\{\{[^}]*\}\}|%[A-Za-z_]\w*%|<[^<>]*>|\bop://\S*`)

// literal is what is left of a value without its references. The default of
// ${NAME:-default} is a literal.
func literal(value string) string {
	return references.ReplaceAllStringFunc(value, func(reference string) string {
		_, fallback, found := strings.Cut(reference, ":-")
		if !found || !strings.HasPrefix(reference, "${") {
			return ""
		}
		return strings.TrimSuffix(fallback, "}")
	})
}

// forms are how known issuers' keys look, so that they are found under any name.
// Each is from the issuer's documentation; the list need not be complete.
var forms = []struct {
	kind string
	form *regexp.Regexp
}{
	{"a GitHub token", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{40,})`)},
	{"a GitLab token", regexp.MustCompile(`\bglpat-[\w-]{20,}`)},
	{"an Anthropic key", regexp.MustCompile(`\bsk-ant-[\w-]{20,}`)},
	{"an OpenAI key", regexp.MustCompile(`\bsk-(?:proj-|svcacct-)?[\w-]{20,}`)},
	{"a Stripe key", regexp.MustCompile(`\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`)},
	{"a Slack token", regexp.MustCompile(`\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}`)},
	{"an AWS access key", regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)},
	{"a Google API key", regexp.MustCompile(`\bAIza[\w-]{35}`)},
	{"an npm token", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}`)},
	{"a PyPI token", regexp.MustCompile(`\bpypi-[\w-]{50,}`)},
	{"a Hugging Face token", regexp.MustCompile(`\bhf_[A-Za-z0-9]{30,}`)},
	{"a DigitalOcean token", regexp.MustCompile(`\bdo[opr]_v1_[a-f0-9]{64}`)},
	{"a Linear key", regexp.MustCompile(`\blin_api_[A-Za-z0-9]{30,}`)},
	{"a Notion token", regexp.MustCompile(`\b(?:ntn|secret)_[A-Za-z0-9]{40,}`)},
	{"a SendGrid key", regexp.MustCompile(`\bSG\.[\w-]{20,}\.[\w-]{20,}`)},
	{"a Figma token", regexp.MustCompile(`\bfigd_[\w-]{30,}`)},
	{"a JSON Web Token", regexp.MustCompile(`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`)},
	{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
}

// knownSecret names the form that a key in the value has, "" for none. A key
// without a digit, or that repeats a few characters, is an example or a name.
func knownSecret(value string) string {
	for _, f := range forms {
		match := f.form.FindString(value)
		switch {
		case match == "":
		case f.kind == "a private key",
			distinct(match) > 12 && strings.ContainsFunc(match, unicode.IsDigit) && !isPlaceholder(match):
			return f.kind
		}
	}
	return ""
}

func distinct(text string) int {
	seen := make(map[rune]bool)
	for _, r := range text {
		seen[r] = true
	}
	return len(seen)
}

// sureness is how much a name says about its value.
type sureness int

const (
	never      sureness = iota
	whenRandom          // a key, which somebody generated
	always              // a password, which may be any word
)

// secretName judges a variable, flag, header or parameter by its last word:
// GITHUB_TOKEN names one, TOKEN_URL does not.
func secretName(name string) sureness {
	words := nameWords(name)
	if len(words) == 0 {
		return never
	}
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch words[len(words)-1] {
	case "password", "passwd", "passphrase", "pwd", "authorization", "cookie":
		return always
	case "token", "secret", "apikey", "accesskey", "secretkey", "privatekey", "authtoken", "accesstoken", "credential", "credentials", "pat", "auth", "bearer", "jwt":
		return whenRandom
	case "key":
		if slices.Contains([]string{"public", "primary", "foreign", "sort", "cache", "partition", "host"}, before) {
			return never
		}
		return whenRandom
	}
	return never
}

// nameWords splits a name at punctuation and at capitals after small letters.
func nameWords(name string) []string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return segments(b.String())
}

// segments are the runs of letters and digits.
func segments(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isPlaceholder tells what documentation and templates have where a value
// belongs: YOUR_TOKEN_HERE, changeme, xxxx, sk-...
func isPlaceholder(value string) bool {
	if distinct(value) < 3 || strings.Contains(value, "...") || strings.Contains(value, "…") || strings.Contains(value, "***") || strings.Contains(value, "EXAMPLE") {
		return true
	}
	words := nameWords(value)
	filler := true
	for i, word := range words {
		switch word {
		case "your", "changeme", "placeholder", "example", "insert", "replace", "replaceme", "todo", "dummy", "redacted", "fixme":
			return true
		case "change":
			if i+1 < len(words) && words[i+1] == "me" {
				return true
			}
		}
		if strings.Contains(word, "xxxx") {
			return true
		}
		filler = filler && slices.Contains(fillers, word)
	}
	return filler
}

// fillers are words of which a placeholder consists, and passwords that
// everybody knows.
var fillers = []string{"a", "the", "my", "some", "put", "enter", "set", "in", "env", "here", "goes", "value", "real", "test", "none", "null",
	"true", "false", "secret", "token", "key", "api", "apikey", "password", "pass", "passwd", "access", "auth", "bearer",
	"postgres", "root", "admin", "guest", "user"}

// isLabel tells words with numbers between hyphens (blue-harbour-12), which
// people give as names.
func isLabel(value string) bool {
	parts := strings.FieldsFunc(value, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	if len(parts) < 2 {
		return false
	}
	for _, part := range parts {
		letters := strings.IndexFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
		number := len(part) <= 4 && strings.IndexFunc(part, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
		if !letters && !number {
			return false
		}
	}
	return true
}

// looksRandom tells what a machine made: letters and digits mixed in one run, or
// a run longer than words are.
func looksRandom(value string) bool {
	const mixed, long = 6, 20
	for _, run := range segments(value) {
		digits := strings.ContainsFunc(run, unicode.IsDigit)
		letters := strings.ContainsFunc(run, unicode.IsLetter)
		if len(run) >= mixed && digits && letters || len(run) >= long && distinct(run) >= 8 || len(run) >= 12 && digits {
			return true
		}
	}
	return false
}

func isAuthScheme(word string) bool {
	return slices.Contains([]string{"bearer", "basic", "token", "apikey", "digest"}, strings.ToLower(word))
}

var (
	// flagWord is what may stand before = in an argument: a flag or a variable.
	flagWord = regexp.MustCompile(`^-{0,2}[A-Za-z_][\w.-]{0,100}$`)
	// headerWord is a header in one argument. What follows a drive's colon, or
	// that of a URL, is none.
	headerWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{2,60}:(?:\s|[^/\s\\])`)
	plainName  = regexp.MustCompile(`^[A-Za-z_][\w.-]{0,63}$`)
)
