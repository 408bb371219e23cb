package pin

import (
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"

	"github.com/mcp-lint/mcp-lint/internal/launch"
)

// Whatever the text, a literal of it says it again.
func TestLiteralsReadBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"tides@1.4.0", "@harbor/berths@0.3.0", "a b", "it's", `say "x" \ y`, "a: b", "a #b", "a:", "-x", "1", "true", "null", "~", "", " x ", "x,y", "[x]", "{x}",
		"tab\there", "line\nbreak", "\x7f", "\u0085", "\u2028", "\ufeff", "é😀", "x\\", "'", `"`, "%x", "`x`", "|", ">", "!x", "&x", "*x", "?x", "=", "<<",
	} {
		for style, read := range map[launch.Style]func(string) (string, error){
			launch.JSON:        fromJSON,
			launch.YAMLPlain:   fromYAML,
			launch.YAMLSingle:  fromYAML,
			launch.YAMLDouble:  fromYAML,
			launch.TOMLBasic:   fromTOML,
			launch.TOMLLiteral: fromTOML,
		} {
			l := literal(style, text)
			got, err := read(l)
			if err != nil || got != text {
				t.Errorf("style %d of %q is %s, which is read as %q, %v", style, text, l, got, err)
			}
		}
	}
}

func fromJSON(l string) (text string, err error) {
	err = json.Unmarshal([]byte(l), &text)
	return text, err
}

func fromYAML(l string) (string, error) {
	var list []any
	if err := yaml.Unmarshal([]byte("["+l+", x]"), &list); err != nil {
		return "", err
	}
	text, _ := list[0].(string)
	return text, nil
}

func fromTOML(l string) (string, error) {
	var v struct{ K string }
	err := toml.Unmarshal([]byte("k = "+l), &v)
	return v.K, err
}
