package pin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
)

// literal writes a text as a literal of a style. A text that the style cannot
// hold is written in the nearest style of the same language that can.
func literal(style launch.Style, text string) string {
	switch style {
	case launch.YAMLPlain:
		if yamlPlain.MatchString(text) && strings.ContainsAny(text, "@=") && !strings.HasSuffix(text, ":") {
			return text
		}
		return literal(launch.YAMLSingle, text)
	case launch.YAMLSingle:
		if hasControls(text) {
			return literal(launch.YAMLDouble, text)
		}
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case launch.TOMLLiteral:
		if hasControls(text) || strings.Contains(text, "'") {
			return literal(launch.TOMLBasic, text)
		}
		return "'" + text + "'"
	case launch.TOMLBasic:
		// TOML wants U+007F escaped, JSON does not.
		return strings.ReplaceAll(quoted(text), "\x7f", `\u007F`)
	}
	return quoted(text)
}

// yamlPlain are texts that are safe without quotation marks anywhere in YAML, in
// lists in brackets too: fewer than YAML allows. With an @ or = in them, which
// every exact version brings, they are no numbers or words of YAML's own.
var yamlPlain = regexp.MustCompile(`^-{0,2}[A-Za-z0-9._/][A-Za-z0-9._/@:+=~^<>!;()#-]*$`)

func hasControls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r < 0x20 || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff'
	})
}

// quoted is a text in double quotation marks with JSON's escapes, which YAML and
// TOML share.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(fmt.Sprintf("a text that cannot be encoded: %v", err)) // there is none
	}
	return strings.TrimSuffix(b.String(), "\n")
}
