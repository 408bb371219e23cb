package snapshot_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// sameNode compares what Save must keep: types, texts, numbers as spelled,
// members in order. (cmp.Diff takes minutes for the depth of hostile files.)
func sameNode(a, b *snapshot.Node) error {
	if a.Type() != b.Type() || a.Text() != b.Text() || a.Number() != b.Number() || a.Len() != b.Len() {
		return fmt.Errorf("%.200s became %.200s", a.Raw(), b.Raw())
	}
	if a.Type() == snapshot.Bool && string(a.Raw()) != string(b.Raw()) {
		return fmt.Errorf("%s became %s", a.Raw(), b.Raw())
	}
	for i, m := range a.Members() {
		if other := b.Members()[i]; m.Name != other.Name {
			return fmt.Errorf("name %q became %q", m.Name, other.Name)
		} else if err := sameNode(m.Value, other.Value); err != nil {
			return err
		}
	}
	for i, n := range a.Elements() {
		if err := sameNode(n, b.Elements()[i]); err != nil {
			return err
		}
	}
	return nil
}

// facts are everything of a snapshot but nodes and places. Problems of the
// document around the entities may be gone from a saved one.
func facts(s *snapshot.Snapshot) []string {
	list := []string{fmt.Sprint(counts(s)), s.Name, s.Version, s.ProtocolVersion, fmt.Sprint(s.InstructionsKnown)}
	for e := range s.Entities() {
		list = append(list, fmt.Sprint(e.Kind, e.Name, e.Index, e.Depth))
	}
	for _, p := range s.Problems {
		if p.Entity != nil {
			list = append(list, describe(p), fmt.Sprint(p.More))
		}
	}
	return list
}

// checkRoundTrip fails unless the saved form loads back equal; it returns it.
func checkRoundTrip(t *testing.T, s *snapshot.Snapshot) []byte {
	t.Helper()
	saved := s.Save()
	again, err := snapshot.Parse("saved.json", saved)
	if err != nil {
		t.Fatalf("saved form does not load: %v\n%.2000s", err, saved)
	}
	if was, is := facts(s), facts(again); !slices.Equal(was, is) {
		t.Fatalf("loads back different:\nwas %.2000q\nis  %.2000q", was, is)
	}
	pairs := [][2]*snapshot.Node{
		{s.ServerInfo, again.ServerInfo}, {s.Capabilities, again.Capabilities}, {s.Instructions, again.Instructions},
	}
	other := slices.Collect(again.Entities())
	for e := range s.Entities() {
		pairs = append(pairs, [2]*snapshot.Node{e.Node, other[0].Node})
		other = other[1:]
	}
	for _, pair := range pairs {
		if err := sameNode(pair[0], pair[1]); err != nil {
			t.Fatalf("loads back different: %v", err)
		}
	}
	return saved
}

func TestSavedForm(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`{"instructions":"Be\u200b careful\ud83d.","protocolVersion":"2025-11-25","capabilities":{"tools":{}},
	"server":{"version":"1","name":"s","x":[]},"prompts":[{"name":"p"},3],"nextCursor":"dropped",
	"tools":[{"name":"t","description":"tab\t quote\" slash\/ caf\u00e9 \u007f \uD83D\uDE00 \udb40\udc41",
	"n":[1.0,1e3,-0,9007199254740993],"dup":1,"dup":{},"none":null,"yes":true,"empty":[]}]}`))
	want := `{
  "tools": [
    {
      "name": "t",
      "description": "tab\t quote\" slash/ café \u007f 😀 \udb40\udc41",
      "n": [
        1.0,
        1e3,
        -0,
        9007199254740993
      ],
      "dup": 1,
      "dup": {},
      "none": null,
      "yes": true,
      "empty": []
    }
  ],
  "prompts": [
    {
      "name": "p"
    },
    3
  ],
  "serverInfo": {
    "version": "1",
    "name": "s",
    "x": []
  },
  "protocolVersion": "2025-11-25",
  "capabilities": {
    "tools": {}
  },
  "instructions": "Be\u200b careful\ud83d."
}
`
	if diff := cmp.Diff(want, string(checkRoundTrip(t, s))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSaveKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`[]`, `{"tools":[]}`, `{"prompts":[],"resources":[]}`, `{"tools":[],"instructions":null}`,
		`{"tools":[],"instructions":""}`, `{"tools":[],"serverInfo":{}}`, `{"resourceTemplates":[{},null,[1,[2]]]}`,
		`{"tools":[],"tools":[{"name":"a"}],"serverInfo":{"a":1,"a":2}}`,
	} {
		checkRoundTrip(t, mustParse(t, []byte(text)))
	}
}

