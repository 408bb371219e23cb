package githubapp_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

func TestEndpoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ web, wantWeb, api, uploads string }{
		{"https://github.com", "https://github.com/", "https://api.github.com/", "https://uploads.github.com/"},
		{"https://GitHub.com/", "https://github.com/", "https://api.github.com/", "https://uploads.github.com/"},
		{"https://www.github.com", "https://github.com/", "https://api.github.com/", "https://uploads.github.com/"},
		{"https://octocorp.ghe.com", "https://octocorp.ghe.com/", "https://api.octocorp.ghe.com/", "https://uploads.octocorp.ghe.com/"},
		{"https://git.example.com", "https://git.example.com/", "https://git.example.com/api/v3/", "https://git.example.com/api/uploads/"},
		{"https://git.example.com:8443/", "https://git.example.com:8443/", "https://git.example.com:8443/api/v3/", "https://git.example.com:8443/api/uploads/"},
		{"https://api.example.com", "https://api.example.com/", "https://api.example.com/api/v3/", "https://api.example.com/api/uploads/"},
		{"https://notghe.com", "https://notghe.com/", "https://notghe.com/api/v3/", "https://notghe.com/api/uploads/"},
		{"http://127.0.0.1:4321", "http://127.0.0.1:4321/", "http://127.0.0.1:4321/api/v3/", "http://127.0.0.1:4321/api/uploads/"},
		{"http://[::1]:80", "http://[::1]:80/", "http://[::1]:80/api/v3/", "http://[::1]:80/api/uploads/"},
		{"http://localhost:80", "http://localhost:80/", "http://localhost:80/api/v3/", "http://localhost:80/api/uploads/"},
	} {
		e, err := githubapp.NewEndpoints(c.web)
		if err != nil {
			t.Errorf("%s: %v", c.web, err)
			continue
		}
		for what, got := range map[string][2]string{
			"web": {e.Web.String(), c.wantWeb}, "api": {e.API.String(), c.api}, "uploads": {e.Uploads.String(), c.uploads},
			"clone": {e.CloneURL("o", "r"), c.wantWeb + "o/r.git"},
		} {
			if got[0] != got[1] {
				t.Errorf("%s: %s is %s, want %s", c.web, what, got[0], got[1])
			}
		}
	}
}

func TestEndpointsRefused(t *testing.T) {
	t.Parallel()
	for web, says := range map[string]string{
		"":                               "scheme is not https",
		"github.com":                     "scheme is not https",
		"ftp://github.com":               "scheme is not https",
		"http://github.com":              "http is for loopback",
		"http://127.0.0.1.example.com":   "http is for loopback",
		"https://":                       "no host",
		"https://github.com/acme":        "after the host",
		"https://git.example.com/api/v3": "after the host",
		"https://git.example.com?x=1":    "after the host",
		"https://x:ghs_abc@github.com":   "credentials",
		"https://api.github.com":         "the API's address",
		"https://api.octocorp.ghe.com":   "the API's address",
		"https://ghe.com":                "tenant is missing",
		"https://a b":                    "not a URL",
	} {
		_, err := githubapp.NewEndpoints(web)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "expected the web address") {
			t.Errorf("%q: %v, want %q and what was expected", web, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "ghs_abc") {
			t.Errorf("the credentials are in the error: %v", err)
		}
	}
}

func TestCloneURLEscapes(t *testing.T) {
	t.Parallel()
	e, err := githubapp.NewEndpoints("https://github.com")
	if err != nil {
		t.Fatal(err)
	}
	if got := e.CloneURL("a/../b", "r?x#y"); got != "https://github.com/a%2F..%2Fb/r%3Fx%23y.git" {
		t.Error(got)
	}
}
