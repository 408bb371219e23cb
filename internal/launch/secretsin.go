package launch

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	// userInfoIn finds the password in an address anywhere in a text.
	userInfoIn = regexp.MustCompile(`://[^\s/?#:@]*:([^\s/?#]+)@`)
	// parameterIn finds the parameters of an address.
	parameterIn = regexp.MustCompile(`[?&;]([\w.-]+)=([^\s&#;]+)`)
)

// SecretsIn are the secrets inside of an argument, a header or the value of a
// variable, whatever its name: keys in the form of a known issuer, what addresses
// hold, and a header that is given as one word. They are to be left out of
// whatever a server that was given the text says.
func SecretsIn(text string) (secrets []string) {
	for _, f := range forms {
		found := f.form.FindAllString(text, -1)
		if f.kind == "a private key" && len(found) > 0 {
			found = []string{text} // the form is only its first line
		}
		secrets = append(secrets, found...)
	}
	add := func(name, value string) {
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		if _, ok := isSecret(name, plain); ok {
			secrets = append(secrets, value, plain)
		}
	}
	for _, m := range userInfoIn.FindAllStringSubmatch(text, -1) {
		add("password", m[1])
	}
	for _, m := range parameterIn.FindAllStringSubmatch(text, -1) {
		add(m[1], m[2])
	}
	if headerWord.MatchString(text) {
		name, value, _ := strings.Cut(text, ":")
		if _, ok := isSecret(name, credentials(value)); ok {
			secrets = append(secrets, strings.TrimSpace(value), strings.TrimSpace(credentials(value)))
		}
	}
	if name, value, assigned := strings.Cut(text, "="); assigned && flagWord.MatchString(name) {
		secrets = append(secrets, SecretsIn(value)...) // --header=Authorization: Bearer …
	}
	return secrets
}
