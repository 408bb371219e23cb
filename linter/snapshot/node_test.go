package snapshot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func TestNodeKeepsWhatWasWritten(t *testing.T) {
	t.Parallel()
	text := `[ {"name":"t", "n": -1.50E+03, "big":9007199254740993,"yes":true,"no":false,"nothing":null,
	"x-unknown":[ 1 , "a\/b\u0041\n" ],"obj":{"k":{}},"k\u0065y":1} ]`
	n := mustParse(t, []byte(text)).Tools[0].Node
	for _, tt := range []struct {
		key  string
		typ  snapshot.Type
		raw  string
		size int
	}{
		{"name", snapshot.String, `"t"`, 0},
		{"n", snapshot.Number, `-1.50E+03`, 0},
		{"big", snapshot.Number, `9007199254740993`, 0},
		{"yes", snapshot.Bool, `true`, 0},
		{"nothing", snapshot.Null, `null`, 0},
		{"x-unknown", snapshot.Array, `[ 1 , "a\/b\u0041\n" ]`, 2},
		{"obj", snapshot.Object, `{"k":{}}`, 1},
		{"key", snapshot.Number, `1`, 0},
	} {
		m := n.Get(tt.key)
		if m.Type() != tt.typ || string(m.Raw()) != tt.raw || m.Len() != tt.size {
			t.Errorf("%s: %v %s %d", tt.key, m.Type(), m.Raw(), m.Len())
		}
		if text[m.Start():m.End()] != tt.raw {
			t.Errorf("%s: offsets %d %d", tt.key, m.Start(), m.End())
		}
	}
	if got := n.Get("n").Number(); got != "-1.50E+03" {
		t.Errorf("number = %q", got)
	}
	if v, ok := n.Get("yes").Bool(); !v || !ok {
		t.Error("true is not true")
	}
	if v, ok := n.Get("no").Bool(); v || !ok {
		t.Error("false is not false")
	}
	if got := n.Get("x-unknown").Elements()[1].Text(); got != "a/bA\n" {
		t.Errorf("text = %q", got)
	}
	if m := n.Members()[1]; m.Name != "n" || text[m.NameStart] != '"' || text[m.NameStart+1] != 'n' {
		t.Errorf("member %+v", m)
	}
	if !n.Has("nothing") || n.Has("nope") {
		t.Error("Has: null counts as present")
	}
}

func TestNilNodeStandsForAbsence(t *testing.T) {
	t.Parallel()
	var n *snapshot.Node
	v, ok := n.Bool()
	if n.Type() != snapshot.Missing || n.Text() != "" || n.IsText() || v || ok || n.Number() != "" || n.Len() != 0 ||
		n.Get("a").Get("b") != nil || n.Has("a") || n.Members() != nil || n.Elements() != nil || n.Raw() != nil ||
		n.Start() != 0 || n.End() != 0 || n.Depth() != 0 || n.At("/a") != nil {
		t.Error("a nil node must be empty in every way")
	}
	n.Walk(func(func() string, *snapshot.Node) bool { t.Error("nothing to walk"); return true })
	var e *snapshot.Entity
	if e.Get("x") != nil || e.Text("x") != "" {
		t.Error("a nil entity must be empty")
	}
}

// A large object is searched by an index, a small one is not; both must agree.
func TestGetTakesTheLastOfEqualNames(t *testing.T) {
	t.Parallel()
	for _, size := range []int{3, 32, 33, 1000} {
		var b strings.Builder
		b.WriteString(`[{"name":"t"`)
		for i := range size {
			fmt.Fprintf(&b, `,"k%d":%d`, i, i)
		}
		b.WriteString(`,"k1":"last"}]`)
		s := mustParse(t, []byte(b.String()))
		n := s.Tools[0].Node
		if got := n.Get("k1").Text(); got != "last" {
			t.Errorf("size %d: k1 = %s", size, n.Get("k1").Raw())
		}
		for i := 2; i < size; i++ {
			if got := n.Get(fmt.Sprint("k", i)).Number(); got != fmt.Sprint(i) {
				t.Errorf("size %d: k%d = %q", size, i, got)
			}
		}
		for _, absent := range []string{"", "a", "k", "k00", "zzz"} {
			if n.Has(absent) {
				t.Errorf("size %d: has %q", size, absent)
			}
		}
		if n.Len() != size+2 || len(s.Problems) != 1 || s.Problems[0].Pointer != "/k1" {
			t.Errorf("size %d: len %d problems %+v", size, n.Len(), s.Problems)
		}
	}
}

func TestWalkVisitsEverythingWithItsPointer(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"t","a/b":{"~":[1,{"":2}]},"skip":{"x":1},"a/b":3}]`))
	var got []string
	s.Tools[0].Node.Walk(func(pointer func() string, n *snapshot.Node) bool {
		got = append(got, pointer())
		return !strings.HasSuffix(pointer(), "/skip")
	})
	want := []string{"", "/name", "/a~1b", "/a~1b/~0", "/a~1b/~0/0", "/a~1b/~0/1", "/a~1b/~0/1/", "/skip", "/a~1b"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"t","a/b":{"~":[1,{"":2}]},"0":"zero","~1":"tilde one"}]`))
	e := s.Tools[0]
	for pointer, want := range map[string]string{
		"": string(e.Node.Raw()), "/a~1b/~0/0": "1", "/a~1b/~0/1/": "2", "/0": `"zero"`, "/~01": `"tilde one"`,
		"name": "", "/a~1b/~0/00": "", "/a~1b/~0/-": "", "/a~1b/~0/2": "", "/a~1b/~0/+1": "", "/name/x": "", "/nope": "", "/": "",
	} {
		if got := string(s.Resolve(e, pointer).Raw()); got != want {
			t.Errorf("%q: got %q want %q", pointer, got, want)
		}
	}
	for _, tt := range [][3]string{{"/x/~0a~1b/3", "x", "/~0a~1b/3"}, {"/~0a~1b/3", "~a/b", "/3"}, {"/3", "3", ""}, {"/a/", "a", "/"}, {"/~01", "~1", ""}, {"", "", ""}} {
		if token, rest := snapshot.CutToken(tt[0]); token != tt[1] || rest != tt[2] {
			t.Errorf("%q is %q and %q; want %q and %q", tt[0], token, rest, tt[1], tt[2])
		}
	}
	if p := snapshot.AppendIndex(snapshot.AppendPointer("/x", "~a/b"), 3); p != "/x/~0a~1b/3" {
		t.Errorf("pointer = %q", p)
	}
	if s.Resolve(nil, "/a") != nil {
		t.Error("no entity, no node")
	}
}
