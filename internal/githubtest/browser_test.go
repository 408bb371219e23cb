package githubtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-lint/mcp-lint/internal/browsertest"
)

// Hostile text in a real browser: it is shown, runs nothing and fetches nothing.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
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

	dom := browsertest.Open(t, pr.URL()).DOM
	if !strings.Contains(dom, "<td><code>TABLE-CELL</code></td>") {
		t.Errorf("no table in the page:\n%s", dom)
	}
	if strings.Contains(dom, "<title>owned") {
		t.Error("a script of the text ran")
	}
	if n := fetched.Load(); n > 0 {
		t.Errorf("the page fetched %d addresses that the text names", n)
	}
}
