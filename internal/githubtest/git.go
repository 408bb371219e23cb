package githubtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"strings"
	"time"
)

// maxGitBody bounds a fetch request that comes in chunks: CGI needs its length.
const maxGitBody = 16 << 20

// serveGit is smart HTTP: git's own backend over the bare repository, behind
// Basic authentication with an installation token. Fetching only.
func (s *Server) serveGit(w http.ResponseWriter, r *http.Request) {
	start := s.now()
	seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	if f := s.takeFault(r.Method, r.URL.Path); f != nil {
		time.Sleep(f.delay)
		if f.status != 0 {
			http.Error(seen, http.StatusText(f.status), f.status)
			s.record(r, "git", f.status, start)
			return
		}
		if f.drop {
			s.record(r, "git", 0, start)
			panic(http.ErrAbortHandler)
		}
	}
	s.gitBackend(seen, r)
	s.record(r, "git", seen.status, start)
}

func (s *Server) gitBackend(w http.ResponseWriter, r *http.Request) {
	owner, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	name, service, _ := strings.Cut(rest, ".git/")
	switch {
	case service == "info/refs" && r.URL.Query().Get("service") == "git-upload-pack":
	case service == "git-upload-pack" && r.Method == http.MethodPost:
	case service == "git-receive-pack" || r.URL.Query().Get("service") == "git-receive-pack":
		http.Error(w, "Pushing over HTTP is not supported by this stand-in.", http.StatusForbidden)
		return
	default:
		http.NotFound(w, r)
		return
	}
	repo, status := s.gitAccess(r, owner, name)
	if status != http.StatusOK {
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		}
		http.Error(w, map[int]string{
			http.StatusUnauthorized: "Invalid username or token.",
			http.StatusForbidden:    "Write access to repository not granted.",
		}[status], status)
		return
	}
	if r.ContentLength < 0 {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxGitBody))
		if err != nil {
			http.Error(w, "request too large", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	}
	backend := r.Clone(r.Context())
	backend.URL.Path = "/" + repo.FullName() + ".git/" + service // the real spelling: GitHub ignores case
	backend.Header.Del("Authorization")
	(&cgi.Handler{
		Path: s.git, Args: []string{"http-backend"}, Root: "/", Dir: s.dir,
		Env: append(s.gitEnv(), "GIT_PROJECT_ROOT="+s.dir+"/git", "GIT_HTTP_EXPORT_ALL=1", "GIT_PROTOCOL="+r.Header.Get("Git-Protocol")),
	}).ServeHTTP(w, backend)
}

// gitAccess decides who may fetch. As on GitHub, what a token cannot see does not
// exist, and no credentials at all are asked for.
func (s *Server) gitAccess(r *http.Request, owner, name string) (*Repository, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	repo := s.repo(owner, name)
	_, password, given := r.BasicAuth()
	if !given {
		if repo != nil && !repo.private {
			return repo, http.StatusOK
		}
		return nil, http.StatusUnauthorized
	}
	t := s.liveToken(password)
	switch {
	case t == nil:
		return nil, http.StatusUnauthorized
	case repo == nil || !t.covers(repo) && repo.private:
		return nil, http.StatusNotFound
	case repo.private && !grants(t.permissions, "contents:read"):
		return nil, http.StatusForbidden
	}
	return repo, http.StatusOK
}

// statusWriter remembers the status for the record of requests.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}