func TestSaveShowsEverythingHidden(t *testing.T) {
	t.Parallel()
	// The hidden set of the rule injection/hidden-unicode, and more.
	hidden := []rune{0xAD, 0x180E, 0xFEFF, 0x61C, 0x115F, 0x3164, 0x2028, 0x2029, 0x85, 0x9B, 0xFE0F, 0xE0100, 0xE01EF, 0x1D173, 0x2800, 0xFFF9}
	for _, r := range [][2]rune{{0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x2069}, {0xE0000, 0xE007F}} {
		for c := r[0]; c <= r[1]; c++ {
			hidden = append(hidden, c)
		}
	}
	text := `[{"name":"t","description":"` + string(hidden) + `"}]`
	saved := checkRoundTrip(t, mustParse(t, []byte(text)))
	for _, r := range string(saved) {
		if r > 0x7F {
			t.Errorf("U+%04X is written as itself", r)
		}
	}
	escapes := regexp.MustCompile(`\\u[0-9a-f]{4}`).FindAllString(string(saved), -1)
	above := 0
	for _, r := range hidden {
		if r > 0xFFFF {
			above++
		}
	}
	if len(escapes) != len(hidden)+above {
		t.Errorf("%d lower-case escapes for %d characters, %d of them in pairs", len(escapes), len(hidden), above)
	}
}

func TestSavedHostileNestingStaysSmall(t *testing.T) {
	t.Parallel()
	depth := 9990
	text := `[{"name":"a","x":` + strings.Repeat("[", depth) + strings.Repeat("1,", 5000) + `1` + strings.Repeat("]", depth) + `}]`
	saved := checkRoundTrip(t, mustParse(t, []byte(text)))
	if len(saved) > 12*len(text)+1<<17 {
		t.Errorf("%d bytes became %d", len(text), len(saved))
	}
}

func TestAssembledPartsParse(t *testing.T) {
	t.Parallel()
	raw := func(texts ...string) [][]byte {
		list := [][]byte{}
		for _, text := range texts {
			list = append(list, []byte(text))
		}
		return list
	}
	s := mustParse(t, snapshot.Assemble(snapshot.Parts{
		ServerInfo:      []byte(`{"name":"live","version":"3"}`),
		ProtocolVersion: []byte(`"2025-11-25"`),
		Capabilities:    []byte(`{"tools":{"listChanged":true}}`),
		Instructions:    []byte(`"Use it."`),
		Tools:           raw(`{"name":"a","name":"b","n":1.0}`, "{\n\"name\":\"c\"}"),
		Prompts:         raw(),
		Resources:       raw(`7`),
	}))
	if got := counts(s); got != [4]int{2, 0, 1, -1} {
		t.Errorf("counts %v", got)
	}
	if s.Name != "live" || s.Version != "3" || s.ProtocolVersion != "2025-11-25" || s.Instructions.Text() != "Use it." ||
		!s.Capabilities.Get("tools").Has("listChanged") {
		t.Errorf("%+v", s)
	}
	if string(s.Tools[0].Node.Raw()) != `{"name":"a","name":"b","n":1.0}` || len(s.Problems) != 1 {
		t.Errorf("tool %s, problems %+v", s.Tools[0].Node.Raw(), s.Problems)
	}
	checkRoundTrip(t, s)
}

func TestAssembledServerWithoutAnything(t *testing.T) {
	t.Parallel()
	s := mustParse(t, snapshot.Assemble(snapshot.Parts{}))
	if counts(s) != [4]int{0, -1, -1, -1} || !s.InstructionsKnown || s.Instructions != nil || s.ServerInfo != nil {
		t.Errorf("%+v", s)
	}
}

