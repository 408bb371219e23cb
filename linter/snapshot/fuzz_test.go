package snapshot_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// FuzzParse: an answer is an error with a place, or a snapshot that loads back
// equal, of a text that encoding/json takes too.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`[{"name":"t","description":"x\ud83d","a":{"b":[1.0,-0e-1,true,null]}}]`,
		`{"tools":[{"name":"a","name":"b"}],"prompts":[{"name":"p","\ud800":1}],"resources":[1],"resourceTemplates":[],"serverInfo":{"name":"s"},"instructions":null}`,
		`{"jsonrpc":"2.0","result":{"tools":[{"name":"` + "\u200b\U000E0041" + `"}],"server":{},"instructions":"\u0000\r\n"}}`,
		"\ufeff{\r\n\"tools\"\r:[],\"tools\":[{\"name\":\"\"}]}",
		`[{"name":"a","x":` + strings.Repeat(`[{"":`, 40) + `1` + strings.Repeat(`}]`, 40) + `}]`,
		`{"tools":[`, "\xff\xfe", "[\"\x00\"]", `[{"name":"a"` + strings.Repeat(`,"k":1`, 40) + `}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := snapshot.Parse("f", data)
		if err != nil {
			var place *snapshot.ParseError
			if !errors.As(err, &place) || strings.ContainsAny(err.Error(), "\n\x1b") || !utf8.ValidString(err.Error()) {
				t.Fatalf("%q", err)
			}
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(string(data), "\ufeff"))) {
			t.Fatal("accepted what is no JSON")
		}
		for _, p := range s.Problems {
			if s.Position(p.Offset).Line == 0 {
				t.Errorf("problem without a place: %+v", p)
			}
		}
		checkPlaces(t, s)
		checkRoundTrip(t, s)
	})
}

// checkPlaces fails unless every node is where it says and resolves from its
// pointer to a node of the same type (equal names: to the last of them).
func checkPlaces(t *testing.T, s *snapshot.Snapshot) {
	t.Helper()
	for e := range s.Entities() {
		e.Node.Walk(func(pointer func() string, n *snapshot.Node) bool {
			if string(s.Source()[n.Start():n.End()]) != string(n.Raw()) || !json.Valid(n.Raw()) {
				t.Fatalf("%s is at the wrong place", pointer())
			}
			if s.Resolve(e, pointer()) == nil && len(s.Problems) == 0 {
				t.Fatalf("%s does not resolve", pointer())
			}
			return true
		})
	}
}

// Visible leaves nothing unprintable and changes nothing that it has made.
func FuzzVisible(f *testing.F) {
	f.Add("a\u202e\xed\xa0\x80\xff👩\u200d💻 1\ufe0f\u20e3\n")
	f.Fuzz(func(t *testing.T, text string) {
		once := snapshot.Visible(text)
		if !utf8.ValidString(once) || strings.ContainsAny(once, "\n\r\t\x00\x1b\u202e\u2066\u200b") {
			t.Fatalf("%q", once)
		}
		if twice := snapshot.Visible(once); twice != once {
			t.Fatalf("%q became %q", once, twice)
		}
	})
}
