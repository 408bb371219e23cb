package jsonc

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestErrorsNameThePlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"syntax", "{\n  \"a\": 1,\n  b\n}", "f.json:3:3: not JSON: invalid literal"},
		{"syntax behind others' letters", "{\n  \"é🚀\": 1, b\n}", "f.json:2:13: not JSON: invalid literal"},
		{"truncated", "{\"a\": [1", "f.json:1:9: not JSON: "},
		{"empty", " \n", "f.json:1:1: the file is empty; expected a JSON object"},
		{"only a comment", "// x", "f.json:1:1: not JSON: "},
		{"invalid UTF-8", "{\"é\": \"\xff\"}", "f.json:1:8: invalid UTF-8"},
		{"deep", strings.Repeat("[", MaxDepth+1), "f.json:1:201: nested deeper than 200 levels"},
		{"unclosed comment", "{} /* x", "not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("f.json", []byte(tt.text))
			var place *Error
			if !errors.As(err, &place) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse: %v, want an *Error with %q", err, tt.want)
			}
		})
	}
}

func TestDepthIgnoresTextsAndComments(t *testing.T) {
	t.Parallel()
	brackets := strings.Repeat("[", MaxDepth+1)
	for _, text := range []string{
		`{"a": "` + brackets + `"}`,
		`{"a": "\"` + brackets + `"}`,
		"// " + brackets + "\n{}",
		"/* " + brackets + " */ {}",
	} {
		if _, err := Parse("f", []byte(text)); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestAcceptsWhatEditorsWrite(t *testing.T) {
	t.Parallel()
	root, err := Parse("f", []byte("\ufeff// head\r\n{\"a\": [1, \"x\",], /* c */ \"b\": {\"c\": \"d\"},}\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	members, err := root.Object()
	if err != nil || len(members) != 2 || members[1].Name != "b" || members[1].Location().Line != 2 {
		t.Fatalf("members %+v, %v", members, err)
	}
	if text, err := root.Get("b").Get("c").Text(); text != "d" || err != nil {
		t.Errorf("b.c = %q, %v", text, err)
	}
	if _, err := root.Get("a").Texts(); err == nil || !strings.Contains(err.Error(), "f:2:8: a[0]: expected a text, found a number") {
		t.Errorf("a as texts: %v", err)
	}
}

// C095: a byte order mark takes no column, an emoji two.
func TestPlacesCountUTF16Units(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../linter/snapshot/testdata/cases/C095-positions.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts struct {
		Files map[string]string `json:"files"`
	}
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	root, err := Parse("f", []byte(texts.Files["emoji.jsonc"]))
	if err != nil {
		t.Fatal(err)
	}
	servers, err := root.Get("servers").Object()
	if err != nil || len(servers) != 1 {
		t.Fatalf("servers %+v, %v", servers, err)
	}
	if l := servers[0].Location(); l.Line != 3 || l.Column != 14 {
		t.Errorf("the name is at %+v, want 3:14", l)
	}
	if l := servers[0].Value.Location(); l.Line != 3 || l.Column != 19 {
		t.Errorf("the value is at %+v, want 3:19", l)
	}
}

func TestDuplicateKeyNamesBothPlaces(t *testing.T) {
	t.Parallel()
	root, err := Parse("f", []byte("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = root.Object()
	if want := "f:3:2: a: the key stands here for the second time; the first is on line 1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	valid := []string{"failOn", "failUnder", "rules"}
	for name, want := range map[string]string{
		"failon":     `did you mean "failOn"?`,
		"rule":       `did you mean "rules"?`,
		"completely": "expected one of failOn, failUnder, rules",
	} {
		if got := Suggest(name, valid); got != want {
			t.Errorf("Suggest(%q) = %s, want %s", name, got, want)
		}
	}
	if got := Suggest("completely", make([]string, 21)); got != "none of the 21 known ones is near" {
		t.Errorf("a long list: %s", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("{\"a\": [1, /* c */ \"x\",],}"))
	f.Add([]byte("// only a comment"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := Parse("f", data)
		if err != nil {
			var place *Error
			if !errors.As(err, &place) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		_, _ = root.Object()
		_, _ = root.Texts()
	})
}

// Places are right in whatever order they are asked for.
func TestPlacesInAnyOrder(t *testing.T) {
	t.Parallel()
	v, err := Parse("f", []byte("{\"a\": \"🍳\", \"b\": [1,\n 2, 3],\n\"c\": 4}"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "1:7", "b": "1:18", "c": "3:6"}
	for _, order := range []string{"abc", "cba", "bacca", "ccb"} {
		for _, name := range order {
			at := v.Get(string(name)).Location()
			if got := fmt.Sprintf("%d:%d", at.Line, at.Column); got != want[string(name)] {
				t.Errorf("%s in %s is at %s; want %s", string(name), order, got, want[string(name)])
			}
		}
	}
}
