package snapshot_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func TestPositionsCountUTF16UnitsAndEveryLineEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text   string
		line, column int
	}{
		{"first line", `[{"name":"x","at":"HERE"}]`, 1, 19},
		{"LF", "[\n{\"name\":\"x\",\n  \"at\":\"HERE\"}]", 3, 8},
		{"CRLF", "[\r\n{\"name\":\"x\",\r\n  \"at\":\"HERE\"}]", 3, 8},
		{"lone CR", "[\r{\"name\":\"x\",\r  \"at\":\"HERE\"}]", 3, 8},
		{"blank lines", "[\n\n\r\n\r\r{\"name\":\"x\",\"at\":\"HERE\"}]", 6, 18},
		{"multi-byte before", "[{\"name\":\"é漢😀\",\"at\":\"HERE\"}]", 1, 22},
		{"byte order mark takes no column", "\ufeff[{\"name\":\"x\",\"at\":\"HERE\"}]", 1, 19},
		{"byte order mark and CRLF", "\ufeff[\r\n{\"name\":\"é\",\"at\":\"HERE\"}]", 2, 18},
		{"line separators of other kinds are no ends", "[{\"name\":\"\u2028\u0085\",\"at\":\"HERE\"}]", 1, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, []byte(tt.text))
			s.File = "f.json"
			got := s.Location(s.Tools[0].Get("at"))
			if want := (snapshot.Location{File: "f.json", Line: tt.line, Column: tt.column}); got != want {
				t.Errorf("got %+v want %+v", got, want)
			}
		})
	}
}

// The index has marks; every offset must still agree with plain counting.
func TestPositionOfEveryOffsetOfALongLine(t *testing.T) {
	t.Parallel()
	text := `[{"name":"` + strings.Repeat("aé漢😀", 4000) + "\"},\n" + `{"name":"` + strings.Repeat("ü", 5000) + `"}]`
	s := mustParse(t, []byte(text))
	line, column := 1, 1
	for i, r := range text {
		if got := s.Position(i); got != (snapshot.Position{Line: line, Column: column}) {
			t.Fatalf("offset %d: got %+v want %d:%d", i, got, line, column)
		}
		if column += utf16.RuneLen(r); r == '\n' {
			line, column = line+1, 1
		}
	}
	if got := s.Position(len(text)); got.Line != line || got.Column != column {
		t.Errorf("end: got %+v want %d:%d", got, line, column)
	}
	if !utf8.Valid(s.Source()) || string(s.Source()) != text {
		t.Error("the source is not what was parsed")
	}
}

func TestUnknownPlacesAreZero(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"x"}]`))
	s.File = "f.json"
	for _, offset := range []int{-1, 15, 1 << 40} {
		if got := s.Position(offset); got != (snapshot.Position{}) {
			t.Errorf("offset %d: %+v", offset, got)
		}
	}
	if got := s.Location(nil); got != (snapshot.Location{File: "f.json"}) {
		t.Errorf("nil node: %+v", got)
	}
	s.File = ""
	if got := s.Location(s.Tools[0].Node); got != (snapshot.Location{}) {
		t.Errorf("live server: %+v", got)
	}
	var empty snapshot.Snapshot
	if empty.Position(0) != (snapshot.Position{}) || empty.Source() != nil {
		t.Error("the zero Snapshot has no places")
	}
}
