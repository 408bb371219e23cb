package report_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

const details = "https://bot.example/run/1"

func TestComment(t *testing.T) {
	t.Parallel()
	md, wanted := hostileReview().Comment(report.CommentOptions{Marker: "mcp-lint:comment", DetailsURL: details})
	if !wanted {
		t.Fatal("not wanted")
	}
	if first, _, _ := strings.Cut(md, "\n"); first != "<!-- mcp-lint:comment -->" {
		t.Errorf("first line is %q", first)
	}
	if !strings.Contains(md, "U+E0049… 'IGNORE'") {
		t.Error("what TAG letters say is not shown")
	}
	golden(t, "comment.golden", md)
	harmless(t, md)
}

func TestCommentShrinksInTiers(t *testing.T) {
	t.Parallel()
	r := hostileReview()
	for i := range 120 {
		c := change("description_changed", severity.Error, tool(fmt.Sprintf("tool_%d", i)), "new words")
		c.Before, c.After = "before "+c.Entity.Name, "after 日本語 "+c.Entity.Name+strings.Repeat(" more", i)
		r.Report.Servers[0].Lock.Changes = append(r.Report.Servers[0].Lock.Changes, c)
	}
	full, _ := r.Comment(report.CommentOptions{Marker: "m", DetailsURL: details})
	tests := []struct {
		name          string
		max           int
		has, hasNot   string
		harmlessToo   bool
		linkToDetails bool
	}{
		{"full", len(full), "+ after 日本語 tool_119", "not listed", true, true},
		{"one row a tool", len(full) - 1, "| tool `tool_7` | 1 error |", "+ after", true, true},
		{"counts only", 3000, "126 changes (122 errors, 3 warnings)", "tool_7", true, true},
		{"cut", 300, "### mcp-lint", "tool_7", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			md, wanted := r.Comment(report.CommentOptions{MaxBytes: tt.max, Marker: "m", DetailsURL: details})
			if !wanted || len(md) > tt.max {
				t.Fatalf("wanted %v, %d bytes, limit %d", wanted, len(md), tt.max)
			}
			if !strings.Contains(md, tt.has) || strings.Contains(md, tt.hasNot) {
				t.Errorf("want %q and not %q in\n%s", tt.has, tt.hasNot, md)
			}
			if strings.Contains(md, details) != tt.linkToDetails {
				t.Errorf("link to the details: %v", !tt.linkToDetails)
			}
			harmless(t, md)
		})
	}
}

// Whatever the limit is, the comment fits it, is UTF-8 and closes what it opens.
func TestCommentFitsAnyLimit(t *testing.T) {
	t.Parallel()
	r := hostileReview()
	for limit := 1; limit < 6000; limit += 7 {
		md, _ := r.Comment(report.CommentOptions{MaxBytes: limit, Marker: "日本", DetailsURL: details})
		checkClipped(t, md, limit)
	}
}

func TestClipFitsAnyLimitAndClosesMarkup(t *testing.T) {
	t.Parallel()
	md := hostileReview().LockCheckRun().Summary + "日本語"
	for limit := range len(md) + 1 {
		checkClipped(t, report.Clip(md, limit), limit)
	}
	if got := report.Clip(md, len(md)); got != md {
		t.Error("cut although it fits")
	}
	if got := report.Clip(md, len(md)-1); !strings.Contains(got, "The rest was cut here") {
		t.Error("does not say that it was cut")
	}
}

func checkClipped(t *testing.T, md string, limit int) {
	t.Helper()
	if len(md) > limit {
		t.Fatalf("%d bytes, limit %d", len(md), limit)
	}
	if !utf8.ValidString(md) {
		t.Fatalf("limit %d: cut inside a character", limit)
	}
	if strings.Contains(outsideCode(md), "<unclosed block>") {
		t.Fatalf("limit %d: open code block:\n%s", limit, md)
	}
	prose := outsideCode(md)
	if o, c := strings.Count(prose, "<details>"), strings.Count(prose, "</details>"); o != c {
		t.Fatalf("limit %d: details opened %d times, closed %d times:\n%s", limit, o, c, md)
	}
}

func TestDetailsLinkIsAnAddressOrNothing(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"javascript:alert(1)", `https://x.example/">`, ""} {
		md, _ := hostileReview().Comment(report.CommentOptions{DetailsURL: bad})
		if strings.Contains(md, "javascript:") || strings.Contains(md, `/">"`) || bad == "" && strings.Contains(md, "<a ") {
			t.Errorf("%q: %s", bad, md[max(0, len(md)-200):])
		}
	}
}
