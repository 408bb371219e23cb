// Package registrytest is a registry of every ecosystem on loopback, for tests.
package registrytest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Server answers as npm's registry (below /npm), a Python package index (/pypi),
// a Go module proxy (/go), a container registry (/v2) and git servers (/git) do.
// Fill the maps before the first request.
type Server struct {
	*httptest.Server

	// NPM maps a package's name to its document.
	NPM map[string]string
	// PyPI maps a project's normalized name to its page: JSON, or HTML when it
	// begins with "<".
	PyPI map[string]string
	// Go maps MODULE/@v/list and the like to answers.
	Go map[string]string
	// Images maps NAME:TAG to a manifest. They are given out to bearers of the
	// anonymous token only.
	Images map[string]string
	// Git serves what is below /git; nil serves nothing.
	Git http.Handler

	mu       sync.Mutex
	requests []string
}

// Start starts an empty server; Close ends it.
func Start() *Server {
	s := &Server{
		NPM: map[string]string{}, PyPI: map[string]string{}, Go: map[string]string{}, Images: map[string]string{},
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Host is the server's address without scheme, as image names begin with it.
func (s *Server) Host() string { return strings.TrimPrefix(s.URL, "http://") }

// Environment are the variables with which the tools ask this server.
func (s *Server) Environment() map[string]string {
	return map[string]string{
		"npm_config_registry": s.URL + "/npm/",
		"UV_DEFAULT_INDEX":    s.URL + "/pypi/",
		"GOPROXY":             s.URL + "/go",
	}
}

// Requests are the methods and paths asked so far, each with the Authorization
// that came with it.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")))
	s.mu.Unlock()
	root, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch root {
	case "npm":
		// npm's own spelling has the slash of a scope escaped.
		answer(w, s.NPM, rest, "application/vnd.npm.install-v1+json")
	case "pypi":
		kind := "application/vnd.pypi.simple.v1+json"
		name := strings.TrimSuffix(rest, "/")
		if strings.HasPrefix(s.PyPI[name], "<") {
			kind = "text/html; charset=utf-8"
		}
		answer(w, s.PyPI, name, kind)
	case "go":
		answer(w, s.Go, rest, "text/plain; charset=utf-8")
	case "v2":
		s.image(w, r, rest)
	case "token":
		fmt.Fprint(w, `{"token": "anonymous"}`)
	case "git":
		if s.Git == nil {
			http.NotFound(w, r)
			return
		}
		s.Git.ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

func answer(w http.ResponseWriter, known map[string]string, name, kind string) {
	body, ok := known[name]
	if !ok {
		http.Error(w, "none of that name", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind)
	fmt.Fprint(w, body)
}

// image answers /v2/NAME/manifests/TAG.
func (s *Server) image(w http.ResponseWriter, r *http.Request, path string) {
	name, tag, ok := strings.Cut(path, "/manifests/")
	if r.Header.Get("Authorization") != "Bearer anonymous" {
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="%s/token",service="loopback",scope="repository:%s:pull"`, s.URL, name))
		http.Error(w, `{"errors":[{"code":"UNAUTHORIZED"}]}`, http.StatusUnauthorized)
		return
	}
	manifest, known := s.Images[name+":"+tag]
	if !ok || !known {
		http.Error(w, `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.oci.image.index.v1+json")
	w.Header().Set("Content-Length", fmt.Sprint(len(manifest)))
	if !strings.Contains(manifest, "digest left out") {
		w.Header().Set("Docker-Content-Digest", Digest(manifest))
	}
	if r.Method != http.MethodHead {
		fmt.Fprint(w, manifest)
	}
}

// Digest is a manifest's.
func Digest(manifest string) string {
	sum := sha256.Sum256([]byte(manifest))
	return "sha256:" + hex.EncodeToString(sum[:])
}
