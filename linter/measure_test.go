package linter

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

var jsonEscape = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|.)`)

// slowChars counts the characters of compact JSON step by step.
func slowChars(tb testing.TB, raw []byte) int {
	if raw == nil {
		return 0
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		tb.Fatal(err)
	}
	n := utf8.RuneCount(compact.Bytes())
	for _, escape := range jsonEscape.FindAllString(compact.String(), -1) {
		switch {
		case !strings.HasPrefix(escape, `\u`):
		case strings.ContainsAny(escape[2:3], "dD") && strings.ContainsAny(escape[3:4], "cdefCDEF"):
			n -= 6
		default:
			n -= 5
		}
	}
	return n
}

func checkMeasure(t *testing.T, document string) {
	t.Helper()
	s, err := snapshot.Parse("", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for e := range s.Entities() {
		got := measureEntity(e.Node)
		for name, sizes := range map[string][2]int{
			"whole":        {got.chars, slowChars(t, e.Node.Raw())},
			"description":  {got.description, slowChars(t, e.Get("description").Raw())},
			"inputSchema":  {got.input, slowChars(t, e.Get("inputSchema").Raw())},
			"outputSchema": {got.output, slowChars(t, e.Get("outputSchema").Raw())},
		} {
			if sizes[0] != sizes[1] {
				t.Errorf("%s of %q: %d; want %d", name, e.Node.Raw(), sizes[0], sizes[1])
			}
		}
		raw := e.Node.Raw()
		plain := !bytes.ContainsFunc(raw, func(r rune) bool { return r >= 0x7F })
		for _, escape := range jsonEscape.FindAllString(string(raw), -1) {
			plain = plain && escape[1] != 'u' && escape[1] != 'b'
		}
		if got.plain != plain {
			t.Errorf("plain is %t: %q", got.plain, raw)
		}
	}
}

func TestMeasureAgreesWithCountingStepByStep(t *testing.T) {
	t.Parallel()
	texts := []string{"", "a", "sixteen letters.", "with  two   blanks", `\\`, `\"`, `\u0041`, `\ud83c\udf0a`, `\uDC00`, `\b`, `\n`, "é", "🌊", "\x7f", "~}{:,", "€€€€€€€€"}
	for _, text := range texts {
		// At every distance from the start of a word of eight bytes.
		for shift := range 9 {
			padded := strings.Repeat("x", shift) + text + strings.Repeat("y", 17-shift)
			checkMeasure(t, "[ {\"name\" :\t\""+padded+"\",\r\n \"description\":\""+padded+`" , "inputSchema":{ "a": ["`+padded+`", 1.5 , null ] },"z":"`+text+`"}]`)
			checkMeasure(t, `[{"name":"t","description":1,"outputSchema" : "`+padded+`","description":{"`+padded+`":[ ]}}]`)
		}
	}
	checkMeasure(t, `{"prompts":[1, null, " a ", [ ], {"inputSchema" : 2}]}`)
}
