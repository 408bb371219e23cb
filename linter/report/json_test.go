package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func writeJSON(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJSONReport(t *testing.T) {
	t.Parallel()
	golden(t, "report.json", writeJSON(t, &hostileReview().Report))
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{&hostileReview().Report, &cleanReview().Report, {Version: report.FormatVersion}} {
		doc := writeJSON(t, r)
		back, err := report.ReadJSON(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, back, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(linter.Finding{})); d != "" {
			t.Errorf("-written +read:\n%s", d)
		}
		if again := writeJSON(t, back); again != doc {
			t.Errorf("not stable:\n%s", cmp.Diff(doc, again))
		}
	}
}

// Consumers index lists without asking whether they are there.
func TestJSONHasNoNullLists(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, finding("a/b", severity.Info, tool("x"), ""))
	r.Report.Servers[0].Scores.Tokens.Tools = nil
	doc := writeJSON(t, &r.Report)
	for _, list := range []string{"codes", "items", "probes", "tools", "changes"} {
		if !strings.Contains(doc, `"`+list+`": []`) {
			t.Errorf("%s is no empty list in\n%s", list, doc)
		}
	}
	if !strings.Contains(writeJSON(t, &report.Report{}), `"servers": []`) {
		t.Error("servers is no empty list")
	}
	if r.Report.Servers[0].Findings[0].Codes != nil {
		t.Error("writing changed the report")
	}
}

func TestJSONIsSafeToShowInATerminal(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	text := "日本 é \u00a0\u0085\x7f\u200b\u202e\ufeff\u2028\u3164\x1b[31m" + tags("AZ") + "<&>"
	r.Report.Servers[0].Key = text
	doc := writeJSON(t, &r.Report)
	for _, c := range doc {
		if c < ' ' && c != '\n' || c == 0x7F || c > 0x7F && !strings.ContainsRune("日本é", c) {
			t.Errorf("raw %U", c)
		}
	}
	if !strings.Contains(doc, "日本 é") || !strings.Contains(doc, `\udb40\udc41`) || !strings.Contains(doc, "<&>") {
		t.Errorf("unexpected spelling in %s", doc)
	}
	var back report.Report
	if err := json.Unmarshal([]byte(doc), &back); err != nil || back.Servers[0].Key != text {
		t.Errorf("read back as %q (%v)", back.Servers[0].Key, err)
	}
}

func TestReadJSONRefuses(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"another version": `{"version":2,"servers":[]}`,
		"no version":      `{}`,
		"unknown member":  `{"version":1,"servers":[{"name":"x"}]}`,
		"unknown level":   `{"version":1,"servers":[{"findings":[{"severity":"fatal"}]}]}`,
		"text after it":   `{"version":1}{}`,
		"no JSON":         `no`,
	} {
		if _, err := report.ReadJSON(strings.NewReader(doc)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
