package source_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

const token = "ghs_12345_eyJhbGciOiJub25lIn0.c2VjcmV0.c2lnbmF0dXJl"

// origin is a repository that is served over smart HTTP, to bearers of token.
type origin struct {
	t   *testing.T
	dir string
	url string

	mu       sync.Mutex
	requests []string
}

func newOrigin(t *testing.T) *origin {
	t.Helper()
	o := &origin{t: t, dir: filepath.Join(t.TempDir(), "origin.git")}
	o.git(nil, "init", "--quiet", "--bare", "--initial-branch=main", o.dir)
	o.git(nil, "config", "uploadpack.allowFilter", "true")
	backend := strings.TrimSpace(o.git(nil, "--exec-path")) + "/git-http-backend"
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git-http-backend is not installed")
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.requests = append(o.requests, r.Method+" "+r.URL.String())
		o.mu.Unlock()
		if user, pass, _ := r.BasicAuth(); user != "x-access-token" || pass != token {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if !strings.HasPrefix(r.URL.Path, "/o/r.git/") {
			http.NotFound(w, r)
			return
		}
		(&cgi.Handler{
			Path: backend, Root: "/o/r.git", Stderr: io.Discard,
			Env: []string{"GIT_PROJECT_ROOT=" + o.dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
		}).ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	o.url = srv.URL + "/o/r.git"
	return o
}

func (o *origin) git(stdin []byte, args ...string) string {
	o.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(o.dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=" + o.dir,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		o.t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// item is one raw tree record.
type item struct{ mode, kind, name, content string }

func file(name, content string) item { return item{"100644", "blob", name, content} }
func link(name, target string) item  { return item{"120000", "blob", name, target} }

// tree stores a tree object byte by byte, so that no check of git's is in the
// way of a hostile one. content is a hash for kinds other than blob.
func (o *origin) tree(items ...item) string {
	o.t.Helper()
	var raw bytes.Buffer
	for _, i := range items {
		hash := i.content
		if i.kind == "blob" {
			hash = strings.TrimSpace(o.git([]byte(i.content), "hash-object", "-w", "--stdin"))
		}
		fmt.Fprintf(&raw, "%s %s\x00", i.mode, i.name)
		for j := 0; j < len(hash); j += 2 {
			var b byte
			if _, err := fmt.Sscanf(hash[j:j+2], "%02x", &b); err != nil {
				o.t.Fatal(err)
			}
			raw.WriteByte(b)
		}
	}
	return strings.TrimSpace(o.git(raw.Bytes(), "hash-object", "-w", "-t", "tree", "--literally", "--stdin"))
}

// commit makes a commit of a tree and lets ref point to it.
func (o *origin) commit(ref, tree string, parents ...string) string {
	o.t.Helper()
	args := []string{"commit-tree", tree, "-m", ref}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	sha := strings.TrimSpace(o.git(nil, args...))
	o.git(nil, "update-ref", ref, sha)
	return sha
}

// request asks for a head (and a base) with the right token.
func (o *origin) request(head, base string) source.Request {
	return source.Request{
		URL: o.url, Head: head, Base: base, Dir: o.t.TempDir(),
		Token: func(context.Context) (string, error) { return token, nil },
	}
}

func (o *origin) fetch(r source.Request) *source.Repository {
	o.t.Helper()
	repo, err := source.Fetch(o.t.Context(), r)
	if err != nil {
		o.t.Fatal(err)
	}
	return repo
}

// written fetches a commit of the items and writes its tree.
func (o *origin) written(l source.Limits, tree string) (string, source.Written, error) {
	o.t.Helper()
	r := o.request(o.commit("refs/heads/main", tree), "")
	r.Limits = l
	list, err := o.fetch(r).Tree(o.t.Context(), r.Head)
	if err != nil {
		o.t.Fatal(err)
	}
	dir := o.t.TempDir()
	w, err := list.WriteTo(o.t.Context(), dir)
	return dir, w, err
}

// newOriginLike is the same origin with the parallel subtest as its test. Refs
// of subtests overwrite each other, which no test here depends on: commits are
// asked for by SHA.
func newOriginLike(t *testing.T, o *origin) *origin {
	return &origin{t: t, dir: o.dir, url: o.url}
}

// proxied is the URL of the origin behind a proxy whose answers go through pass.
func (o *origin) proxied(pass func(w io.Writer, body io.Reader)) string {
	o.t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, strings.TrimSuffix(o.url, "/o/r.git")+r.URL.String(), r.Body)
		if err != nil {
			o.t.Error(err)
			return
		}
		out.Header, out.ContentLength = r.Header, r.ContentLength
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			return // git has gone away
		}
		defer resp.Body.Close()
		for k, v := range resp.Header {
			w.Header()[k] = v
		}
		w.WriteHeader(resp.StatusCode)
		pass(w, resp.Body)
	}))
	o.t.Cleanup(srv.Close)
	return srv.URL + "/o/r.git"
}
