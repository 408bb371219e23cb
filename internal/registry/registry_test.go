package registry_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
	"github.com/mcp-lint/mcp-lint/internal/registry/registrytest"
)

// start starts a server and the resolvers that ask it.
func start(t *testing.T) (*registrytest.Server, registry.Registries) {
	t.Helper()
	server := registrytest.Start()
	t.Cleanup(server.Close)
	return server, resolvers(t, server.Environment())
}

// resolvers are those of an environment, with an empty home.
func resolvers(t *testing.T, environment map[string]string) registry.Registries {
	t.Helper()
	settings, err := registry.FromEnvironment(lookup(environment))
	if err != nil {
		t.Fatal(err)
	}
	return registry.New(&http.Client{}, settings)
}

func lookup(environment map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := environment[name]; return v, ok }
}

// question is a package and what must become of it: a version, or the words of
// an ErrUnresolvable behind "!".
type question struct{ name, spec, want string }

func ask(t *testing.T, r registry.Registries, ecosystem registry.Ecosystem, questions []question) {
	t.Helper()
	for _, q := range questions {
		got, err := r.Resolve(t.Context(), registry.Package{Ecosystem: ecosystem, Name: q.name, Spec: q.spec})
		words, refused := strings.CutPrefix(q.want, "!")
		switch {
		case !refused && (err != nil || string(got) != q.want):
			t.Errorf("%s %q: %q, %v; want %s", q.name, q.spec, got, err, q.want)
		case refused && (!errors.Is(err, registry.ErrUnresolvable) || !strings.Contains(err.Error(), words)):
			t.Errorf("%s %q: %q, %v; want an ErrUnresolvable with %q", q.name, q.spec, got, err, words)
		}
	}
}

func TestUnknownEcosystem(t *testing.T) {
	t.Parallel()
	_, r := start(t)
	ask(t, r, "cargo", []question{{"ripgrep", "", "!no registry is known for packages of cargo"}})
}

// A registry that fails is no answer, and no answer is not "unresolvable".
func TestFailuresAreNoAnswers(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"HTTP 503": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"HTTP 429": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
		"not what": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("<html>proxy login</html>"))
		},
		"redirects more than": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		},
	} {
		server := httptest.NewServer(handler)
		defer server.Close()
		r := resolvers(t, map[string]string{
			"npm_config_registry": server.URL, "UV_DEFAULT_INDEX": "http://user:hunter22@" + server.Listener.Addr().String(),
		})
		for _, ecosystem := range []registry.Ecosystem{registry.EcosystemNPM, registry.EcosystemPyPI} {
			_, err := r.Resolve(t.Context(), registry.Package{Ecosystem: ecosystem, Name: "tides"})
			if err == nil || errors.Is(err, registry.ErrUnresolvable) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v, want a failure with %q", ecosystem, err, name)
			}
			if err != nil && strings.Contains(err.Error(), "hunter22") {
				t.Errorf("%s: a password is in the error: %v", ecosystem, err)
			}
		}
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	r := resolvers(t, map[string]string{"npm_config_registry": closed.URL, "UV_DEFAULT_INDEX": closed.URL, "GOPROXY": closed.URL})
	for _, p := range []registry.Package{
		{Ecosystem: registry.EcosystemNPM, Name: "tides"},
		{Ecosystem: registry.EcosystemPyPI, Name: "tides"},
		{Ecosystem: registry.EcosystemGo, Name: "example.com/tides"},
		{Ecosystem: registry.EcosystemOCI, Name: strings.TrimPrefix(closed.URL, "http://") + "/tides"},
		{Ecosystem: registry.EcosystemGit, Name: closed.URL + "/tides.git"},
	} {
		if got, err := r.Resolve(t.Context(), p); err == nil || errors.Is(err, registry.ErrUnresolvable) {
			t.Errorf("%s without a server: %q, %v", p.Ecosystem, got, err)
		}
	}
}

func TestNoAccessIsUnresolvable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if auth := r.Header.Get("Authorization"); auth != "" {
			t.Errorf("credentials were sent: %s", auth)
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	withPassword := strings.Replace(server.URL, "http://", "http://user:hunter22@", 1)
	r := resolvers(t, map[string]string{"npm_config_registry": withPassword, "PIP_INDEX_URL": withPassword, "GOPROXY": withPassword})
	for _, p := range []registry.Package{
		{Ecosystem: registry.EcosystemNPM, Name: "tides"},
		{Ecosystem: registry.EcosystemPyPI, Name: "tides"},
		{Ecosystem: registry.EcosystemGo, Name: "example.com/tides"},
		{Ecosystem: registry.EcosystemOCI, Name: strings.TrimPrefix(server.URL, "http://") + "/tides"},
		{Ecosystem: registry.EcosystemGit, Name: server.URL + "/tides.git"},
	} {
		_, err := r.Resolve(t.Context(), p)
		if !errors.Is(err, registry.ErrUnresolvable) || !strings.Contains(err.Error(), "without credentials") {
			t.Errorf("%s: %v", p.Ecosystem, err)
		}
	}
}
