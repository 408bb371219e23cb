package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// annotationType finds annotations that are of another type than the
// specification has.
var annotationType = linter.Rule{
	ID:         "schema/annotation-type",
	Title:      "Annotation of the wrong type",
	Why:        "A client that checks the answer drops the whole list of tools for it; one that does not may take the text \"false\" for true.",
	Severity:   linter.Severities{Recommended: severity.Error},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":"true"}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}`,
	Since:      firstVersion,
	References: []string{hintsSpec},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		annotations := tool.Get("annotations")
		if annotations == nil {
			return
		}
		if annotations.Type() != snapshot.Object {
			p.Report(tool, "/annotations", linter.Finding{
				Message: fmt.Sprintf("annotations is %s; expected an object", shown(annotations)),
				Fix:     "Make it an object, or leave it out.",
			})
			return
		}
		for _, key := range [...]string{titleKey, readOnlyHint, destructiveHint, idempotentHint, openWorldHint} {
			value := annotations.Get(key)
			_, isBool := value.Bool()
			expected := "true or false"
			if key == titleKey {
				expected = "a text"
			}
			if value == nil || key == titleKey && value.IsText() || key != titleKey && isBool {
				continue
			}
			p.Report(tool, "/annotations/"+key, linter.Finding{
				Message: fmt.Sprintf("%s is %s; expected %s", key, shown(value), expected),
				Fix:     "Send the value in its own type, or leave it out.",
			})
		}
	},
}

// shown writes a JSON value for a message: scalars as they are, an object or
// array by its type.
func shown(n *snapshot.Node) string {
	switch n.Type() {
	case snapshot.String:
		return "the text " + quote(n.Text())
	case snapshot.Object, snapshot.Array:
		return "an " + n.Type().String()
	}
	return string(n.Raw()[:min(len(n.Raw()), longestQuote)])
}
