package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// topics says which rules speak of the subjects of the open cases. A topic
// that ends with a stop stands for a whole category.
var topics = map[string][]string{
	"budget.tool":                   {"tools/large-definition"},
	"capability.hint-contradiction": {"capability/hint-contradiction"},
	"capability.hint-missing":       {"capability/missing-annotations"},
	"compat.array-items":            {"compat/array-items"},
	"compat.boolean-schema":         {"compat/boolean-schema"},
	"compat.dialect":                {"compat/dialect"},
	"compat.enum-empty-member":      {"compat/enum-empty-member"},
	"compat.enum-not-string":        {"compat/enum-not-string"},
	"compat.format":                 {"compat/format"},
	"compat.name-dot":               {"compat/tool-name"},
	"compat.object-properties":      {"compat/object-properties"},
	"compat.property-key":           {"compat/property-key"},
	"compat.recursive-ref":          {"compat/recursive-ref"},
	"compat.root-combinator":        {"compat/root-combinator"},
	"compat.tool-count":             {"compat/tool-count"},
	"compat.type-list":              {"compat/type-list"},
	"description.too-long":          {"compat/description-length", "description/too-long"},
	"injection":                     {"injection/", "injection/instruction-phrases"},
	"injection.concealment":         {"injection/instruction-phrases"},
	"injection.cross-tool":          {"injection/override-other-tools"},
	"injection.hidden-unicode":      {"injection/hidden-unicode"},
	"naming.invalid":                {"naming/invalid-tool-name"},
	"naming.mixed-script":           {"naming/mixed-script"},
	"schema.annotation-type":        {"schema/annotation-type"},
	"schema.dangling-ref":           {"schema/invalid-input-schema", "schema/invalid-output-schema"},
	"schema.default-type":           {"schema/default-mismatch"},
	"schema.invalid":                {"schema/invalid-input-schema", "schema/invalid-output-schema"},
	"schema.missing":                {"schema/missing-input-schema", "schema/invalid-input-schema"},
	"schema.missing-root-type":      {"schema/invalid-input-schema"},
	"schema.openapi-keyword":        {"schema/openapi-keyword"},
	"schema.output-root-type":       {"compat/output-root-type"},
}

// topicRules returns the rules of a topic; * is any rule.
func topicRules(t *testing.T, topic string) func(rule string) bool {
	if topic == "*" {
		return func(string) bool { return true }
	}
	ids, ok := topics[topic]
	if !ok {
		t.Fatalf("no rule for the topic %s", topic)
	}
	for _, id := range ids {
		if !strings.HasSuffix(id, "/") && !built(id) {
			t.Fatalf("%s speaks of %s, and is no rule", id, topic)
		}
	}
	return func(rule string) bool {
		return slices.ContainsFunc(ids, func(id string) bool {
			return rule == id || strings.HasSuffix(id, "/") && strings.HasPrefix(rule, id)
		})
	}
}

// openFinding is a finding by its pointer from the root of the input.
type openFinding struct{ rule, severity, at, message string }

func openFindings(s *snapshot.Snapshot, result linter.Result) []openFinding {
	var list []openFinding
	for _, f := range result.Findings {
		base := ""
		if inner, ok := strings.CutPrefix(f.Path, "/serverInfo"); ok && f.Entity.Kind == snapshot.KindServer {
			f.Path = "/server" + inner // the key of saved snapshots
		}
		if f.Entity.Kind == snapshot.KindServer && strings.HasPrefix(f.Path, "/instructions") {
			base = "/server"
		}
		for i, tool := range s.Tools {
			// Tools of one name are told apart by the place.
			if f.Entity.Kind == snapshot.KindTool && f.Entity.Name == tool.Name && covers(s, tool, f.Location) {
				base = "/tools/" + strconv.Itoa(i)
			}
		}
		list = append(list, openFinding{f.Rule, f.Severity.String(), base + f.Path, f.Message})
		for _, item := range f.Items {
			list = append(list, openFinding{f.Rule, f.Severity.String(), base + item.Path, f.Message})
		}
	}
	return list
}

func covers(s *snapshot.Snapshot, e *snapshot.Entity, at snapshot.Location) bool {
	start, next := s.Location(e.Node), s.Position(e.Node.End())
	after := at.Line > start.Line || at.Line == start.Line && at.Column >= start.Column
	return after && (at.Line < next.Line || at.Line == next.Line && at.Column <= next.Column)
}

// within reports whether a finding at pointer is about what the case names.
func within(pointer, at string) bool {
	at = strings.TrimSuffix(at, "/")
	return pointer == at || strings.HasPrefix(pointer, at+"/") || at == ""
}

// TestOpenCases plays the definitions that broke real clients or fooled (or
// were slandered by) other scanners.
func TestOpenCases(t *testing.T) {
	t.Parallel()
	type expectation struct{ Topic, Severity, At, Decoded string }
	type openCase struct {
		ID, Title, Input string
		Expect           struct {
			Must    []expectation
			MustNot []string `json:"must_not"`
			// MaxFindings bounds the findings on injection at each place in Must.
			MaxFindings int `json:"max_findings_per_payload"`
		}
	}
	for _, c := range readTable[[]openCase](t, "open-cases.json") {
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", "open", c.Input))
			if err != nil {
				t.Fatal(err)
			}
			s := mustParse(t, data)
			s.Key = "open"
			got := openFindings(s, mustLinter(t, linter.Config{}).Lint(s))
			for _, want := range c.Expect.Must {
				about := topicRules(t, want.Topic)
				if !slices.ContainsFunc(got, func(f openFinding) bool {
					return about(f.rule) && within(f.at, want.At) && slices.Contains(strings.Split(want.Severity, "|"), f.severity) &&
						strings.Contains(f.message, want.Decoded)
				}) {
					t.Errorf("missing %v in\n%v", want, got)
				}
			}
			for _, want := range c.Expect.Must {
				n := 0
				for _, f := range got {
					if strings.HasPrefix(f.rule, "injection/") && (within(f.at, want.At) || within(want.At, f.at)) {
						n++
					}
				}
				if c.Expect.MaxFindings > 0 && n > c.Expect.MaxFindings {
					t.Errorf("%d findings for the payload at %s", n, want.At)
				}
			}
			for _, not := range c.Expect.MustNot {
				not, level, _ := strings.Cut(not, ":")
				topic, at, _ := strings.Cut(not, "@")
				about := topicRules(t, topic)
				for _, f := range got {
					if about(f.rule) && within(f.at, at) && (level == "" || level == f.severity) {
						t.Errorf("%v, which must not be", f)
					}
				}
			}
		})
	}
}
