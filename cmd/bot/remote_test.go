package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// A pull request that names a variable of the bot in every way that there is
// gets nothing of it, and no request reaches the bot's own network, whoever
// allowed it.
func TestRemoteServersOfAPullRequest(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	const marker = "marker-7f3a9c-of-the-bot"
	var requests atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { requests.Add(1) }))
	t.Cleanup(inside.Close)

	s := newSite(t)
	servers := func(more map[string]any) map[string]string {
		all := map[string]any{
			"trusted": map[string]any{"url": inside.URL + "/mcp"},
			"named":   map[string]any{"url": inside.URL + "/${BOT_MARKER:-mcp}", "headers": map[string]string{"X-A": "${BOT_MARKER:-none}"}},
			"header":  map[string]any{"url": inside.URL + "/mcp", "headerEnv": map[string]string{"X-A": "BOT_MARKER"}},
		}
		for key, entry := range more {
			all[key] = entry
		}
		text, err := json.Marshal(map[string]any{"servers": all})
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{".mcp-lint.json": string(text), "server.js": slowServer}
	}
	s.commit("main", "", servers(nil))
	bot := s.start("MCP_LINT_ALLOW_HOST=127.0.0.1,localhost", "BOT_MARKER="+marker, "HTTP_PROXY="+inside.URL, "HTTPS_PROXY="+inside.URL)
	s.commit("change", "main", servers(map[string]any{
		"new":      map[string]any{"url": inside.URL + "/new"},
		"metadata": map[string]any{"url": "http://169.254.169.254/latest/meta-data/"},
		"started":  map[string]any{"command": "node", "args": []string{"server.js", "${BOT_MARKER:-none}"}, "env": map[string]string{"A": "${BOT_MARKER:-none}"}},
		"passed":   map[string]any{"command": "node", "args": []string{"server.js"}, "passEnv": []string{"BOT_MARKER"}},
	}))
	pr, err := s.repo.OpenPull("change", "change", "main", githubtest.PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.gh.WaitForChecks(t.Context(), s.repo, pr.HeadSHA(), report.LintCheck, report.LockCheck)
	if err != nil {
		t.Fatalf("%v\n%s", err, bot.log)
	}
	published, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"127.0.0.1 is not asked: its address is not one of the public internet", // trusted, named
		"needs variables that are not set here: BOT",                            // header, passed
		"the trusted branch does not configure a server with this address",      // new, metadata
	} {
		if !bytes.Contains(published, []byte(want)) {
			t.Errorf("nothing says %q: %.4000s", want, published)
		}
	}
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests came", n)
	}

	// Everything that was posted, logged and stored.
	for _, c := range s.gh.Comments(s.repo, pr.Number) {
		published = append(published, c.Body...)
	}
	if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-bot.end
	if strings.Contains(string(published)+bot.log.String(), marker) {
		t.Error("the marker was published or logged")
	}
	err = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(marker)) {
			t.Errorf("%s holds the marker", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
