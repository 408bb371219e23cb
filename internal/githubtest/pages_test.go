package githubtest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

func getPage(t *testing.T, url string) (int, string, http.Header) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header
}

func TestPagesShowEverythingEscaped(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{SARIFPendingPolls: -1})
	head := s.pr.HeadSHA()
	evil := func(where string) string { return where + " <script>alert(1)</script> \"'&" }
	run := must[*github.CheckRun](t)(s.client.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{
		Name: evil("name"), HeadSHA: head, Conclusion: ptr("failure"), DetailsURL: ptr("https://example.com/\"><script>"),
		Output: output(func(o *github.CheckRunOutput) {
			o.Title, o.Summary, o.Text, o.Annotations = ptr(evil("title")), ptr(evil("summary")), ptr(evil("text")), annotations(1)
			o.Annotations[0].Message, o.Annotations[0].Path, o.Annotations[0].Title = ptr(evil("message")), ptr(evil("path")), ptr(evil("heading"))
		}),
		Actions: []*github.CheckRunAction{{Label: "Accept <b>", Description: "Accept it", Identifier: "x"}},
	}))
	must[*github.IssueComment](t)(s.client.Issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: ptr(evil("comment"))}))
	id, err := s.upload(head, "refs/pull/1/head", pack(t, sarifDocument(func(r obj) { r["results"].([]obj)[0]["message"] = obj{"text": evil("alert")} })))
	if err != nil {
		t.Fatal(err)
	}
	s.finish(t, id.GetID())

	escaped := func(where string) string { return where + " &lt;script&gt;alert(1)&lt;/script&gt;" }
	pullParts := []string{"Change", "#1", "feature", "failure", escaped("name"), escaped("title"), "summary", "text", escaped("message"), escaped("path"), escaped("heading"), "comment", escaped("alert"), "mcp-lint[bot]", "Accept &lt;b&gt;", "a/b", "README.md:1"}
	for url, wants := range map[string][]string{
		s.srv.WebURL + "/":           {"acme/tools", "Change", escaped("name")},
		s.srv.WebURL + "/acme/tools": {"Change", "#1"},
		s.pr.URL():                   pullParts,
		run.GetHTMLURL():             {"summary", escaped("message"), head},
		s.srv.WebURL + "/acme/tools/security/code-scanning/1": {"c/d"},
	} {
		status, body, header := getPage(t, url)
		if status != http.StatusOK {
			t.Errorf("%s: status %d", url, status)
		}
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s does not show %q", url, want)
			}
		}
		if strings.Contains(body, "<script") {
			t.Errorf("%s has a script", url)
		}
		if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: policy %q", url, policy)
		}
	}
	for _, url := range []string{"/acme", "/acme/gone", "/acme/tools/pull/2", "/acme/tools/pull/x", "/acme/tools/runs/1", "/acme/tools/security/code-scanning/9"} {
		if status, _, _ := getPage(t, s.srv.WebURL+url); status != http.StatusNotFound {
			t.Errorf("%s: status %d", url, status)
		}
	}
}

// Markdown looks as on GitHub: tables are tables, and what breaks out of an
// escape is seen, but runs nothing.
func TestMarkdownIsShownAsOnGitHub(t *testing.T) {
	t.Parallel()
	got := string(markdown("| a | b |\n| - | - |\n| `x` | y<br>z |\n\n<details><summary>s</summary>\n\nin\n</details>\n\n<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[l](javascript:alert(1))\n"))
	for _, want := range []string{"<table>", "<td><code>x</code></td>", "y<br>z", "<details><summary>s</summary>"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
	for _, never := range []string{"<script", "onerror", "javascript:"} {
		if strings.Contains(got, never) {
			t.Errorf("has %s:\n%s", never, got)
		}
	}
}

func TestPagesShowTheNewestRun(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	pr := openPull(t, repo, "Change", "feature", PullOptions{Draft: true})
	if _, body, _ := getPage(t, pr.URL()); !strings.Contains(body, "No checks yet") || !strings.Contains(body, "draft") {
		t.Errorf("empty page: %s", body)
	}
	checks := repoClient(t, srv, repo, nil).Checks
	for _, summary := range []string{"older text", "newer text"} {
		must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{
			Name: "x", HeadSHA: head, Status: ptr("in_progress"), Output: output(func(o *github.CheckRunOutput) { o.Summary = &summary }),
		}))
	}
	if _, body, _ := getPage(t, pr.URL()); strings.Contains(body, "older text") || !strings.Contains(body, "newer text") || !strings.Contains(body, "in_progress") {
		t.Errorf("page: %s", body)
	}
}
