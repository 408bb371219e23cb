package report_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// diffOf is a review whose every foreign string is s.
func diffOf(s string) *report.Review {
	r := cleanReview()
	parts := []lockfile.Part{
		{Op: lockfile.Same, Text: s}, {Op: lockfile.Removed, Text: s}, {Op: lockfile.Added, Text: s + "\n" + s},
		{Op: lockfile.Skipped}, {Op: lockfile.Same, Text: "\n" + s},
	}
	var changes []lockfile.Change
	for i, kind := range []string{"schema_widened", "x" + s} {
		changes = append(changes, lockfile.Change{
			Kind: kind, Severity: severity.Levels()[i], Entity: snapshot.Ref{Kind: snapshot.KindTool, Name: s}, Path: "/" + s,
			Message: s + "`" + s + "`", Before: s, After: s, Text: parts, Raw: parts, RenamedFrom: s,
		}, lockfile.Change{Kind: kind, Severity: severity.Error, Entity: snapshot.Ref{Kind: snapshot.KindServer, Name: s}, Message: s, Before: s, After: s})
	}
	r.Report.Servers[0].Key = s
	r.Report.Servers[0].Lock.Changes = changes
	accepted := report.LockedChanges{Key: s}
	for _, c := range changes {
		accepted.Changes = append(accepted.Changes, report.Located{Change: c})
	}
	r.Lock.Accepted = []report.LockedChanges{accepted}
	r.Lock.Path, r.Lock.MovedTo, r.Lock.MovedFrom = s, s, s
	r.Lock.RemovedServers = []string{s}
	r.Lock.RenamedServers = []report.RenamedServer{{From: s, To: s}}
	r.Lock.Error = &report.Error{Kind: report.ErrInput, Message: s}
	return r
}

var (
	pings = regexp.MustCompile(`(^|[^\pL\pN])@[\pL\pN]|#\d|(?i:\bgh-\d)|://|(?i:\bwww\.[a-z])|:(100|1234|[0-9]*[A-Za-z_+-][A-Za-z0-9_+-]*):`)
	ours  = regexp.MustCompile(`\x1b\[(0|1|2|3[1-4](;4)?)m`)
)

// FuzzDiff puts a text into every field of a diff: in no format does it become
// anything but text.
func FuzzDiff(f *testing.F) {
	for _, s := range []string{
		"", "a", mention, markup, ticks, terminal, bidi, tags("IGNORE"), "</details>", "-->", "```", "\n```\n", "~~~", "a|b", "\\|", "@org/team", "#123", "https://x.example", "www.x.example",
		":tada:", "<details><summary>", "</summary>", "x\n</details>\n\n# h", "|\n| --- |", "[a]: http://x.example", "<!--", "&lt;b&gt;", "{+x+}", "[-x-]", "\u2028", "\x00", "`", "``", "\\`", "*a*", "- a", "1. a", "> q",
		"\u200b@a", "a@b.example", "+ a", "::error::x", "]]>", "</ins>", "</pre>", "\xff", "$x$", "<a href=x>", "&#64;a", "    code", "\t@a", "===", "![i](x)", "xmpp:a@b.c", "mailto:a@b.c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		r := diffOf(s)
		summary := r.LockCheckRun().Summary
		comment, _ := r.Comment(report.CommentOptions{Marker: "m"})
		short, _ := r.Comment(report.CommentOptions{Marker: "m", MaxBytes: len(comment) / 2})
		for name, md := range map[string]string{"summary": summary, "comment": comment, "short comment": short} {
			checkMarkdown(t, name, md)
			checkClipped(t, md, 65_536)
		}
		for _, color := range []bool{false, true} {
			var b bytes.Buffer
			if err := report.WriteReviewText(&b, r, report.TextOptions{Color: color}); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if color {
				text = ours.ReplaceAllString(text, "")
			}
			checkHarmlessRunes(t, "terminal", text)
		}
		var page bytes.Buffer
		if err := report.WriteReviewHTML(&page, r, report.HTMLOptions{}); err != nil {
			t.Fatal(err)
		}
		checkElements(t, strings.TrimPrefix(page.String(), "<!DOCTYPE html>"))
		checkHarmlessRunes(t, "page", page.String())
	})
}

// checkHarmlessRunes finds what a terminal would obey and what hides.
func checkHarmlessRunes(t *testing.T, where, text string) {
	t.Helper()
	for i, r := range text {
		if r < ' ' && r != '\n' || r == 0x7F || unicode.Is(unicode.Bidi_Control, r) || r == 0x200B || r >= 0xE0000 && r < 0xE0080 {
			t.Fatalf("%s: raw %U in %.300q", where, r, text[max(0, i-100):])
		}
	}
}

// checkMarkdown shows Markdown as GitHub does: it has our elements only, and
// nothing outside of code that GitHub would make a link, a mention or a picture.
func checkMarkdown(t *testing.T, where, md string) {
	t.Helper()
	checkHarmlessRunes(t, where, md)
	var out bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe()))
	if err := convert.Convert([]byte(md), &out); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	allowed := strings.Fields("html head body h3 h4 p table thead tbody tr th td code pre ul li strong details summary br em")
	for n := range doc.Descendants() {
		switch n.Type {
		case html.ElementNode:
			if !slices.Contains(allowed, n.Data) {
				t.Fatalf("%s: element %s in\n%.1500s", where, n.Data, md)
			}
			for _, a := range n.Attr {
				if a.Key != "class" || a.Val != "language-diff" {
					t.Fatalf("%s: attribute %s=%q of %s in\n%.1500s", where, a.Key, a.Val, n.Data, md)
				}
			}
		case html.CommentNode:
			if n.Data != " m " {
				t.Fatalf("%s: comment %q", where, n.Data)
			}
		case html.TextNode:
			if n.Parent.Data != "code" && pings.MatchString(n.Data) {
				t.Fatalf("%s: %q would be a link in\n%.1500s", where, n.Data, md)
			}
		}
	}
}
