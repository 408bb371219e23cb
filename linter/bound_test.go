package linter_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// flood reports every tool a number of times at one severity.
func flood(id string, l severity.Level, times int) linter.Rule {
	return linter.Rule{ID: id, Severity: everywhere(l), CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		for i := range times {
			p.Report(tool, "", linter.Finding{Message: "m", Subject: itoa(i), Waste: 1})
		}
	}}
}

func manyTools(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,{"name":"t` + itoa(i) + `"}`)
	}
	return "[" + b.String()[1:] + "]"
}

// counted is how many findings a rule's listed ones stand for.
func counted(findings []linter.Finding, rule string) (listed, all int) {
	for _, f := range findings {
		if f.Rule == rule {
			listed++
			all += 1 + f.More
		}
	}
	return listed, all
}

func TestManyFindingsAreCountedNotListed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tools, times, listed int
		message              string // of the one that stands for others
	}{
		"few":                        {10, 500, 5_000, ""},
		"many on one tool":           {1, 501, 500, "m (and 1 more of this rule on this tool are not listed)"},
		"many tools":                 {5_002, 1, 5_000, "m (and 2 more of this rule elsewhere are not listed)"},
		"many on each of many":       {12, 501, 5_000, "m (and 1 more of this rule on this tool and 1002 elsewhere are not listed)"},
		"the last tool is cut short": {11, 499, 5_000, "m (and 489 more of this rule on this tool are not listed)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLinter(t, linter.Config{}, flood("a/b", severity.Warning, c.times))
			result := l.Lint(parse(t, manyTools(c.tools)))
			listed, all := counted(result.Findings, "a/b")
			if listed != c.listed || all != c.tools*c.times {
				t.Errorf("%d listed of %d; want %d of %d", listed, all, c.listed, c.tools*c.times)
			}
			said := c.message == ""
			for _, f := range result.Findings {
				said = said || f.Message == c.message
				if strings.Contains(f.Message, "not listed") != (f.More > 0) {
					t.Errorf("%d more: %s", f.More, f.Message)
				}
			}
			if !said {
				t.Errorf("nothing says %q", c.message)
			}
			if want := 3 * c.times; result.Tokens.Wasted != want {
				t.Errorf("%d tokens wasted; want %d", result.Tokens.Wasted, want)
			}
		})
	}
}

// What is not listed costs the same.
func TestUnlistedFindingsCountInTheScore(t *testing.T) {
	t.Parallel()
	l := newLinter(t, linter.Config{}, flood("a/b", severity.Warning, 1))
	if q := l.Lint(parse(t, manyTools(6_000))).Quality; q.Score != 92 {
		t.Errorf("score %d; want 92", q.Score)
	}
}

// Neither a flood of one severity nor one of all rules together displaces what
// is rare.
func TestAFloodHidesNothingRare(t *testing.T) {
	t.Parallel()
	rules := []linter.Rule{{ID: "a/two-faced", Severity: everywhere(severity.Info), Check: func(p *linter.Pass) {
		for range 6_000 {
			p.Report(p.Server(), "", linter.Finding{})
		}
		p.Report(p.Server(), "", linter.Finding{Severity: severity.Error, Message: "the rare one"})
	}}}
	for i := range 15 {
		rules = append(rules, flood("flood/r"+itoa(i), severity.Warning, 500))
	}
	rules = append(rules, linter.Rule{ID: "z/late", Severity: everywhere(severity.Error), Check: func(p *linter.Pass) {
		for range 200 {
			p.Report(p.Server(), "", linter.Finding{})
		}
	}})
	found := newLinter(t, linter.Config{}, rules...).Lint(parse(t, manyTools(20))).Findings
	if len(found) > 52_000 {
		t.Errorf("%d findings are listed", len(found))
	}
	rare := false
	for _, f := range found {
		rare = rare || f.Severity == severity.Error && f.Message == "the rare one"
	}
	if !rare {
		t.Error("an error is lost behind the infos of its rule")
	}
	if listed, all := counted(found, "z/late"); listed != 100 || all != 200 {
		t.Errorf("the late rule has %d listed of %d; want 100 of 200", listed, all)
	}
}

// A suppressed finding must not stand for one that counts.
func TestSuppressedAndOtherFindingsAreBoundedApart(t *testing.T) {
	t.Parallel()
	rule := linter.Rule{ID: "a/b", Severity: everywhere(severity.Warning), CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		for range 600 {
			p.Report(tool, "/x", linter.Finding{})
		}
		for range 700 {
			p.Report(tool, "/y", linter.Finding{})
		}
	}}
	l := newLinter(t, linter.Config{Suppress: []linter.Suppression{{Rule: "a/b", Path: "/x", Reason: "r"}}}, rule)
	suppressed, others := 0, 0
	for _, f := range l.Lint(parse(t, `[{"name":"t"}]`)).Findings {
		if f.Suppressed != nil {
			suppressed += 1 + f.More
		} else {
			others += 1 + f.More
		}
	}
	if suppressed != 600 || others != 700 {
		t.Errorf("%d suppressed, %d others; want 600 and 700", suppressed, others)
	}
}

func TestAGroupListsItsFirstItems(t *testing.T) {
	t.Parallel()
	rule := linter.Rule{ID: "a/b", Severity: everywhere(severity.Info), CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		items := make([]linter.Item, 501)
		for i := range items {
			items[i] = linter.Item{Path: "/x/" + itoa(i)}
		}
		p.ReportGroup(tool, "", items, func(all []linter.Item) linter.Finding {
			return linter.Finding{Message: itoa(len(all))}
		})
	}}
	f := newLinter(t, linter.Config{}, rule).Lint(parse(t, `[{"name":"t"}]`)).Findings[0]
	if f.Message != "501" || len(f.Items) != 500 || f.MoreItems != 1 || f.Items[499].Path != "/x/499" {
		t.Errorf("%s: %d items and %d more", f.Message, len(f.Items), f.MoreItems)
	}
}

// The bound must not make other fingerprints of what it lists.
func TestFingerprintsDoNotDependOnWhatIsCut(t *testing.T) {
	t.Parallel()
	few := fingerprints(t, `[{"name":"t"}]`, "k", flood("a/b", severity.Info, 500))
	many := fingerprints(t, `[{"name":"t"}]`, "k", flood("a/b", severity.Info, 800))
	if len(many) != len(few) {
		t.Fatalf("%d and %d", len(few), len(many))
	}
	for i := range few {
		if few[i] != many[i] {
			t.Fatalf("finding %d has another fingerprint", i)
		}
	}
}

// Names have no bound, and every finding repeats some.
func TestLongNamesBoundWhatIsListed(t *testing.T) {
	t.Parallel()
	const tools = 40
	long := strings.Repeat("n", 100_000)
	var b strings.Builder
	for i := range tools {
		b.WriteString(`,{"name":"` + long + itoa(i) + `"}`)
	}
	l := newLinter(t, linter.Config{}, flood("a/b", severity.Warning, 1))
	result := l.Lint(parse(t, "["+b.String()[1:]+"]"))
	if listed, all := counted(result.Findings, "a/b"); listed == 0 || listed > 12 || all != tools {
		t.Errorf("%d listed of %d; want about 1 MB of %d", listed, all, tools)
	}
}

func TestAGroupListsAMegabyteOfNoNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 30_000)
	rule := linter.Rule{ID: "a/b", Severity: everywhere(severity.Info), CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		var items []linter.Item
		for i := range 10 {
			items = append(items, linter.Item{Path: "/" + long + itoa(i)})
		}
		p.ReportGroup(tool, "", items, func([]linter.Item) linter.Finding { return linter.Finding{Message: "m", MoreItems: 7} })
	}}
	f := newLinter(t, linter.Config{}, rule).Lint(parse(t, manyTools(1))).Findings[0]
	if len(f.Items) != 2 || f.MoreItems != 15 {
		t.Errorf("%d items and %d more; want 2 and 15", len(f.Items), f.MoreItems)
	}
}

// A rule need not word what nobody lists, and may count what it has not kept.
func TestWhatIsNotListedNeedsNoWords(t *testing.T) {
	t.Parallel()
	worded := 0
	lazy := linter.Rule{ID: "a/b", Severity: everywhere(severity.Warning), CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		for range 700 {
			var f linter.Finding
			if p.Lists(tool) {
				worded++
				f.Message = "m"
			}
			p.Report(tool, "", f)
		}
		p.Report(tool, "", linter.Finding{More: 99})
	}}
	result := newLinter(t, linter.Config{}, lazy).Lint(parse(t, manyTools(2)))
	listed, all := counted(result.Findings, "a/b")
	if worded != 1000 || listed != 1000 || all != 1600 {
		t.Errorf("%d worded and listed %d of %d; want 1000 and 1000 of 1600", worded, listed, all)
	}
	for _, f := range result.Findings {
		if f.Message == "" {
			t.Fatal("a finding is listed without its message")
		}
	}
	for name, suppress := range map[string]linter.Suppression{
		"a path": {Rule: "a/b", Path: "/x", Reason: "r"},
	} {
		worded = 0
		newLinter(t, linter.Config{Suppress: []linter.Suppression{suppress}}, lazy).Lint(parse(t, manyTools(1)))
		if worded != 700 {
			t.Errorf("%s: %d worded; want all 700, for the suppression is asked for the pointer", name, worded)
		}
	}
}
