package lockfile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A title that a generator makes of a name holds no word that is not in the
// name, which a model reads anyway. Every other title is a text.
func TestGeneratedTitles(t *testing.T) {
	t.Parallel()
	in := func(schema string) string { return `{"tools":[{"name":"git_add","inputSchema":` + schema + `}]}` }
	tools := func(schema, other string) string {
		return `{"tools":[{"name":"git_add","inputSchema":` + schema + `},{"name":"` + other + `"}]}`
	}
	p := func(name, schema string) string {
		return in(`{"type":"object","properties":{"` + name + `":` + schema + `}}`)
	}
	const echo = "info additive schema_equivalent /inputSchema: titles that only repeat names were added, removed or changed"
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{
			"added to a parameter", p("repo_path", `{"type":"string"}`), p("repo_path", `{"type":"string","title":"Repo Path"}`),
			[]string{echo},
		},
		{
			"removed", p("maxLength", `{"type":"string","title":"Max Length"}`), p("maxLength", `{"type":"string"}`),
			[]string{echo},
		},
		{
			"of the whole", in(`{"type":"object","title":"GitAdd"}`), in(`{"type":"object","title":"git_add Arguments"}`),
			[]string{echo},
		},
		{
			"of the whole, without the word that all tools have", tools(`{"type":"object"}`, "git_log"), tools(`{"type":"object","title":"addArguments"}`, "git_log"),
			[]string{echo},
		},
		{
			"of the only tool, without a word", in(`{"type":"object"}`), in(`{"type":"object","title":"addArguments"}`),
			[]string{"error text schema_text_changed /inputSchema/title: `title` of the object of arguments added: “addArguments”"},
		},
		{
			"of the whole, without a word of its own", tools(`{"type":"object"}`, "log"), tools(`{"type":"object","title":"addArguments"}`, "log"),
			[]string{"error text schema_text_changed /inputSchema/title: `title` of the object of arguments added: “addArguments”"},
		},
		{
			"without signs, and capitals that begin words", in(`{"properties":{"max_lines":{"title":"Maxlines"},"fileURLPath":{},"-x":{}}}`), in(`{"properties":{"max_lines":{},"fileURLPath":{"title":"File URL Path"},"-x":{"title":"X"}}}`),
			[]string{echo},
		},
		{
			"words within a word", p("nowhere", `{"type":"string"}`), p("nowhere", `{"type":"string","title":"Now Here"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/nowhere/title: `title` of `nowhere` added: “Now Here”"},
		},
		{
			"signs of its own", p("path", `{"type":"string"}`), p("path", `{"type":"string","title":"../Path"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/title: `title` of `path` added: “../Path”"},
		},
		{
			"a word fewer than the name", p("not_a_path", `{"type":"string"}`), p("not_a_path", `{"type":"string","title":"A Path"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/not_a_path/title: `title` of `not_a_path` added: “A Path”"},
		},
		{
			"letters that only look alike", p("path", `{"type":"string"}`), p("path", `{"type":"string","title":"Pаth"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/title: `title` of `path` added: “Pаth”"},
		},
		{
			"spaces that say nothing", p("repo_path", `{"type":"string"}`), p("repo_path", `{"type":"string","title":"Repo  Path "}`),
			[]string{"error text schema_text_changed /inputSchema/properties/repo_path/title: `title` of `repo_path` added: “Repo  Path ”"},
		},
		{
			"of a new parameter", p("a", `{"type":"string"}`), in(`{"type":"object","properties":{"a":{"type":"string"},"b_c":{"type":"string","title":"B C"}}}`),
			[]string{"error risk schema_widened /inputSchema/properties/b_c: new optional parameter `b_c`, which accepts a string"},
		},
		{
			"of a definition", in(`{"$defs":{"TimeResult":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/TimeResult"}}}`), in(`{"$defs":{"TimeResult":{"type":"string","title":"TimeResult"}},"properties":{"a":{"$ref":"#/$defs/TimeResult"}}}`),
			[]string{echo},
		},
		{
			"another word", p("path", `{"type":"string","title":"Path"}`), p("path", `{"type":"string","title":"Any Path"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/title: `title` of `path` changed; it now reads “Any Path”"},
		},
		{
			"a hidden character", p("path", `{"type":"string"}`), p("path", `{"type":"string","title":"Pa\u200bth"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/title: `title` of `path` added: “Pa\\u{200B}th”"},
		},
		{
			"a title that said something is gone", p("path", `{"type":"string","title":"Absolute"}`), p("path", `{"type":"string","title":"Path"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/title: `title` of `path` changed; it now reads “Path”"},
		},
		{
			"words of the name in another order", in(`{"type":"object"}`), in(`{"type":"object","title":"AddGit"}`),
			[]string{"error text schema_text_changed /inputSchema/title: `title` of the object of arguments added: “AddGit”"},
		},
		{
			"a description that repeats the name", p("path", `{"type":"string"}`), p("path", `{"type":"string","description":"Path"}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/description: `description` of `path` added: “Path”"},
		},
		{
			"below a title that is no text", p("path", `{"type":"string"}`), p("path", `{"type":"string","title":{"title":"Path"}}`),
			[]string{"error text schema_text_changed /inputSchema/properties/path/title/title: `title/title` of `path` added: “Path”"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, toldOf(t, c.old, c.new)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
