package linter_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

const twoTools = `[{"name":"x","description":"first"},{"name":"y","description":"second"}]`

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestSuppressionSilencesWhatMatchesEveryField(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		s    linter.Suppression
		want []string // tools whose finding is silenced
	}{
		{"rule only", linter.Suppression{}, []string{"x", "y"}},
		{"entity", linter.Suppression{Entity: "tool:y"}, []string{"y"}},
		{"another kind", linter.Suppression{Entity: "prompt:y"}, nil},
		{"server", linter.Suppression{Server: "key"}, []string{"x", "y"}},
		{"another server", linter.Suppression{Server: "other"}, nil},
		{"path", linter.Suppression{Path: "/description"}, []string{"x", "y"}},
		{"another path", linter.Suppression{Path: "/title"}, nil},
		{"another rule", linter.Suppression{Rule: "a/c"}, nil},
		{"last day", linter.Suppression{Until: "2026-11-30"}, []string{"x", "y"}},
		{"past its last day", linter.Suppression{Until: "2026-11-29"}, nil},
		{"text", linter.Suppression{TextSHA256: strings.ToUpper(sha("first"))}, []string{"x"}},
		{"all", linter.Suppression{Server: "key", Entity: "tool:x", Path: "/description", TextSHA256: sha("first"), Until: "2027-01-01"}, []string{"x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.s.Reason = "because"
			if c.s.Rule == "" {
				c.s.Rule = "a/b"
			}
			l := newLinter(t, linter.Config{Suppress: []linter.Suppression{c.s}, Today: today},
				onTools("a/b", severity.Error, "/description"), onTools("a/c", severity.Off, ""))
			result := l.Lint(parse(t, twoTools))
			var got []string
			for _, f := range result.Findings {
				if f.Suppressed != nil {
					got = append(got, f.Entity.Name)
					if *f.Suppressed != (linter.Suppressed{Reason: "because", Until: c.s.Until}) {
						t.Errorf("suppressed %+v", *f.Suppressed)
					}
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("silenced %v; want %v", got, c.want)
			}
			if want := (200 - 25*(2-len(c.want))) / 2; result.Quality.Score != want {
				t.Errorf("score %d; want %d", result.Quality.Score, want)
			}
			unused := l.Unused(result)
			if wantUnused := len(c.want) == 0 && c.s.Server == ""; wantUnused != (len(unused) == 1) {
				t.Errorf("unused %v; want %v", unused, wantUnused)
			}
		})
	}
}

// A suppression without a server is unused only if no server has a use for it.
func TestUnusedLooksAtAllResults(t *testing.T) {
	t.Parallel()
	l := newLinter(t, linter.Config{Suppress: []linter.Suppression{
		{Rule: "a/b", Entity: "tool:x", Reason: "r"}, {Rule: "a/b", Entity: "tool:z", Reason: "r"},
	}}, onTools("a/b", severity.Error, ""))
	with, without := l.Lint(parse(t, `[{"name":"x"}]`)), l.Lint(parse(t, `[{"name":"y"}]`))
	if got := l.Unused(without); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("one server: unused %v", got)
	}
	if got := l.Unused(without, with); !slices.Equal(got, []int{1}) {
		t.Errorf("two servers: unused %v", got)
	}
}

func TestSuppressedMembersLeaveTheGroup(t *testing.T) {
	t.Parallel()
	rule := linter.Rule{
		ID: "a/group", Severity: everywhere(severity.Warning),
		CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			items := []linter.Item{{Path: "/a"}, {Path: "/b"}, {Path: "/c"}}
			p.ReportGroup(tool, "/all", items, func(items []linter.Item) linter.Finding {
				var paths []string
				for _, i := range items {
					paths = append(paths, i.Path)
				}
				return linter.Finding{Message: strings.Join(paths, " ")}
			})
		},
	}
	lint := func(paths ...string) (live, silenced []string) {
		var list []linter.Suppression
		for _, p := range paths {
			list = append(list, linter.Suppression{Rule: "a/group", Path: p, Reason: p + "!"})
		}
		for _, f := range newLinter(t, linter.Config{Suppress: list}, rule).Lint(parse(t, `[{"name":"t"}]`)).Findings {
			if len(f.Items) != len(strings.Fields(f.Message)) {
				t.Errorf("%d items for %q", len(f.Items), f.Message)
			}
			if f.Suppressed == nil {
				live = append(live, f.Message)
			} else {
				silenced = append(silenced, f.Message+" "+f.Suppressed.Reason)
			}
		}
		return live, silenced
	}
	for _, c := range []struct {
		paths, live, silenced []string
	}{
		{nil, []string{"/a /b /c"}, nil},
		{[]string{"/b"}, []string{"/a /c"}, []string{"/b /b!"}},
		{[]string{"/b", "/a"}, []string{"/c"}, []string{"/a /a!", "/b /b!"}},
		{[]string{"/a", "/b", "/c"}, nil, []string{"/a /a!", "/b /b!", "/c /c!"}},
		{[]string{"/all"}, nil, []string{"/a /b /c /all!"}},
	} {
		live, silenced := lint(c.paths...)
		slices.Sort(silenced)
		if !slices.Equal(live, c.live) || !slices.Equal(silenced, c.silenced) {
			t.Errorf("suppressing %v: live %q, silenced %q", c.paths, live, silenced)
		}
	}
}

// A suppression for a tool reaches it in a finding on the server that lists tools.
func TestSuppressedToolLeavesAFindingOnTheServer(t *testing.T) {
	t.Parallel()
	rule := linter.Rule{
		ID: "a/tools", Severity: everywhere(severity.Warning),
		Check: func(p *linter.Pass) {
			tools := p.Tools()
			items := []linter.Item{
				{Path: "/tools/x/title", Subject: "x", Of: tools[0]}, {Path: "/tools/y/title", Subject: "y", Of: tools[1]},
			}
			p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
				return linter.Finding{Message: strconv.Itoa(len(items))}
			})
		},
	}
	for _, c := range []struct {
		s    linter.Suppression
		want string // the silenced tools
	}{
		{linter.Suppression{}, "x y"},
		{linter.Suppression{Entity: "server"}, "x y"},
		{linter.Suppression{Entity: "tool:x"}, "x"},
		{linter.Suppression{Entity: "tool:x", Path: "/title"}, "x"},
		{linter.Suppression{Entity: "tool:x", Path: "/name"}, ""},
		{linter.Suppression{Entity: "tool:z"}, ""},
		{linter.Suppression{Path: "/title"}, "x y"},
		{linter.Suppression{Path: "/tools/y"}, "y"},
		{linter.Suppression{Path: "/tools/y/title"}, "y"},
		{linter.Suppression{Path: "/tools/y/title/z"}, ""},
		{linter.Suppression{Entity: "tool:x", TextSHA256: sha("first")}, "x"},
		{linter.Suppression{Entity: "tool:x", TextSHA256: sha("second")}, ""},
		{linter.Suppression{Entity: "tool:x", Rule: "a/b"}, ""},
	} {
		c.s.Reason = "because"
		if c.s.Rule == "" {
			c.s.Rule = "a/tools"
		}
		l := newLinter(t, linter.Config{Suppress: []linter.Suppression{c.s}}, rule, onTools("a/b", severity.Off, ""))
		var got []string
		for _, f := range l.Lint(parse(t, twoTools)).Findings {
			for _, item := range f.Items {
				if f.Suppressed != nil {
					got = append(got, item.Subject)
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v silences %v; want %s", c.s, got, c.want)
		}
	}
}
