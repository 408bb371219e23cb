package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/schemacheck"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// defaultMismatch finds values in a schema that the same schema refuses:
// defaults and examples, and listed or constant values that the type excludes.
// It speaks only where the refusal is certain.
var defaultMismatch = linter.Rule{
	ID:         "schema/default-mismatch",
	Title:      "Default or example that its own schema refuses",
	Why:        "Clients and forms fill in the default, and models copy examples; the server then refuses the call. A value of enum that the type excludes can never be passed.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"list_ships","description":"Lists the ships that are in the harbour now, newest arrival first, with berth and flag.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","default":"10","description":"Ships at most."}}},"annotations":{"readOnlyHint":true}}`,
	Good:       `{"name":"list_ships","description":"Lists the ships that are in the harbour now, newest arrival first, with berth and flag.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","default":10,"description":"Ships at most."}}},"annotations":{"readOnlyHint":true}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/github/copilot-cli/issues/1876", "https://json-schema.org/draft/2020-12/json-schema-validation"},
	Check: func(p *linter.Pass) {
		nulls := nullDefaults(p)
		for _, tool := range p.Tools() {
			s := surfaceOf(tool)
			for _, output := range [...]bool{false, true} {
				found, reasons := mismatches(tool, output, func(at *site) bool { return nulls == nil || !isNullDefault(at) })
				s.report(p, tool, found, func(sites []*site) linter.Finding {
					shown := make([]string, len(sites))
					for i, at := range sites[:min(len(sites), mostListed)] {
						shown[i] = fmt.Sprintf("%s of %s (%s)", at.keyword, s.labels([]*site{at}), reasons[at])
					}
					return linter.Finding{
						Message: plural(len(sites), "value") + " that the schema around refuses: " + listed(shown),
						Fix:     "Correct the value or the schema; leave a default out where the parameter may be absent.",
					}
				})
			}
		}
		if nulls == nil {
			return
		}
		sayTogether(p, severity.Warning, nulls, func(items []linter.Item) linter.Finding {
			f := linter.Finding{Fix: "Leave the default out where the parameter may be absent, or allow null beside the type."}
			subject, one := ownersOf("schema", items)
			if f.Message = subject + " have defaults of null that the types beside them exclude"; one {
				f.Message = subject + " has defaults of null that the types beside them exclude"
			}
			return f
		})
	},
}

// nullDefaults returns the defaults of null that their schemas refuse when
// many tools have some, else nil. Libraries write them for every parameter that
// may be absent, so they are one fault of the server.
func nullDefaults(p *linter.Pass) []toolFault {
	var faults []toolFault
	tools := 0
	for _, tool := range p.Tools() {
		s, before := surfaceOf(tool), len(faults)
		for _, output := range [...]bool{false, true} {
			found, _ := mismatches(tool, output, isNullDefault)
			for _, item := range s.items(found) {
				faults = append(faults, toolFault{tool: tool, path: item.Path, subject: item.Subject, severity: severity.Warning})
			}
		}
		if len(faults) > before {
			tools++
		}
	}
	if tools < sharedBy {
		return nil
	}
	return faults
}

func isNullDefault(at *site) bool {
	return at.keyword == "default" && at.value.Type() == snapshot.Null
}

// mismatches returns the wanted values that one of a tool's schemas refuses,
// and why.
func mismatches(tool *linter.Entity, output bool, wanted func(*site) bool) (found []*site, reasons map[*site]string) {
	var judge *schemacheck.Instances
	for at := range surfaceOf(tool).of(valueSite) {
		if at.output != output || !wanted(at) {
			continue
		}
		if judge == nil {
			document := tool.Get("inputSchema")
			if output {
				document = tool.Get("outputSchema")
			}
			judge = schemacheck.NewInstances(document, schemacheck.Declared(document))
			judge.Defaulted = true
		}
		if reason := refusal(judge, at); reason != "" {
			if reasons == nil {
				reasons = map[*site]string{}
			}
			found = append(found, at)
			reasons[at] = reason
		}
	}
	return found, reasons
}

// refusal says why a schema refuses a value of its own, "" when it does not.
func refusal(judge *schemacheck.Instances, at *site) string {
	switch at.keyword {
	case "default":
		return explained(judge.Check(at.value, at.schema))
	case "examples":
		for _, example := range at.value.Elements() {
			if reason := explained(judge.Check(example, at.schema)); reason != "" {
				return reason
			}
		}
	case "const":
		return excluded(at, at.value)
	case "enum":
		for _, member := range at.value.Elements() {
			if reason := excluded(at, member); reason != "" {
				return reason
			}
		}
	}
	return ""
}

func explained(r *schemacheck.Refusal) string {
	switch {
	case r == nil:
		return ""
	case r.Pointer != "":
		return "at " + quote(r.Pointer) + ": " + r.Reason
	}
	return r.Reason
}

// excluded says that the type beside it excludes a value.
func excluded(at *site, value *snapshot.Node) string {
	t := at.schema.Get("type")
	if null, _ := at.schema.Get("nullable").Bool(); null && value.Type() == snapshot.Null || schemacheck.Typed(value, t) {
		return ""
	}
	shown := "null"
	switch value.Type() {
	case snapshot.String:
		shown = quote(value.Text())
	case snapshot.Number, snapshot.Bool:
		shown = unquoted(string(value.Raw()))
	case snapshot.Array, snapshot.Object:
		shown = value.Type().String()
	}
	return "the type excludes " + shown
}
