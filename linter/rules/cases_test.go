package rules_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// seedFinding is a finding as the case tables have it: the path is dotted.
type seedFinding struct {
	Rule     string `json:"rule"`
	Kind     string `json:"kind"`
	Entity   string `json:"entity"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
}

func readTable[T any](t *testing.T, name string) T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func mustParse(tb testing.TB, data []byte) *snapshot.Snapshot {
	tb.Helper()
	s, err := snapshot.Parse("case.json", data)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func mustLinter(tb testing.TB, c linter.Config) *linter.Linter {
	tb.Helper()
	l, err := linter.New(rules.All(), c)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// built reports whether a rule of the tables exists here.
func built(id string) bool {
	return slices.ContainsFunc(rules.All(), func(r linter.Rule) bool { return r.ID == id })
}

// seedPath writes a pointer as the second seed writes its paths: dotted, and
// with the name of a prompt's argument.
func seedPath(s *snapshot.Snapshot, f linter.Finding) string {
	tokens := strings.Split(strings.TrimPrefix(f.Path, "/"), "/")
	for i, token := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	if f.Entity.Kind == snapshot.KindPrompt && len(tokens) == 3 && tokens[0] == "arguments" {
		index, _ := strconv.Atoi(tokens[1])
		for _, e := range s.Prompts {
			if e.Name == f.Entity.Name {
				tokens[1] = e.Get("arguments").Elements()[index].Get("name").Text()
			}
		}
	}
	return strings.Join(tokens, ".")
}

func asSeed(s *snapshot.Snapshot, findings []linter.Finding) []seedFinding {
	list := []seedFinding{}
	for _, f := range findings {
		list = append(list, seedFinding{
			f.Rule, string(f.Entity.Kind), f.Entity.Name, f.Severity.String(), seedPath(s, f),
		})
	}
	return list
}

func onlyBuilt(findings []seedFinding) []seedFinding {
	list := []seedFinding{}
	for _, f := range findings {
		if built(f.Rule) {
			list = append(list, f)
		}
	}
	return list
}

// consciousDifferences are the cases of the table in which the second seed is
// wrong and preset snapshot is not: the reason, and what we expect instead.
var consciousDifferences = map[string]struct {
	reason string
	expect []seedFinding
}{
	"https spelling of draft-07 is not recognised as draft-07": {
		"both spellings name the same dialect, and draft-07 has the array form of items", []seedFinding{},
	},
	"two tools whose schemas share one $id but differ": {
		"each schema is a document of its own; what one tool is called does not spoil another", []seedFinding{},
	},
	"two tools whose schemas share one $id and are equal": {
		"as above", []seedFinding{},
	},
	"a name that every JavaScript object inherits is missed": {
		"constructor is as undeclared as any other name",
		[]seedFinding{{"schema/unknown-required", "tool", "find_recipe", "error", "inputSchema.required"}},
	},
	"zero-width joiner inside an emoji sequence": {
		"it shows the cook; the cap of 50 for it is a false alarm", []seedFinding{},
	},
	"command typed through anyOf counts as a string": {
		"a union of integer and null takes no command", []seedFinding{},
	},
}

func TestPresetSnapshotFindsWhatTheSecondSeedFinds(t *testing.T) {
	t.Parallel()
	type seedCase struct {
		Rule, Name string
		Quirk      bool
		Snapshot   json.RawMessage
		Expect     []seedFinding
		Score      int
		Grade      string
	}
	l := mustLinter(t, linter.Config{Preset: linter.SnapshotPreset})
	met := 0
	for _, c := range readTable[[]seedCase](t, "snapshot-lint-cases.json") {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			s := mustParse(t, c.Snapshot)
			result := l.Lint(s)
			want := onlyBuilt(c.Expect)
			difference, differs := consciousDifferences[c.Name]
			if differs {
				met++
				want = difference.expect
			}
			if c.Quirk && built(c.Rule) && !differs {
				t.Error("a quirk of the seed that nobody decided about")
			}
			if diff := cmp.Diff(want, asSeed(s, result.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if !differs && len(want) == len(c.Expect) {
				if got := (linter.Quality{Score: c.Score, Grade: c.Grade}); result.Quality != got {
					t.Errorf("quality %v; want %v", result.Quality, got)
				}
			}
		})
	}
	if met != len(consciousDifferences) {
		t.Errorf("%d of %d conscious differences are in the table", met, len(consciousDifferences))
	}
}

// corpusDifferences are findings of the second seed on real servers that we
// do not share, by file.
var corpusDifferences = map[string]struct {
	reason string
	not    []seedFinding
}{
	"xcodebuildmcp@2.7.0.json": {
		"tools share output schemas, $id included; the seed calls the later ones uncompilable",
		[]seedFinding{
			{"schema/invalid-output-schema", "tool", "get_file_coverage", "error", "outputSchema"},
			{"schema/invalid-output-schema", "tool", "open_sim", "error", "outputSchema"},
			{"schema/invalid-output-schema", "tool", "screenshot", "error", "outputSchema"},
			{"schema/invalid-output-schema", "tool", "session_clear_defaults", "error", "outputSchema"},
			{"schema/invalid-output-schema", "tool", "session_set_defaults", "error", "outputSchema"},
			{"schema/invalid-output-schema", "tool", "snapshot_ui", "error", "outputSchema"},
		},
	},
}

func TestPresetSnapshotAgreesOnRealServers(t *testing.T) {
	t.Parallel()
	const corpus = "../../../shared/corpus"
	data, err := os.ReadFile(filepath.Join(corpus, "second-seed-verdicts.json"))
	if err != nil {
		t.Skip("no ../shared/corpus beside the repository")
	}
	var verdicts map[string]struct{ Findings [][5]string }
	if err := json.Unmarshal(data, &verdicts); err != nil {
		t.Fatal(err)
	}
	l := mustLinter(t, linter.Config{Preset: linter.SnapshotPreset})
	for file, verdict := range verdicts {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(corpus, file))
			if err != nil {
				t.Fatal(err)
			}
			s := mustParse(t, data)
			want := []seedFinding{}
			for _, f := range verdict.Findings {
				finding := seedFinding{f[0], f[2], f[3], f[1], f[4]}
				if built(f[0]) && !slices.Contains(corpusDifferences[file].not, finding) {
					want = append(want, finding)
				}
			}
			got := asSeed(s, l.Lint(s).Findings)
			for i := range got {
				// The corpus has serverInfo, which the seed does not read: its
				// server has no name.
				if got[i].Kind == string(snapshot.KindServer) {
					got[i].Entity = "server"
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings (-seed +ours):\n%s", diff)
			}
		})
	}
}

func TestPresetAgentsFindsWhatTheFirstSeedFinds(t *testing.T) {
	t.Parallel()
	type entry struct {
		Code, Severity, Tool, Param string
	}
	type agentsCase struct {
		ID, Title   string
		Only        []string
		Snapshot    json.RawMessage
		Expect, May []entry
	}
	l := mustLinter(t, linter.Config{Preset: linter.Agents})
	ran := 0
	for _, c := range readTable[[]agentsCase](t, "agents-cases.json") {
		builtCodes := !slices.ContainsFunc(c.Only, func(code string) bool {
			return !slices.Contains([]string{"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"}, code)
		})
		if !builtCodes {
			continue
		}
		ran++
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			s := mustParse(t, generated(t, c.Snapshot))
			var got []entry
			for _, f := range l.Lint(s).Findings {
				if slices.Contains(c.Only, f.Codes[0]) {
					param := strings.TrimPrefix(f.Path, "/inputSchema/properties/")
					if param == f.Path || strings.Contains(param, "/") {
						param = ""
					}
					got = append(got, entry{f.Codes[0], f.Severity.String(), f.Entity.Name, param})
				}
			}
			matches := func(want, have entry) bool {
				return want.Code == have.Code && (want.Severity == "" || want.Severity == have.Severity) &&
					(want.Tool == "" || want.Tool == have.Tool) && (want.Param == "" || want.Param == have.Param)
			}
			for _, want := range c.Expect {
				if !slices.ContainsFunc(got, func(have entry) bool { return matches(want, have) }) {
					t.Errorf("missing %v in %v", want, got)
				}
			}
			for _, have := range got {
				if !slices.ContainsFunc(append(c.Expect, c.May...), func(want entry) bool { return matches(want, have) }) {
					t.Errorf("unexpected %v", have)
				}
			}
		})
	}
	if ran < 60 {
		t.Errorf("only %d cases ran", ran)
	}
}

// generated makes the tools that a case only counts; any other snapshot is
// returned as it is.
func generated(t *testing.T, document []byte) []byte {
	var c struct {
		Generate struct{ Tools, Tokens int }
	}
	if err := json.Unmarshal(document, &c); err != nil || c.Generate.Tools == 0 {
		return document
	}
	tools := make([]string, c.Generate.Tools)
	for i := range tools {
		tools[i] = definition(t, map[string]any{"name": "page_" + strconv.Itoa(i)}, c.Generate.Tokens/c.Generate.Tools)
	}
	return []byte("[" + strings.Join(tools, ",") + "]")
}

// definition writes a tool of so many tokens.
func definition(t *testing.T, tool map[string]any, tokens int) string {
	t.Helper()
	tool["_meta"] = map[string]string{"fill": ""}
	short, err := json.Marshal(tool)
	if err != nil {
		t.Fatal(err)
	}
	fill := 4*tokens - utf8.RuneCount(short)
	if fill < 0 {
		t.Fatalf("%s has more than %d tokens", short, tokens)
	}
	return strings.Replace(string(short), `"fill":""`, `"fill":"`+strings.Repeat("x", fill)+`"`, 1)
}
