package snapshot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// describe is a problem without its entity's address.
func describe(p snapshot.Problem) string {
	entity := "-"
	if p.Entity != nil {
		entity = string(p.Entity.Kind) + " " + p.Entity.Name
	}
	return fmt.Sprintf("%s|%s|%s|%q", p.Kind, entity, p.Pointer, p.Detail)
}

func TestFaultsOfTheTextAreProblems(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"duplicate key of a tool", `[{"name":"a","description":"x","description":"y"}]`,
			[]string{`duplicate-key|tool a|/description|"description"`}},
		{"spelled differently", `[{"name":"a","n\u0061me":"b"}]`, []string{`duplicate-key|tool b|/name|"name"`}},
		{"deep, in an array", `[{"name":"a","x":[0,{"a/b":1,"a/b":2,"a/b":3}]}]`,
			[]string{`duplicate-key|tool a|/x/1/a~1b|"a/b"`, `duplicate-key|tool a|/x/1/a~1b|"a/b"`}},
		{"lone surrogate in a text", `[{"name":"a","description":"x \uD83D y \udc00"}]`,
			[]string{`lone-surrogate|tool a|/description|"\\ud83d"`}},
		{"low before high", `[{"name":"a","d":"\ude00\ud83d"}]`, []string{`lone-surrogate|tool a|/d|"\\ude00"`}},
		{"surrogate before another escape", `[{"name":"a","d":"\ud83d\u0041"}]`, []string{`lone-surrogate|tool a|/d|"\\ud83d"`}},
		{"a pair is fine", `[{"name":"a","d":"\ud83d\ude00"}]`, nil},
		{"lone surrogate in a name", `[{"name":"a","x":{"k\ud800":1}}]`,
			[]string{"lone-surrogate|tool a|/x/k\xed\xa0\x80|" + `"\\ud800"`}},
		{"a prompt", `{"prompts":[{"name":"p","a":1,"a":1}]}`, []string{`duplicate-key|prompt p|/a|"a"`}},
		{"a resource that is only a text", `{"resources":["\udfff"]}`, []string{`lone-surrogate|resource ||"\\udfff"`}},
		{"two lists of tools: the last one counts", `{"tools":[{"name":"a","b":1,"b":1}],"tools":[{"name":"c"}]}`,
			[]string{`duplicate-key|-|/tools/0/b|"b"`, `duplicate-key|-|/tools|"tools"`}},
		{"server", `{"tools":[],"serverInfo":{"name":"a","name":"b"}}`, []string{`duplicate-key|-|/serverInfo/name|"name"`}},
		{"instructions", `{"tools":[],"instructions":"\ud800"}`, []string{`lone-surrogate|-|/instructions|"\\ud800"`}},
		{"around a JSON-RPC result", `{"jsonrpc":"2.0","id":1,"id":2,"result":{"tools":[{"name":"a","b":1,"b":1}]}}`,
			[]string{`duplicate-key|-|/id|"id"`, `duplicate-key|tool a|/b|"b"`}},
		{"64 levels are fine", `[{"name":"a","x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}]`, nil},
		{"65 levels are not", `[{"name":"a","y":[[]],"x":` + strings.Repeat(`{"a":`, 63) + `[]` + strings.Repeat("}", 63) + `}]`,
			[]string{`too-deep|tool a|/x` + strings.Repeat("/a", 63) + `|"65"`}},
		{"1,000 levels", `[{"name":"a","x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}]`,
			[]string{`too-deep|tool a|/x` + strings.Repeat("/0", 63) + `|"1001"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, []byte(tt.text))
			var got []string
			for _, p := range s.Problems {
				got = append(got, describe(p))
				if p.Entity != nil && p.Kind == snapshot.LoneSurrogate && s.Resolve(p.Entity, p.Pointer) == nil {
					t.Errorf("pointer %q does not resolve", p.Pointer)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestProblemOffsetIsThePlaceOfTheTwin(t *testing.T) {
	t.Parallel()
	text := "[{\"name\":\"a\",\n  \"x\": 1,\n  \"x\": 2,\n \"d\": \"\\ud800\"}]"
	s := mustParse(t, []byte(text))
	if len(s.Problems) != 2 {
		t.Fatalf("problems: %+v", s.Problems)
	}
	for i, want := range []snapshot.Position{{Line: 3, Column: 3}, {Line: 4, Column: 7}} {
		if got := s.Position(s.Problems[i].Offset); got != want {
			t.Errorf("problem %d at %+v, want %+v", i, got, want)
		}
	}
}

func TestLoneSurrogateSurvives(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"a","d":"x\uD83Dy\u0041\udfff\ud83d\ude00"}]`))
	if got, want := s.Tools[0].Text("d"), "x\xed\xa0\xbdyA\xed\xbf\xbf😀"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestHostileFilesCannotBlowUpTheProblems(t *testing.T) {
	t.Parallel()
	t.Run("many in one entity", func(t *testing.T) {
		t.Parallel()
		s := mustParse(t, []byte(`[{"name":"a"`+strings.Repeat(`,"x":1`, 100_001)+`}]`))
		if len(s.Problems) != 20 || s.Problems[19].More != 100_000-20 || s.Problems[18].More != 0 {
			t.Errorf("%d problems, last %+v", len(s.Problems), s.Problems[len(s.Problems)-1])
		}
	})
	t.Run("many entities", func(t *testing.T) {
		t.Parallel()
		s := mustParse(t, []byte(`[{"name":"a","name":"a"}`+strings.Repeat(`,{"name":"a","name":"a"}`, 12_344)+`]`))
		last := s.Problems[len(s.Problems)-1]
		if len(s.Problems) != 10_001 || last.Entity != nil || last.More != 2345 || last.Kind != snapshot.DuplicateKey {
			t.Errorf("%d problems, last %+v", len(s.Problems), last)
		}
	})
	t.Run("a name of a megabyte", func(t *testing.T) {
		t.Parallel()
		name := strings.Repeat("é", 1<<20)
		s := mustParse(t, []byte(`[{"name":"a","in":{"`+name+`":{"x":1,"x":2},"`+name+`":2}}]`))
		for _, p := range s.Problems {
			if p.Pointer != "/in" || len(p.Detail) > 200 {
				t.Errorf("pointer of %d bytes, detail of %d", len(p.Pointer), len(p.Detail))
			}
		}
		if len(s.Problems) != 2 {
			t.Errorf("%d problems", len(s.Problems))
		}
	})
	t.Run("as deep as it goes", func(t *testing.T) {
		t.Parallel()
		depth := 10_000 - 2
		s := mustParse(t, []byte(`[{"name":"a","x":`+strings.Repeat("[", depth)+`"\ud800"`+strings.Repeat("]", depth)+`}]`))
		if len(s.Problems) != 2 || s.Tools[0].Depth != depth+1 {
			t.Errorf("depth %d, problems %d", s.Tools[0].Depth, len(s.Problems))
		}
	})
}