// Every real snapshot parses without a problem and loads back equal.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/corpus/*@*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no corpus of real snapshots beside the repository")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := snapshot.Parse(filepath.Base(file), data)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(s.Problems) > 0 || s.ServerInfo == nil || !s.InstructionsKnown {
			t.Errorf("%s: problems %v, server %v", file, s.Problems, s.ServerInfo.Type())
		}
		saved := checkRoundTrip(t, s)
		if again := mustParse(t, saved).Save(); !bytes.Equal(saved, again) {
			t.Errorf("%s: saved twice, not the same bytes", file)
		}
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", "cases", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	t.Run("C052 texts deep in a schema keep their pointers", func(t *testing.T) {
		t.Parallel()
		s := mustParse(t, read("C052-deep-payload.json"))
		for _, pointer := range []string{
			"/inputSchema/properties/job/properties/step/properties/note/default",
			"/inputSchema/properties/job/properties/step/$comment",
			"/inputSchema/x-hint",
		} {
			found := false
			s.Tools[0].Node.Walk(func(at func() string, n *snapshot.Node) bool {
				found = found || at() == pointer && n.IsText()
				return true
			})
			if !found || !s.Resolve(s.Tools[0], pointer).IsText() {
				t.Errorf("%s is not found", pointer)
			}
		}
		if s.Name != "sample" {
			t.Errorf("server %q", s.Name)
		}
	})
	t.Run("C079 byte order mark, CRLF and twins", func(t *testing.T) {
		t.Parallel()
		// The case is a client's file; as a snapshot its twins are those of a tool.
		text := bytes.Replace(read("C079-bom-crlf-dup.json"), []byte(`"mcpServers": {`), []byte(`"tools": [{"name":"t",`), 1)
		text = bytes.Replace(text, []byte("  }\r\n}"), []byte("  }]\r\n}"), 1)
		s := mustParse(t, text)
		if len(s.Problems) != 1 || s.Problems[0].Pointer != "/files" || s.Position(s.Problems[0].Offset) != (snapshot.Position{Line: 4, Column: 5}) {
			t.Errorf("problems %+v", s.Problems)
		}
		if first := s.Tools[0].Node.Members()[1]; s.Position(first.NameStart) != (snapshot.Position{Line: 3, Column: 5}) {
			t.Errorf("first twin at %+v", s.Position(first.NameStart))
		}
	})
	t.Run("C083 spelling is kept, texts are decoded", func(t *testing.T) {
		t.Parallel()
		data := read("C083-bytes.json")
		var sides []*snapshot.Snapshot
		for line := range bytes.Lines(data) {
			_, line, _ = bytes.Cut(line, []byte(`":`))
			line = bytes.TrimSpace(line)
			if len(sides) == 0 {
				line = bytes.TrimSuffix(line, []byte(","))
			} else {
				line = bytes.TrimSuffix(line, []byte("}"))
			}
			sides = append(sides, mustParse(t, line))
		}
		before, after := sides[0].Tools, sides[1].Tools
		if got := after[0].Text("description"); got != "Line one.\r\nLine two." {
			t.Errorf("line ends: %q", got)
		}
		if before[1].Text("description") != after[1].Text("description") {
			t.Error("escapes are not decoded")
		}
		n := after[2].Node.At("/inputSchema/properties/n")
		if n.Get("maximum").Number() != "1e3" || n.Get("minimum").Number() != "1.0" {
			t.Errorf("numbers: %s", n.Raw())
		}
		if before[3].Text("description") == after[3].Text("description") {
			t.Error("NFC and NFD must stay apart")
		}
	})
	t.Run("C095 pretty and minified positions", func(t *testing.T) {
		t.Parallel()
		// The case's own texts are a document of another kind; its members are
		// texts that hold the two snapshots.
		wrapped := slices.Concat([]byte(`[{"name":"c","case":`), read("C095-positions.json"), []byte(`}]`))
		files := mustParse(t, wrapped).Tools[0].Node.At("/case/files")
		for name, want := range map[string]snapshot.Position{"pretty.json": {Line: 4, Column: 20}, "min.json": {Line: 1, Column: 37}} {
			s := mustParse(t, []byte(files.Get(name).Text()))
			if got := s.Position(s.Tools[0].Get("description").Start()); got != want {
				t.Errorf("%s: got %+v want %+v", name, got, want)
			}
		}
	})
}
