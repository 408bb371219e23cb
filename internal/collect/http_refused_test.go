package collect

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// C046: who is not let in is told where and how, and no secret is.
func TestRemoteNeedsAuthorization(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/C046-http-401.json")
	if err != nil {
		t.Fatal(err)
	}
	var script struct {
		Server []struct {
			Status  int
			Headers map[string]string
			Body    json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &script); err != nil {
		t.Fatal(err)
	}
	step := script.Server[0]
	const sent = "Bearer sample-token-1234"
	for _, tt := range []struct {
		name, challenge string
		status          int
		header          map[string]string
		kind            Kind
		want            string
	}{
		{"C046", step.Headers["WWW-Authenticate"], step.Status, nil, NeedsAuthorization,
			"http://127.0.0.1 needs authorization (status 401); its authorization is described at https://mcp.example.org; send a token with --header-env Authorization=VARIABLE, in a configuration with headerEnv"},
		{"with a token", step.Headers["WWW-Authenticate"], step.Status, map[string]string{"Authorization": sent}, NeedsAuthorization,
			"described at https://mcp.example.org; it does not take the token that was sent"},
		{"no challenge", "", 401, nil, NeedsAuthorization, "http://127.0.0.1 needs authorization (status 401); send"},
		{"403 with a challenge", `Bearer error="insufficient_scope", resource_metadata=https://b.example/x`, 403, nil, NeedsAuthorization, "described at https://b.example;"},
		{"403", "", 403, nil, Protocol, "answered initialize with status 403 (Forbidden)"},
		{"hostile metadata", "Bearer resource_metadata=\"https://me:sesame@a\u202e.example/sesame\"", 401, nil, NeedsAuthorization, "described at https://a"},
		{"no address", `Bearer resource_metadata="javascript:alert(1)"`, 401, nil, NeedsAuthorization, "(status 401); send"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, _ rpc) bool {
				if tt.challenge != "" {
					w.Header().Set("WWW-Authenticate", tt.challenge)
				}
				w.WriteHeader(tt.status)
				fmt.Fprintf(w, "%s %s", step.Body, r.Header.Get("Authorization"))
				return true
			}}
			_, err := ask(t, f, Address{Header: tt.header, Secrets: HeaderSecrets(sent)}, remoteOptions())
			failure := failureOf(t, err)
			if failure.Kind != tt.kind || !strings.Contains(failure.Message, tt.want) {
				t.Errorf("%s: %s\nwant %s: %s", failure.Kind, failure.Message, tt.kind, tt.want)
			}
			for _, never := range []string{"sesame", "sample-token", "\u202e", "/.well-known"} {
				if strings.Contains(failure.Message, never) {
					t.Errorf("the message holds %q: %s", never, failure.Message)
				}
			}
		})
	}
}

// C047: a redirect inside the origin is followed with everything that was sent,
// one that leaves it or gives up encryption is not, and that is said.
func TestRemoteRedirects(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/C047-redirect.json")
	if err != nil {
		t.Fatal(err)
	}
	type step struct {
		Path, At string
		Status   int
		Headers  map[string]string
		Reply    json.RawMessage
	}
	var script struct {
		Variants map[string][]step
		Client   map[string]string `json:"client_headers"`
	}
	if err := json.Unmarshal(raw, &script); err != nil {
		t.Fatal(err)
	}
	player := func(steps []step) *fakeHTTP {
		return &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			for _, s := range steps {
				if s.Path != r.URL.Path || s.At != "" && s.At != m.Method {
					continue
				}
				for name, value := range s.Headers {
					w.Header().Set(name, value)
				}
				if s.Status != 0 {
					w.WriteHeader(s.Status)
					return true
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, answer(m.ID, string(s.Reply)))
				return true
			}
			return false
		}}
	}
	t.Run("same origin", func(t *testing.T) {
		t.Parallel()
		f := player(script.Variants["same_origin"])
		got, err := ask(t, f, Address{Header: script.Client}, remoteOptions())
		if err != nil {
			t.Fatal(err)
		}
		if names := toolNames(got.Snapshot); names != "ping_host" {
			t.Errorf("tools %q", names)
		}
		for _, m := range f.messages() {
			if m.Method == "" || m.Header.Get("Authorization") != script.Client["Authorization"] {
				t.Errorf("%s %s: the redirect lost the body or the header: %v", m.Path, m.Method, m.Header)
			}
		}
	})
	t.Run("downgrade", func(t *testing.T) {
		t.Parallel()
		f := player(script.Variants["downgrade"])
		s := httptest.NewTLSServer(f)
		defer s.Close()
		o := remoteOptions()
		o.roots = x509.NewCertPool()
		o.roots.AddCert(s.Certificate())
		_, err := Remote(t.Context(), Address{URL: parseURL(t, s.URL+"/mcp"), Header: script.Client}, o)
		failure := failureOf(t, err)
		if !strings.Contains(failure.Message, "https://127.0.0.1 redirects from https to http (http://other.example.org); not followed") {
			t.Errorf("%s: %s", failure.Kind, failure.Message)
		}
		if strings.Contains(failure.Message, "sample-token") {
			t.Errorf("the token is told: %s", failure.Message)
		}
	})
	other := &fakeHTTP{}
	elsewhere := serve(t, other)
	for _, tt := range []struct {
		name, location, want string
		status               int
	}{
		{"another port", elsewhere.String(), "redirects to another origin (http://127.0.0.1)", 307},
		{"another host", "//sesame@tides.example/sesame?sesame", "redirects to another origin (http://tides.example); not followed", 308},
		{"another scheme", "file:///etc/passwd", "redirects to another origin", 307},
		{"endless", "/mcp", "redirects more than 5 times", 307},
		{"turned into GET", "/other", "answers POST with a redirect that turns it into another request (status 303)", 303},
		{"unreadable", "http://[", "redirects to an address that cannot be read", 302},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := player([]step{{Path: "/mcp", Status: tt.status, Headers: map[string]string{"Location": tt.location}}})
			_, err := ask(t, f, Address{Header: script.Client}, remoteOptions())
			failure := failureOf(t, err)
			if failure.Kind != Protocol || !strings.Contains(failure.Message, tt.want) || strings.Contains(failure.Message, "sesame") {
				t.Errorf("%s: %s\nwant %s", failure.Kind, failure.Message, tt.want)
			}
			if n := len(f.messages()); n > maxHops+1 {
				t.Errorf("%d requests", n)
			}
		})
	}
	t.Cleanup(func() {
		if n := len(other.messages()); n > 0 {
			t.Errorf("the other origin got %d requests", n)
		}
	})
}
