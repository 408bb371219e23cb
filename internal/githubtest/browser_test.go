package githubtest

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
)

// browser is a headless browser of the system, or a skip.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed")
	return ""
}

// Hostile text in a real browser: it is shown, runs nothing and fetches nothing.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	path := browser(t)
	var fetched atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fetched.Add(1) }))
	defer canary.Close()

	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	evil := `<img src="` + canary.URL + `/a"><script>document.title="owned"</script> ` +
		`<a href="javascript:document.title='owned'">x</a> ![i](` + canary.URL + `/b) <style>@import "` + canary.URL + `/c"</style>` +
		"\n\n| a | b |\n| - | - |\n| `TABLE-CELL` | <svg onload=\"document.title='owned'\"> |\n"
	pr := openPull(t, repo, evil, "feature", PullOptions{Body: evil})
	client := repoClient(t, srv, repo, nil)
	must[*github.CheckRun](t)(client.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{
		Name: "x", HeadSHA: head, Status: ptr("in_progress"), Output: output(func(o *github.CheckRunOutput) { o.Summary, o.Text = &evil, &evil }),
	}))
	must[*github.IssueComment](t)(client.Issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: &evil}))

	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=2000", "--dump-dom", pr.URL())
	cmd.WaitDelay = 5 * time.Second
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, dom)
	}
	if !strings.Contains(string(dom), "<td><code>TABLE-CELL</code></td>") {
		t.Errorf("no table in the page:\n%s", dom)
	}
	if strings.Contains(string(dom), "<title>owned") {
		t.Error("a script of the text ran")
	}
	if n := fetched.Load(); n > 0 {
		t.Errorf("the page fetched %d addresses that the text names", n)
	}
}
