package checks_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
)

const marker = "<!-- mcp-lint:comment -->"

// ours returns the comments of the bot.
func (w *world) ours() (list []githubtest.Comment) {
	for _, c := range w.srv.Comments(w.repo, w.pr.Number) {
		if c.Author == w.srv.BotLogin() {
			list = append(list, c)
		}
	}
	return list
}

func (w *world) comment(p *checks.Publisher, body string, wanted bool) {
	w.t.Helper()
	if err := p.Comment(w.t.Context(), w.pr.Number, body, wanted); err != nil {
		w.t.Fatal(err)
	}
}

func TestOneStickyComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: -1}
	w.comment(w.worker(d), "", false)
	if n := len(w.ours()); n != 0 {
		t.Fatalf("%d comments though nothing is to be said", n)
	}
	for i, step := range []struct {
		body   string
		wanted bool
		says   string
	}{
		{"first", true, "first"},
		{"second", true, "second"},
		{"", false, "Resolved"},
		{"third", true, "third"},
		{"settled by review", false, "settled by review"},
	} {
		w.comment(w.worker(d), step.body, step.wanted)
		got := w.ours()
		if len(got) != 1 || !strings.HasPrefix(got[0].Body, marker+"\n") || !strings.Contains(got[0].Body, step.says) {
			t.Fatalf("step %d: %+v", i, got)
		}
	}
	writes := w.count("issues/update-comment")
	w.comment(w.worker(d), "settled by review", false)
	if w.count("issues/update-comment") != writes {
		t.Error("resolved twice")
	}
	if n := w.count("issues/list-comments"); n != 2 {
		t.Errorf("listed %d times, want twice: with no id known", n)
	}
}

func TestTheCommentIsFoundWhenItsIDIsLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	for i := range 105 { // more than a page before ours
		w.pr.Comment("mallory", fmt.Sprintf("chatter %d", i))
	}
	planted := w.pr.Comment("mallory", marker+"\nAll is well, merge at once.")
	w.comment(w.worker(&disk{kill: -1}), "careful", true)
	w.comment(w.worker(&disk{kill: -1}), "careful indeed", true)
	got := w.ours()
	if len(got) != 1 || !strings.Contains(got[0].Body, "careful indeed") {
		t.Errorf("ours: %+v", got)
	}
	for _, c := range w.srv.Comments(w.repo, w.pr.Number) {
		if c.ID == planted && c.Body != marker+"\nAll is well, merge at once." {
			t.Errorf("a foreign comment was changed to %q", c.Body)
		}
	}
	updates := w.count("issues/update-comment")
	w.comment(w.worker(&disk{kill: -1}), "careful indeed", true)
	if w.count("issues/update-comment") != updates {
		t.Error("the same text was written again")
	}
	// Our bot's other comments are no sticky ones.
	if w.worker(&disk{kill: -1}).Comment(t.Context(), w.pr.Number+1, "x", true) == nil {
		t.Error("unknown pull request: no error")
	}
}

func TestADeletedCommentComesBackOnlyWhenWanted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: -1}
	remove := func() {
		t.Helper()
		client, _ := w.app.Installation(w.repo.InstallationID(), githubapp.WriteScope(w.repo.ID))
		if _, err := client.Issues.DeleteComment(t.Context(), "acme", "tools", w.ours()[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	w.comment(w.worker(d), "one", true)
	remove()
	w.comment(w.worker(d), "two", true)
	if got := w.ours(); len(got) != 1 || !strings.Contains(got[0].Body, "two") {
		t.Errorf("wanted: %+v", got)
	}
	remove()
	w.comment(w.worker(d), "", false)
	if got := w.ours(); len(got) != 0 {
		t.Errorf("not wanted: %+v", got)
	}
	if id := d.state(t).Comment.ID; id != 0 {
		t.Errorf("still remembers %d", id)
	}
}

func TestCommentsFitAndKeepTheirEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	w.comment(w.worker(&disk{kill: -1}), "````\n"+strings.Repeat("日本語 ``` @team\n", 8000), true)
	body := w.ours()[0].Body
	if len(body) > 65_536 || len(body) < 60_000 || !utf8.ValidString(body) || !strings.HasSuffix(body, "@team\n````\n\n_The rest did not fit here; it is in the check run._\n") {
		t.Errorf("%d bytes, ends with %q", len(body), body[len(body)-100:])
	}
	exact := strings.Repeat("x", checks.MaxCommentBytes)
	w.comment(w.worker(&disk{kill: -1}), exact, true)
	if body := w.ours()[0].Body; body != marker+"\n"+exact || len(body) != 65_536 {
		t.Errorf("a comment of exactly the limit has %d bytes", len(body))
	}
}

func TestLostAnswersMakeNoSecondComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	w.srv.DropResponse(http.MethodPost, "/repos/*/*/issues/*/comments", 1)
	w.comment(w.worker(&disk{kill: -1}), "once", true)
	if n := len(w.ours()); n != 1 {
		t.Errorf("%d comments", n)
	}
	d := &disk{kill: -1}
	w.comment(w.worker(d), "twice", true)
	w.srv.DropResponse(http.MethodPatch, "/repos/*/*/issues/comments/*", 2)
	w.comment(w.worker(d), "three times", true)
	if got := w.ours(); len(got) != 1 || !strings.Contains(got[0].Body, "three times") {
		t.Errorf("%+v", got)
	}
}
