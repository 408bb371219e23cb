package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
)

// The inputs in testdata/cases are from public reports of what broke for users
// of such programs: how findings are told apart over time, known, silenced.

func readCase(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// folder is a folder to be checked.
type folder struct {
	t   *testing.T
	dir string
}

func newFolder(t *testing.T) folder { return folder{t, t.TempDir()} }

func (f folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// write writes a file: text as it is, anything else as JSON.
func (f folder) write(name string, content any) string {
	f.t.Helper()
	text, ok := content.(string)
	if !ok {
		b, err := json.Marshal(content)
		if err != nil {
			f.t.Fatal(err)
		}
		text = string(b)
	}
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// only turns every rule off but these, whatever rules there will be.
func only(ids ...string) map[string]any {
	off := map[string]string{}
	for _, r := range rules.All() {
		if !slices.Contains(ids, r.ID) {
			off[r.ID] = "off"
		}
	}
	return map[string]any{"rules": off}
}

// reported runs the program with --format json.
func reported(t *testing.T, code int, args ...string) *report.Report {
	t.Helper()
	got, stdout, stderr := mcpLint(t, "", append(args, "--format", "json")...)
	if got != code {
		t.Fatalf("%q: exit %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	r, err := report.ReadJSON(strings.NewReader(stdout))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func allFindings(r *report.Report) (all []linter.Finding) {
	for _, s := range r.Servers {
		all = append(all, s.Findings...)
	}
	return all
}

// undescribed is a tool with a description and a parameter without.
func undescribed(name string) map[string]any {
	return map[string]any{
		"name": name, "description": goodText,
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"q": map[string]any{"type": "string"}}},
	}
}

// A fingerprint depends on rule, server, tool and pointer, on no line.
func TestC094Fingerprints(t *testing.T) {
	t.Parallel()
	var c struct{ Before, After json.RawMessage }
	readCase(t, "C094-fingerprints.json", &c)
	f := newFolder(t)
	// Every preset has rules of its own about the tool, with and without groups.
	for _, preset := range linter.Presets() {
		fingerprints := func(config string, tools json.RawMessage) map[string]string {
			f.write("tools.json", string(tools))
			f.write(".mcp-lint.json", config)
			_, sarif, _ := mcpLint(t, "", "ci", "--sandbox=none", "--format", "sarif", f.dir)
			_, text, _ := mcpLint(t, "", "ci", "--sandbox=none", "--format", "json", f.dir)
			r, err := report.ReadJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			byFinding := map[string]string{}
			used := map[string]bool{}
			for _, found := range allFindings(r) {
				if found.Entity.Name != "zeta" {
					continue
				}
				prints := []string{found.Fingerprint}
				at := found.Rule + found.Path + found.Message
				if len(found.Items) > 0 {
					at = found.Rule + found.Path // names them in the tool's order
				}
				byFinding[at] = found.Fingerprint
				for _, item := range found.Items {
					prints = append(prints, item.Fingerprint)
					byFinding[at+item.Path] = item.Fingerprint
				}
				for _, p := range prints {
					if used[p] {
						t.Errorf("%s: two findings have the fingerprint %s", preset, p)
					}
					used[p] = true
				}
				if !strings.Contains(sarif, `"primaryLocationLineHash": "`+found.Fingerprint+`:1"`) {
					t.Errorf("%s: SARIF lacks the fingerprint of %s", preset, at)
				}
			}
			if len(byFinding) < 2 {
				t.Fatalf("%s: findings %v", preset, byFinding)
			}
			return byFinding
		}
		before := fingerprints(`{"extends":"`+string(preset)+`","servers":{"own":{"from":"tools.json"}}}`, c.Before)
		after := fingerprints("// reformatted\n{\n\n  \"servers\": {\n    \"own\": {\n      \"from\": \"tools.json\",\n    },\n  },\n  \"extends\": \""+string(preset)+"\",\n}\n", c.After)
		for at, was := range before {
			if after[at] != was {
				t.Errorf("%s: %s: %s, then %q", preset, at, was, after[at])
			}
		}
	}
}

// 27 known findings, moved, and a new one: only that fails the run.
func TestC097Baseline(t *testing.T) {
	t.Parallel()
	var c struct {
		Baseline []struct{ Topic, Tool, At string }
		Shift    int                            `json:"now_shifted_by_lines"`
		Extra    []struct{ Topic, Tool string } `json:"now_extra"`
	}
	readCase(t, "C097-baseline.json", &c)
	var before, now []any
	for _, known := range c.Baseline {
		if known.Topic != "schema.missing-param-description" || known.At != "/inputSchema/properties/q" {
			t.Fatalf("unexpected %+v", known)
		}
		before = append(before, undescribed(known.Tool))
	}
	for _, extra := range c.Extra {
		if extra.Topic != "description.missing" {
			t.Fatalf("unexpected %+v", extra)
		}
		now = append(now, map[string]any{"name": extra.Tool, "inputSchema": map[string]any{"type": "object"}})
	}
	shifted := func(tools []any) string {
		b, err := json.Marshal(tools)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Repeat("\n", c.Shift) + string(b)
	}
	f := newFolder(t)
	config := f.write("rules.json", only("schema/missing-param-description", "description/missing"))
	tools := f.write("tools.json", before)
	base := f.path("base.json")
	check := func(args ...string) []string {
		return append([]string{"check", "-c", config, "--fail-on", "info", tools}, args...)
	}
	reported(t, 1, check("--json", base)...)

	counts := func(r *report.Report) (fresh, known int) {
		for _, found := range allFindings(r) {
			if found.New {
				fresh++
			} else {
				known++
			}
		}
		return fresh, known
	}
	if fresh, known := counts(reported(t, 0, check("--baseline", base)...)); fresh != 0 || known != 27 {
		t.Errorf("unchanged: %d new, %d known", fresh, known)
	}
	f.write("tools.json", shifted(append(now, before...)))
	r := reported(t, 1, check("--baseline", base)...)
	if fresh, known := counts(r); fresh != 1 || known != 27 || r.Baseline.Known != 27 || r.Baseline.Source != base {
		t.Errorf("%d new, %d known, %+v", fresh, known, r.Baseline)
	}
	code, stdout, stderr := mcpLint(t, "", check("--baseline", base)...)
	if code != 1 || !strings.Contains(stdout, "(27 known)") || strings.Contains(stdout, "tool t0\n") || !strings.Contains(stdout, "tool t_new\n") || stderr != "" {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}

	// One more of the same on the same tool is new.
	f.write("tools.json", append(slices.Clone(before), before[0]))
	if fresh, known := counts(reported(t, 1, check("--baseline", base)...)); fresh != 1 || known != 27 {
		t.Errorf("a second equal finding: %d new, %d known", fresh, known)
	}

	// What is mended is offered for removal, and the run passes.
	f.write("tools.json", before[2:])
	r = reported(t, 0, check("--baseline", base)...)
	if len(r.Baseline.Fixed) != 2 || r.Baseline.Fixed[0].Entity.Name != "t0" || r.Baseline.Known != 25 {
		t.Errorf("fixed: %+v", r.Baseline)
	}
	_, _, stderr = mcpLint(t, "", check("--baseline", base, "--json", base)...)
	if want := "mcp-lint: " + base + ": fixed since then: 2; --json " + base + " writes it without them\n"; stderr != want {
		t.Errorf("said %q, want %q", stderr, want)
	}
	if r = reported(t, 0, check("--baseline", base)...); r.Baseline.Known != 25 || len(r.Baseline.Fixed) != 0 {
		t.Errorf("written anew: %+v", r.Baseline)
	}

	// The base's tree in place of a report.
	for name, tools := range map[string]any{"base": before, "head": append(now, before...)} {
		own := only("schema/missing-param-description", "description/missing")
		own["servers"], own["failOn"] = map[string]any{"own": map[string]string{"from": "tools.json"}}, "info"
		f.write(name+"/.mcp-lint.json", own)
		f.write(name+"/tools.json", tools)
	}
	r = reported(t, 1, "ci", "--sandbox=none", "--base", f.path("base"), f.path("head"))
	if fresh, known := counts(r); fresh != 1 || known != 27 || r.Baseline == nil || r.Baseline.Known != 27 || r.Summary.Passed {
		t.Errorf("ci: %d new, %d known, %+v", fresh, known, r.Baseline)
	}
}

// A suppression is for one rule, server, tool and text, has a reason and may
// have an end; what it silences stays in the reports.
func TestC098Suppress(t *testing.T) {
	t.Parallel()
	var c struct {
		Today    string
		Suppress []struct {
			Topic, Tool, Reason, Until string
			Hash                       string `json:"text_hash"`
		}
		Findings []string
	}
	readCase(t, "C098-suppress.json", &c)
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const rule, hidden = "injection/hidden-unicode", goodText + "\U000E0068\U000E0069"
	var tools []any
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		text := goodText
		if slices.Contains(c.Findings, "injection@"+name) {
			text = hidden
		}
		tools = append(tools, map[string]any{"name": name, "description": text, "inputSchema": map[string]any{"type": "object"}})
	}
	f := newFolder(t)
	path := f.write("tools.json", tools)
	config := only(rule, "config/expired-suppression", "config/unused-suppression")
	var complete, all []any
	for _, s := range c.Suppress {
		entry := map[string]string{"rule": rule, "entity": "tool:" + s.Tool, "path": "/description"}
		if s.Reason != "" {
			entry["reason"] = s.Reason
		}
		if s.Until != "" { // as far from today as in the case
			entry["until"] = time.Now().Add(day(s.Until).Sub(day(c.Today))).Format(time.DateOnly)
		}
		switch s.Hash {
		case "matches": // as people find it out: from what the program says
			entry["textSha256"] = strings.Repeat("0", 64)
			config["suppress"] = []any{entry}
			_, stdout, _ := mcpLint(t, "", "check", "-c", f.write("c.json", config), "--format", "json", path)
			_, after, found := strings.Cut(stdout, "set textSha256 to ")
			if !found {
				t.Fatalf("the program does not say which hash the text has:\n%s", stdout)
			}
			entry["textSha256"] = after[:64]
		case "differs":
			entry["textSha256"] = strings.Repeat("0", 64)
		}
		all = append(all, entry)
		if s.Reason != "" {
			complete = append(complete, entry)
		}
	}

	config["suppress"] = all
	code, stdout, stderr := mcpLint(t, "", "check", "-c", f.write("c.json", config), path)
	if code != 2 || stdout != "" || !strings.Contains(stderr, "suppress[4]: expected the key reason") {
		t.Errorf("an entry without a reason: exit %d, %q", code, stderr)
	}

	config["suppress"] = complete
	args := []string{"check", "-c", f.write("c.json", config), path}
	var got []string
	for _, found := range allFindings(reported(t, 1, args...)) {
		line := found.Severity.String() + " " + found.Rule + " " + found.Entity.Name
		if found.Entity.Kind == "server" {
			line = found.Severity.String() + " " + found.Rule + " " + found.Message[:len("suppress[0]")]
		}
		if found.Suppressed != nil {
			line += ": " + found.Suppressed.Reason
		}
		got = append(got, line)
	}
	slices.Sort(got)
	if want := []string{
		"error " + rule + " a: reviewed, documents a tag",
		"error " + rule + " b",
		"error " + rule + " c",
		"error " + rule + " e",
		"warning config/expired-suppression suppress[2]",
		"warning config/unused-suppression suppress[1]", // for another text
		"warning config/unused-suppression suppress[3]",
	}; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, sarif, _ := mcpLint(t, "", append(args, "--format", "sarif")...)
	if strings.Count(sarif, `"suppressions"`) != 1 || !strings.Contains(sarif, "reviewed, documents a tag") {
		t.Error("SARIF does not hold the suppressed finding as suppressed")
	}

	// The text changes: the suppression ends, for a baseline too. What was
	// silenced never was accepted.
	base := f.path("base.json")
	mcpLint(t, "", append(args, "--json", base)...)
	text := strings.Replace(hidden, "harbour", "port", 1)
	tools[0] = map[string]any{"name": "a", "description": text, "inputSchema": map[string]any{"type": "object"}}
	f.write("tools.json", tools)
	for _, found := range allFindings(reported(t, 1, append(args, "--baseline", base)...)) {
		isA := found.Rule == rule && found.Entity.Name == "a"
		if isA != found.New && found.Entity.Kind == "tool" || isA && found.Suppressed != nil {
			t.Errorf("%s on %s: new %v, suppressed %v", found.Rule, found.Entity.Name, found.New, found.Suppressed)
		}
	}
}

// Equal names in two places of a repository are two servers.
func TestC103Monorepo(t *testing.T) {
	t.Parallel()
	var c struct {
		Files   map[string]json.RawMessage
		Changed []string
	}
	readCase(t, "C103-monorepo.json", &c)
	f := newFolder(t)
	config := f.write("rules.json", only("schema/missing-param-description", "description/missing"))
	var saved []string
	for name := range c.Files { // what each of the two servers says
		saved = append(saved, f.write(filepath.Dir(name)+"/files.json", []any{undescribed("read")}))
	}
	slices.Sort(saved)
	base := f.path("base.json")
	args := append([]string{"check", "-c", config}, saved...)
	r := reported(t, 0, append(args, "--json", base)...)
	all := allFindings(r)
	if len(r.Servers) != 2 || r.Servers[0].Key == r.Servers[1].Key || len(all) != 2 || all[0].Fingerprint == all[1].Fingerprint {
		t.Fatalf("not told apart: %+v", all)
	}

	// Only one of the two changes, and only that is new.
	for _, name := range c.Changed {
		f.write(filepath.Dir(name)+"/files.json", []any{undescribed("read"), map[string]any{"name": "more", "inputSchema": map[string]any{"type": "object"}}})
	}
	r = reported(t, 1, append(args, "--baseline", base)...)
	for _, s := range r.Servers {
		changed := slices.ContainsFunc(c.Changed, func(name string) bool { return f.path(filepath.Dir(name)+"/files.json") == s.Key })
		if fresh := slices.ContainsFunc(s.Findings, func(f linter.Finding) bool { return f.New }); fresh != changed {
			t.Errorf("%s: changed %v, new findings %v", s.Key, changed, fresh)
		}
	}
	// A run over one of them says nothing about the other.
	if r = reported(t, 0, "check", "-c", config, saved[1], "--baseline", base); len(r.Baseline.Fixed) != 0 || r.Baseline.Known != 1 {
		t.Errorf("%+v", r.Baseline)
	}
}
