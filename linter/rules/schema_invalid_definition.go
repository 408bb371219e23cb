package rules

import (
	"fmt"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// invalidDefinition finds entities that are not what the protocol says: the
// second seed ends with an internal error on most of them. Schemas and
// annotations of tools have rules of their own.
var invalidDefinition = linter.Rule{
	ID:       "schema/invalid-definition",
	Title:    "Definition that is not what the protocol says",
	Why:      "Clients check a list as a whole: one null where a text belongs, and the model gets no prompt, resource or tool of this server at all.",
	Severity: linter.Severities{Recommended: severity.Error},
	Bad:      `{"prompts":[{"name":"plan_voyage","description":"Plans a voyage between two ports.","arguments":[{"name":"from","description":"Port of departure.","required":"yes"}]}]}`,
	Good:     `{"prompts":[{"name":"plan_voyage","description":"Plans a voyage between two ports.","arguments":[{"name":"from","description":"Port of departure.","required":true}]}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/schema",
		"https://modelcontextprotocol.io/specification/2025-11-25/server/prompts",
		"https://modelcontextprotocol.io/specification/2025-11-25/server/resources",
	},
	CheckTool: checkDefinition,
	Check: func(p *linter.Pass) {
		for _, e := range p.Entities() {
			if e.Ref.Kind != snapshot.KindTool {
				checkDefinition(p, e)
			}
		}
	},
}

// field is a member of a definition and what it must be.
type field struct {
	key      string
	is       snapshot.Type
	required bool
}

// fields are the members of each kind that the protocol knows and no other
// rule looks at.
var fields = map[snapshot.Kind][]field{
	snapshot.KindTool: {
		{"title", snapshot.String, false}, {"description", snapshot.String, false},
		{"icons", snapshot.Array, false}, {"_meta", snapshot.Object, false},
	},
	snapshot.KindPrompt: {
		{"name", snapshot.String, true}, {"title", snapshot.String, false}, {"description", snapshot.String, false},
		{"arguments", snapshot.Array, false}, {"icons", snapshot.Array, false}, {"_meta", snapshot.Object, false},
	},
	snapshot.KindResource: {
		{"uri", snapshot.String, true}, {"name", snapshot.String, true}, {"title", snapshot.String, false},
		{"description", snapshot.String, false}, {"mimeType", snapshot.String, false}, {"size", snapshot.Number, false},
		{"annotations", snapshot.Object, false}, {"icons", snapshot.Array, false}, {"_meta", snapshot.Object, false},
	},
	snapshot.KindResourceTemplate: {
		{"uriTemplate", snapshot.String, true}, {"name", snapshot.String, true}, {"title", snapshot.String, false},
		{"description", snapshot.String, false}, {"mimeType", snapshot.String, false},
		{"annotations", snapshot.Object, false}, {"icons", snapshot.Array, false}, {"_meta", snapshot.Object, false},
	},
}

// argumentFields are the members of a prompt's argument.
var argumentFields = []field{
	{"name", snapshot.String, true}, {"title", snapshot.String, false},
	{"description", snapshot.String, false}, {"required", snapshot.Bool, false},
}

// maxFaults is how many faults of one entity are reported.
const maxFaults = 20

// fault is one thing that is wrong with a definition.
type fault struct{ path, subject, message string }

// faultList collects the faults of one entity. Only those that are reported are
// kept, the rest is counted.
type faultList struct {
	kept  []fault
	total int
}

func (l *faultList) add(path, subject, message string) {
	if l.total++; l.total <= maxFaults {
		l.kept = append(l.kept, fault{path, subject, message})
	}
}

func checkDefinition(p *linter.Pass, e *linter.Entity) {
	var found faultList
	kind := kindNames[e.Ref.Kind]
	if n := e.Node(); n.Type() != snapshot.Object {
		found.add("", "", fmt.Sprintf("the %s must be an object; found %s", kind, n.Type()))
	} else {
		found.members(n, "", "the "+kind, fields[e.Ref.Kind])
	}
	if e.Ref.Kind == snapshot.KindPrompt {
		found.arguments(e.Get("arguments").Elements())
	}
	for i, f := range found.kept {
		if i == maxFaults-1 && found.total > maxFaults {
			f.message += fmt.Sprintf(" (and %s not listed)", plural(found.total-maxFaults, "fault"))
		}
		p.Report(e, f.path, linter.Finding{
			Message: f.message,
			Fix:     "Send what the protocol's schema says, and leave out what there is not instead of sending null.",
			Subject: f.subject,
		})
	}
}

// kindNames are the words for one entity of a kind.
var kindNames = map[snapshot.Kind]string{
	snapshot.KindTool:             "tool",
	snapshot.KindPrompt:           "prompt",
	snapshot.KindResource:         "resource",
	snapshot.KindResourceTemplate: "resource template",
}

func (l *faultList) members(n *snapshot.Node, at, label string, fields []field) {
	for _, f := range fields {
		value := n.Get(f.key)
		switch {
		case value == nil && !f.required || value.Type() == f.is && !f.required:
		case value == nil:
			l.add(at+"/"+f.key, f.key, fmt.Sprintf("%s has no %q; expected %s", label, f.key, f.is))
		case value.Type() != f.is:
			l.add(at+"/"+f.key, f.key, fmt.Sprintf("%q of %s must be %s; found %s", f.key, label, f.is, value.Type()))
		case linter.IsBlank(value.Text()):
			l.add(at+"/"+f.key, f.key, fmt.Sprintf("%q of %s is blank", f.key, label))
		}
	}
}

// arguments looks at the arguments of a prompt.
func (l *faultList) arguments(arguments []*snapshot.Node) {
	for i, argument := range arguments {
		at := snapshot.AppendIndex("/arguments", i)
		label := "argument " + strconv.Itoa(i+1)
		if argument.Type() != snapshot.Object {
			l.add(at, "", fmt.Sprintf("%s must be an object; found %s", label, argument.Type()))
			continue
		}
		l.members(argument, at, label, argumentFields)
	}
}
