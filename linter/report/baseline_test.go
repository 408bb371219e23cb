package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// fp is a fingerprint made of one hex digit.
func fp(digit string) string { return strings.Repeat(digit, 64) }

// found is a finding on tool t with the fingerprint of a digit, and an item for
// each further one.
func found(digit string, items ...string) linter.Finding {
	f := finding("a/b", severity.Warning, tool("t"), "message "+digit)
	f.Fingerprint = fp(digit)
	for _, item := range items {
		f.Items = append(f.Items, linter.Item{Path: "/" + item, Subject: "s" + item, Fingerprint: fp(item), New: true})
	}
	return f
}

func suppressed(f linter.Finding) linter.Finding {
	f.Suppressed = &linter.Suppressed{Reason: "r"}
	return f
}

func server(key string, findings ...linter.Finding) report.Server {
	return report.Server{Key: key, Findings: findings}
}

func failed(s report.Server) report.Server {
	s.Error = &report.Error{Kind: report.ErrCrash}
	return s
}

func TestApplyBaseline(t *testing.T) {
	t.Parallel()
	type servers []report.Server
	for _, c := range []struct {
		name      string
		base, now servers
		judges    func(string, snapshot.Ref) bool
		fresh     string // the first digits of what is new; items are written behind a dot
		known     int
		fixed     string
		unjudged  []string
	}{
		{name: "the same", base: servers{server("k", found("1"))}, now: servers{server("k", found("1"))}, known: 1},
		{name: "one more", base: servers{server("k", found("1"))}, now: servers{server("k", found("2"), found("1"))}, fresh: "2", known: 1},
		{name: "one less", base: servers{server("k", found("1"), found("2"))}, now: servers{server("k", found("2"))}, known: 1, fixed: "1"},
		{name: "another server", base: servers{server("k", found("1"))}, now: servers{server("l", found("1"))}, fresh: "1", unjudged: []string{"l"}},
		{name: "an empty baseline", now: servers{server("k", found("1"))}, fresh: "1", unjudged: []string{"k"}},
		{name: "another server, without a finding", now: servers{server("l")}},
		{name: "a server that is not in this run", base: servers{server("k", found("1")), server("l", found("2"))}, now: servers{server("k", found("1"))}, known: 1},
		{name: "a server that was not checked now", base: servers{server("k", found("1"))}, now: servers{failed(server("k"))}},
		{name: "a server that was not checked then", base: servers{failed(server("k"))}, now: servers{server("k", found("1"))}, fresh: "1", unjudged: []string{"k"}},
		{
			name: "equal keys go by their order",
			base: servers{server("k", found("1")), server("k", found("2"))},
			now:  servers{server("k", found("1"), found("2")), server("k", found("2")), server("k", found("1"))},
			// The third has no counterpart.
			fresh: "21", known: 2, unjudged: []string{"k"},
		},
		{name: "suppressed since", base: servers{server("k", found("1"))}, now: servers{server("k", suppressed(found("1")))}},
		{name: "suppressed then and now", base: servers{server("k", suppressed(found("1")))}, now: servers{server("k", suppressed(found("1")))}},
		{name: "no more suppressed: never accepted", base: servers{server("k", suppressed(found("1")))}, now: servers{server("k", found("1"))}, fresh: "1"},
		{name: "suppressed then, gone now", base: servers{server("k", suppressed(found("1")))}, now: servers{server("k")}},
		{
			name: "a rule that is off now", base: servers{server("k", found("1"))}, now: servers{server("k")},
			judges: func(rule string, ref snapshot.Ref) bool { return rule != "a/b" || ref.Name != "t" },
		},
		{name: "a group as it was", base: servers{server("k", found("1", "2", "3"))}, now: servers{server("k", found("1", "2", "3"))}, known: 1},
		{name: "a group with one more", base: servers{server("k", found("1", "2"))}, now: servers{server("k", found("1", "2", "3"))}, fresh: "1.3"},
		{name: "a group with one less", base: servers{server("k", found("1", "2", "3"))}, now: servers{server("k", found("1", "3"))}, known: 1, fixed: "2"},
		{name: "a group that is gone", base: servers{server("k", found("1", "2", "3"))}, now: servers{server("k")}, fixed: "1"},
		{name: "a group by its items alone", base: servers{server("k", found("1", "2"))}, now: servers{server("k", found("4", "2"))}, known: 1},
		{name: "an item that was suppressed", base: servers{server("k", found("1", "2"), suppressed(found("4", "3")))}, now: servers{server("k", found("1", "2", "3"))}, fresh: "1.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := &report.Report{Servers: c.now}
			unjudged := report.ApplyBaseline(now, &report.Report{Servers: c.base}, report.BaselineOptions{Source: "then", Judges: c.judges})
			var fresh, fixed string
			for _, s := range now.Servers {
				for _, f := range s.Findings {
					if !f.New {
						continue
					}
					fresh += f.Fingerprint[:1]
					for _, item := range f.Items {
						if item.New {
							fresh += "." + item.Fingerprint[:1]
						}
					}
				}
			}
			for _, f := range now.Baseline.Fixed {
				fixed += f.Fingerprint[:1]
				if f.Rule != "a/b" || f.Key != "k" || f.Severity != severity.Warning || f.Entity != tool("t") || f.Message == "" {
					t.Errorf("fixed %+v", f)
				}
			}
			if fresh != c.fresh || now.Baseline.Known != c.known || fixed != c.fixed || !slices.Equal(unjudged, c.unjudged) || now.Baseline.Source != "then" {
				t.Errorf("new %q, %d known, fixed %q, unjudged %q; want %q, %d, %q, %q",
					fresh, now.Baseline.Known, fixed, unjudged, c.fresh, c.known, c.fixed, c.unjudged)
			}
		})
	}
}

