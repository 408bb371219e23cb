package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// maxToolName is the length of a tool's name in the specification.
const maxToolName = 128

// invalidToolName finds tools that the specification gives no such name. What
// single clients refuse beyond it is the business of compat/tool-name.
var invalidToolName = linter.Rule{
	ID:         "naming/invalid-tool-name",
	Title:      "Tool name that the specification does not allow",
	Why:        "Clients send the name to the model's provider as it is: a space, a slash or a length over 128 makes many of them refuse the whole list.",
	Severity:   linter.Severities{Recommended: severity.Error, Snapshot: severity.Error},
	Bad:        `{"name":"water level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{toolsSpec + "#tool-names"},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		name := tool.Ref.Name
		fault := nameFault(name)
		if fault == "" {
			return
		}
		path := ""
		if p.Preset() == linter.Recommended {
			path = "/name"
		}
		p.Report(tool, path, linter.Finding{
			Message: fmt.Sprintf("the name %s %s; expected 1 to %d letters, digits, _, . and -", quote(name), fault, maxToolName),
			Fix:     "Rename the tool" + suggestion(name) + ".",
		})
	},
}

// nameFault says what is wrong with a tool's name, "" when nothing is.
func nameFault(name string) string {
	bad := strings.IndexFunc(name, func(r rune) bool { return !inToolName(r) })
	switch {
	case name == "":
		return "is empty"
	case bad >= 0:
		_, size := utf8.DecodeRuneInString(name[bad:])
		return "has " + quote(name[bad:bad+size])
	case len(name) > maxToolName:
		return "has " + plural(len(name), "character")
	}
	return ""
}

func inToolName(r rune) bool {
	return r < utf8.RuneSelf && keyByte(byte(r))
}

// suggestion offers the nearest name that is allowed, where there is one that
// says something.
func suggestion(name string) string {
	if len(name) > maxToolName {
		return ""
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return !inToolName(r) })
	if len(parts) == 0 {
		return ""
	}
	return ", to " + strings.Join(parts, "_") + " for example"
}
