package source_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

func TestFetchBringsBothTreesWithoutHistory(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	old := o.commit("refs/heads/main", o.tree(file("a", "old")))
	base := o.commit("refs/heads/main", o.tree(file("a", "base")), old)
	head := o.commit("refs/pull/7/head", o.tree(file("a", "head")), base)
	repo := o.fetch(o.request(head, base))
	for sha, want := range map[string]string{head: "head", base: "base"} {
		got, err := repo.ReadFile(t.Context(), sha, "a", 10)
		if err != nil || string(got) != want {
			t.Errorf("file at %s = %q, %v; want %q", sha, got, err, want)
		}
	}
	if _, err := repo.Tree(t.Context(), old); !errors.Is(err, source.ErrNotFound) {
		t.Errorf("tree of an older commit: %v; want ErrNotFound, history is not wanted", err)
	}
}

func TestFetchOutcomes(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	head := o.commit("refs/heads/main", o.tree(file("a", "1")))
	missing := strings.Repeat("ab", 20)
	big := o.commit("refs/heads/big", o.tree(file("a", noise(3<<20))))
	for name, c := range map[string]struct {
		change func(*source.Request)
		want   error
		says   string
	}{
		"unknown commit":          {func(r *source.Request) { r.Head = missing }, source.ErrNotFound, missing},
		"unknown base":            {func(r *source.Request) { r.Base = missing }, source.ErrNotFound, "fetch base"},
		"unknown pull request":    {func(r *source.Request) { r.Head, r.PullNumber = missing, 9 }, source.ErrNotFound, missing},
		"unknown repository":      {func(r *source.Request) { r.URL = strings.Replace(r.URL, "/o/r", "/o/x", 1) }, source.ErrNotFound, ""},
		"no token":                {func(r *source.Request) { r.Token = nil }, source.ErrUnauthorized, ""},
		"wrong token":             {func(r *source.Request) { r.Token = constant("ghs_no") }, source.ErrUnauthorized, ""},
		"token cannot be made":    {func(r *source.Request) { r.Token = failing }, errMint, ""},
		"too large":               {func(r *source.Request) { r.Head, r.Limits.FetchBytes = big, 1<<20 }, source.ErrTooLarge, "1 MB"},
		"too slow":                {func(r *source.Request) { r.Limits.Timeout = time.Nanosecond }, context.DeadlineExceeded, "not done after"},
		"branch instead of a SHA": {func(r *source.Request) { r.Head = "main" }, nil, `"main" is no full commit SHA`},
		"option instead of a SHA": {func(r *source.Request) { r.Head = "--upload-pack=touch /tmp/x" }, nil, "no full commit SHA"},
		"another protocol":        {func(r *source.Request) { r.URL = "ext::sh -c id" }, nil, "no http or https URL"},
		"local path":              {func(r *source.Request) { r.URL = "file://" + o.dir }, nil, "no http or https URL"},
		"credentials in the URL":  {func(r *source.Request) { r.URL = "https://x:" + token + "@example.com/o/r" }, nil, "no credentials"},
		"relative directory":      {func(r *source.Request) { r.Dir = "x" }, nil, "no absolute path"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := o.request(head, "")
			r.Dir = t.TempDir()
			c.change(&r)
			_, err := source.Fetch(t.Context(), r)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v; want %v and %q", err, c.want, c.says)
			}
			if err != nil && hasSecret(err.Error()) {
				t.Errorf("the token is in the error: %v", err)
			}
		})
	}
}

var errMint = errors.New("no token today")

func failing(context.Context) (string, error) { return "", errMint }

func constant(s string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return s, nil }
}

// noise does not compress.
func noise(n int) string {
	b := make([]byte, n)
	x := uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	return string(b)
}

func hasSecret(s string) bool {
	return strings.Contains(s, token) || strings.Contains(s, "ghs_") ||
		strings.Contains(s, base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))[:30])
}