// A group with new and known items speaks of the new ones, in every format.
func TestGroupTellsWhatIsNew(t *testing.T) {
	t.Parallel()
	base := &report.Report{Servers: []report.Server{server("k", found("1", "2", "3"))}}
	now := &report.Report{Servers: []report.Server{server("k", found("1", "2", "3", "4"))}}
	report.ApplyBaseline(now, base, report.BaselineOptions{})
	text := plainText(t, now)
	if !strings.Contains(text, "message 1; new: s4") || strings.Contains(text, "s2") {
		t.Errorf("%s", text)
	}
}

// Whatever the file holds: a report of this version, or an error. What a later
// release adds is read over.
func TestReadBaseline(t *testing.T) {
	t.Parallel()
	const tool = `"tool":{"name":"mcp-lint","version":"9"}`
	good := `{"version":1,` + tool + `,"servers":[{"key":"k","findings":[{"rule":"a/b","fingerprint":"` + fp("1") + `"}]}]}`
	for name, doc := range map[string]string{
		"minimal":     good,
		"new members": strings.Replace(good, `"rule"`, `"later":[{}],"rule"`, 1),
		"written":     writeJSON(t, &report.Report{Version: 1, Tool: report.Tool{Name: "mcp-lint"}, Servers: []report.Server{server("k", found("1", "2"))}}),
	} {
		r, err := report.ReadBaseline(strings.NewReader(doc))
		if err != nil || len(r.Servers) != 1 || r.Servers[0].Key != "k" || r.Servers[0].Findings[0].Fingerprint != fp("1") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	for name, c := range map[string]struct{ doc, want string }{
		"empty":                {"", "the file is empty"},
		"cut":                  {good[:80], "ends in the middle"},
		"no JSON":              {"# base", "no JSON at byte 1"},
		"a list":               {"[]", "found a JSON array"},
		"a snapshot":           {`{"tools":[]}`, "no report of mcp-lint"},
		"SARIF":                {`{"version":"2.1.0","runs":[]}`, `found a JSON string as "version"`},
		"no servers":           {`{"version":1,` + tool + `}`, "no report of mcp-lint"},
		"another program's":    {`{"version":1,"tool":{"name":"x"},"servers":[]}`, "no report of mcp-lint"},
		"another version":      {`{"version":2,` + tool + `,"servers":[]}`, "version 2; expected version 1"},
		"another shape":        {`{"servers":{},` + tool + `,"version":2}`, "version 2; expected version 1"},
		"damaged fingerprint":  {strings.Replace(good, fp("1"), fp("1")[1:], 1), "servers[0].findings[0]: damaged fingerprint"},
		"missing fingerprint":  {strings.Replace(good, `"fingerprint"`, `"finger"`, 1), "servers[0].findings[0]: damaged fingerprint"},
		"damaged item":         {strings.Replace(good, `"rule"`, `"items":[{}],"rule"`, 1), "items[0]: damaged fingerprint"},
		"unknown severity":     {strings.Replace(good, `"rule"`, `"severity":"fatal","rule"`, 1), "severity"},
		"text after the value": {good + "{}", "text follows the report"},
	} {
		if _, err := report.ReadBaseline(strings.NewReader(c.doc)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// 100,000 findings are compared in a moment; each with each would take minutes.
func TestLargeBaseline(t *testing.T) {
	t.Parallel()
	const n = 100_000
	many := func() *report.Report {
		s := server("k")
		for i := range n {
			f := finding("a/b", severity.Warning, tool("t"), "m")
			f.Fingerprint = fmt.Sprintf("%064x", i)
			s.Findings = append(s.Findings, f)
		}
		return &report.Report{Servers: []report.Server{s}}
	}
	base, now := many(), many()
	start := time.Now()
	report.ApplyBaseline(now, base, report.BaselineOptions{})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	if now.Baseline.Known != n {
		t.Errorf("%d known; want %d", now.Baseline.Known, n)
	}
}

// Both text reports count what is known and name what is fixed, and write only
// what is new.
func TestTextOfABaseline(t *testing.T) {
	t.Parallel()
	base := &report.Report{Servers: []report.Server{server("k", found("1"), found("2"), found("3"))}}
	for i := range 25 {
		f := found("4")
		f.Fingerprint, f.Message = fmt.Sprintf("%064d", i), "gone"+bidi
		base.Servers[0].Findings = append(base.Servers[0].Findings, f)
	}
	now := &report.Report{Servers: []report.Server{server("k", found("1"), found("2"), found("a"))}}
	report.ApplyBaseline(now, base, report.BaselineOptions{Source: "then" + terminal})
	now.Summary = report.Summarize(now, report.Limits{FailOn: severity.Warning})
	if now.Summary.Passed || now.Summary.Warnings != 3 {
		t.Errorf("%+v", now.Summary)
	}
	review := &report.Review{Report: *now, Compared: true, Limits: report.Limits{FailOn: severity.Warning}}
	var b strings.Builder
	if err := report.WriteReviewText(&b, review, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"report": plainText(t, now), "review": b.String()} {
		for _, want := range []string{"message a", "3 warnings, 0 info (2 known); 26 fixed", "- a/b on tool t (k): message 3", "- and 6 more", `fixed since then\u{1B}`, `gone`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		if strings.Contains(text, "message 1") || strings.ContainsAny(text, "\x1b\u202e") || strings.Count(text, "known") > 2 {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

func plainText(t *testing.T, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := report.WriteText(&b, r, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A finding that stands for more than it did in the baseline hides new ones.
func TestAFindingIsKnownWhenItStandsForNoMoreThanBefore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, now linter.Finding
		isNew       bool
	}{
		"the same":        {linter.Finding{More: 3}, linter.Finding{More: 3}, false},
		"fewer":           {linter.Finding{More: 3}, linter.Finding{}, false},
		"more":            {linter.Finding{More: 3}, linter.Finding{More: 4}, true},
		"more members":    {linter.Finding{MoreItems: 3}, linter.Finding{MoreItems: 4}, true},
		"one, then a lot": {linter.Finding{}, linter.Finding{More: 1}, true},
	} {
		c.before.Fingerprint, c.now.Fingerprint, c.now.New = fp("f"), fp("f"), true
		head := report.Report{Servers: []report.Server{server("k", c.now)}}
		report.ApplyBaseline(&head, &report.Report{Servers: []report.Server{server("k", c.before)}}, report.BaselineOptions{})
		if head.Servers[0].Findings[0].New != c.isNew {
			t.Errorf("%s: new is %t", name, head.Servers[0].Findings[0].New)
		}
	}
}
