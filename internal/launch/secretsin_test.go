package launch

import (
	"slices"
	"testing"
)

func TestSecretsIn(t *testing.T) {
	t.Parallel()
	const token = "ghp_9f8e7d6c5b4a39281706f5e4d3c2Ab12"
	for text, want := range map[string]string{
		"see " + token + ", please":                                            token,
		"postgresql://me:9f8e7d6c5b4a@db.example/x":                            "9f8e7d6c5b4a",
		"a=postgres://me:p%40ss9f8e7d@db.example/x b":                          "p@ss9f8e7d",
		"https://x.example/mcp?a=1&api_key=9f8e7d6c5b4a39281706":               "9f8e7d6c5b4a39281706",
		"Authorization: Bearer 9f8e7d6c5b4a39281706f5e4":                       "9f8e7d6c5b4a39281706f5e4",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
		"--header=Authorization: Bearer 9f8e7d6c5b4a39281706f5e4":              "9f8e7d6c5b4a39281706f5e4",
		"https://x.example/mcp?tools=read":                                     "", "git@github.com:a/b.git": "", "postgres://localhost/x": "", "--verbose": "",
		"postgres://me:${PASSWORD}@db.example/x": "", "https://x.example/?token=YOUR_TOKEN": "", "Accept: text/plain": "",
	} {
		got := SecretsIn(text)
		if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
