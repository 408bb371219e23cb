package registry_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// fails asks for an npm package at a server, which must be a failure.
func fails(t *testing.T, client *http.Client, server *httptest.Server, says string) {
	t.Helper()
	r := registry.New(client, registry.Settings{NPM: server.URL})
	got, err := r.Resolve(t.Context(), registry.Package{Ecosystem: registry.EcosystemNPM, Name: "tides"})
	if err == nil || errors.Is(err, registry.ErrUnresolvable) || !strings.Contains(err.Error(), says) {
		t.Errorf("%q, %v; want a failure with %q", got, err, says)
	}
}

func TestNoWayFromHTTPSToHTTP(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL, http.StatusFound)
	}))
	defer secure.Close()
	fails(t, secure.Client(), secure, "redirects from https to a place that is not")
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		for range 70 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	fails(t, &http.Client{}, server, "answered with more than 64 MB")
}

func TestAnswersTakeSoLong(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer server.Close()
	defer close(hang)
	fails(t, &http.Client{Timeout: 50 * time.Millisecond}, server, "Timeout")
}

// roundTrip answers requests without a network.
type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// Images without a registry in their name are Docker Hub's.
func TestDockerHub(t *testing.T) {
	t.Parallel()
	var asked []string
	digest := "sha256:" + strings.Repeat("4b", 32)
	client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
		asked = append(asked, r.Method+" "+r.URL.String())
		header := http.Header{"Docker-Content-Digest": {digest}, "Content-Type": {"application/vnd.oci.image.index.v1+json"}}
		return &http.Response{StatusCode: http.StatusOK, Header: header, ContentLength: 2, Body: io.NopCloser(strings.NewReader("{}")), Request: r}
	})}
	r := registry.New(client, registry.Settings{})
	ask(t, r, registry.EcosystemOCI, []question{{"redis", "7", digest}, {"mcp/fetch", "", digest}})
	want := "HEAD https://registry-1.docker.io/v2/library/redis/manifests/7 HEAD https://registry-1.docker.io/v2/mcp/fetch/manifests/latest"
	if strings.Join(asked, " ") != want {
		t.Errorf("asked %q, want %q", asked, want)
	}
}