// A forced push between delivery and job leaves the ref pointing elsewhere: the
// commit that the job is about must come, or nothing.
func TestFetchNeverTakesAnotherCommitForTheHead(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	head := o.commit("refs/pull/3/head", o.tree(file("a", "reviewed")))
	o.commit("refs/pull/3/head", o.tree(file("a", "pushed later")))
	r := o.request(head, "")
	r.PullNumber = 3
	got, err := o.fetch(r).ReadFile(t.Context(), head, "a", 100)
	if err != nil || string(got) != "reviewed" {
		t.Errorf("got %q, %v", got, err)
	}
}

// The token must be in the environment of git and nowhere else.
func TestTokenStaysOutOfArgvAndFiles(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("no /proc to look into")
	}
	o := newOrigin(t)
	base := o.commit("refs/heads/main", o.tree(file("a", noise(1<<20))))
	head := o.commit("refs/pull/1/head", o.tree(file("a", noise(2<<20))), base)
	r := o.request(head, base)

	// Every request is held until all command lines of the machine were read.
	seen := 0
	r.URL = o.proxied(func(w io.Writer, body io.Reader) {
		gits, leaks := commandLines(t)
		seen += gits
		for _, l := range leaks {
			t.Errorf("the token is in a command line: %q", l)
		}
		if _, err := io.Copy(w, body); err != nil {
			t.Error(err)
		}
	})
	repo := o.fetch(r)
	if _, err := repo.MergeBase(t.Context()); err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("saw no git process: this test proves nothing")
	}
	err := filepath.WalkDir(r.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(name)
		if hasSecret(string(b)) {
			t.Errorf("the token is in %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v"} {
		if s := fmt.Sprintf(format, r) + fmt.Sprintf(format, *repo); hasSecret(s) {
			t.Errorf("printed with %s, the token is in %s", format, s)
		}
	}
}

// commandLines counts the git processes of this machine that fetch, and returns
// the command lines that hold a secret.
func commandLines(t *testing.T) (gits int, leaks []string) {
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		line := strings.ReplaceAll(string(b), "\x00", " ")
		if strings.Contains(line, "remote-http") {
			gits++
		}
		if hasSecret(line) {
			leaks = append(leaks, line)
		}
	}
	return gits, leaks
}

// A repository that grows over the limit is given up at once, not when all of
// it has come.
func TestFetchingTooMuchEndsEarly(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	r := o.request(o.commit("refs/heads/main", o.tree(file("a", noise(3<<20)))), "")
	r.Limits = source.Limits{FetchBytes: 1 << 20, Timeout: 20 * time.Second}
	over := make(chan struct{})
	defer close(over)
	r.URL = o.proxied(func(w io.Writer, body io.Reader) {
		if n, _ := io.CopyN(w, body, 2<<20); n == 2<<20 {
			w.(http.Flusher).Flush()
			<-over // the rest never comes
		}
	})
	start := time.Now()
	if _, err := source.Fetch(t.Context(), r); !errors.Is(err, source.ErrTooLarge) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(start))
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	head := o.commit("refs/heads/main", o.tree(file("a", "1")))
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	srv := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/o/r.git/info/refs?service=git-upload-pack", http.StatusMovedPermanently))
	defer srv.Close()
	r := o.request(head, "")
	r.URL = srv.URL + "/o/r.git"
	if _, err := source.Fetch(t.Context(), r); err == nil {
		t.Error("no error")
	}
	if reached {
		t.Error("git went to where the redirect points")
	}
}

func TestCancelEndsGit(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	head := o.commit("refs/heads/main", o.tree(file("a", "1")))
	arrived := make(chan struct{}, 10)
	hang := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	defer srv.Close()
	defer close(hang)
	ctx, cancel := context.WithCancel(t.Context())
	r := o.request(head, "")
	r.URL = srv.URL + "/o/r.git"
	go func() { <-arrived; cancel() }()
	start := time.Now()
	_, err := source.Fetch(ctx, r)
	if !errors.Is(err, context.Canceled) || time.Since(start) > 3*time.Second {
		t.Errorf("got %v after %s", err, time.Since(start))
	}
	if line := running(r.Dir, srv.URL); line != "" {
		t.Errorf("still running: %s", line)
	}
}

// running returns the command line of a process that mentions one of the words.
func running(words ...string) string {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		b, _ := os.ReadFile(name)
		for _, w := range words {
			if strings.Contains(string(b), w) {
				return string(b)
			}
		}
	}
	return ""
}
