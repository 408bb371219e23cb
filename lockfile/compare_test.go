package lockfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// described returns changes as "severity class kind entity path".
func described(changes []lockfile.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s %s %s %s:%s %s", c.Severity, c.Class, c.Kind, c.Entity.Kind, c.Entity.Name, c.Path))
	}
	return out
}

func TestDefinitionDecisions(t *testing.T) {
	t.Parallel()
	one := func(members string) string { return `{"tools":[{"name":"t",` + members + `}]}` }
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"D12 one hint safer, one less safe", one(`"annotations":{"readOnlyHint":true,"idempotentHint":false}`), one(`"annotations":{"readOnlyHint":false,"idempotentHint":true}`),
			[]string{"error risk annotations_changed tool:t /annotations"}},
		{"a hint that says what absence means", one(`"a":1`), one(`"a":1,"annotations":{"openWorldHint":true}`),
			[]string{"warning additive annotations_changed tool:t /annotations/openWorldHint"}},
		{"destruction admitted", one(`"a":1`), one(`"a":1,"annotations":{"destructiveHint":true}`),
			[]string{"warning risk annotations_changed tool:t /annotations/destructiveHint"}},
		{"annotations are text", one(`"annotations":{}`), one(`"annotations":"trusted"`), []string{"warning additive annotations_changed tool:t /annotations"}},
		{"D13 empty against absent", one(`"annotations":{},"_meta":{},"icons":[]`), one(`"x":0`), []string{"warning risk definition_changed tool:t /x"}},
		{"D13 only empty against absent", one(`"annotations":{},"_meta":{},"icons":[]`), `{"tools":[{"name":"t"}]}`, nil},
		{"D14 structure of the output", one(`"outputSchema":{"properties":{"a":{"type":"string","description":"x"}}}`), one(`"outputSchema":{"properties":{"a":{"type":"number","description":"y"}}}`),
			[]string{"error text schema_text_changed tool:t /outputSchema/properties/a/description", "warning breaking output_schema_changed tool:t /outputSchema/properties/a/type"}},
		{"new output schema with a text", one(`"a":1`), one(`"a":1,"outputSchema":{"description":"x"}`),
			[]string{"warning breaking output_schema_changed tool:t /outputSchema", "error text schema_text_changed tool:t /outputSchema/description"}},
		{"D49 CRLF", one(`"description":"a\r\nb","title":"\r\n"`), one(`"title":"\n","description":"a\nb"`), nil},
		{"description is no text", one(`"description":"a"`), one(`"description":["a"]`), []string{"error text description_changed tool:t /description"}},
		{"execution", one(`"execution":{"taskSupport":"optional"}`), one(`"execution":{"taskSupport":"required"}`), []string{"warning breaking meta_changed tool:t /execution"}},
		{"execution with its default", one(`"a":1`), one(`"a":1,"execution":{"taskSupport":"forbidden"}`), nil},
		{"execution that turns from its default", one(`"a":1,"execution":{"taskSupport":"forbidden"}`), one(`"a":1,"execution":{"taskSupport":"required"}`), []string{"warning breaking meta_changed tool:t /execution"}},
		{"execution with its default and more", one(`"a":1`), one(`"a":1,"execution":{"taskSupport":"forbidden","b":1}`), []string{"warning breaking meta_changed tool:t /execution"}},
		{"_meta, icons and execution are one change", one(`"_meta":{"a":1},"icons":[1],"execution":{"a":1}`), one(`"_meta":{"a":2},"icons":[2],"execution":{"a":2}`),
			[]string{"warning risk meta_changed tool:t "}},
		{"a key twice in the live definition", one(`"description":"a"`), one(`"description":"hidden","description":"a"`),
			[]string{"warning risk definition_changed tool:t /description"}},
		{"D48 rename", `{"tools":[{"name":"old","description":"d"}]}`, `{"tools":[{"name":"new","description":"d"}]}`,
			[]string{"error risk tool_added tool:new ", "info breaking tool_removed tool:old "}},
		{"D18 duplicates, the first is compared", `{"tools":[{"name":"t","a":1}]}`, `{"tools":[{"name":"t","a":2},{"name":"t","a":1},{"name":"t","a":3}]}`,
			[]string{"warning risk definition_changed tool:t /a", "error risk duplicate_tool tool:t "}},
		{"D18 duplicates of a new tool", `{"tools":[]}`, `{"tools":[{"name":"t"},{"name":"t"}]}`,
			[]string{"error risk duplicate_tool tool:t ", "error risk tool_added tool:t "}},
		{"D16 server name", `{"tools":[],"serverInfo":{"name":"a","version":"1"}}`, `{"tools":[],"serverInfo":{"name":"b","version":"1"}}`,
			[]string{"info additive server_changed server:b "}},
		{"D17 unknown sides", `{"tools":[],"serverInfo":{"name":"a","version":"1"}}`, `{"tools":[]}`, nil},
		{"D13 empty instructions", `{"tools":[],"instructions":""}`, `{"tools":[],"instructions":null}`, nil},
		{"prompts", `{"prompts":[{"name":"p","description":"a","title":"t","_meta":{"x":1},"arguments":[{"name":"a"},{"name":"b","description":"x"},{"name":"gone"}],"x":1},{"name":"q"}]}`,
			`{"prompts":[{"name":"p","description":"b","title":"u","_meta":{"x":2},"arguments":[{"name":"b","description":"y","required":true},{"name":"new"},{"name":"a"}],"x":2},{"name":"r","a":1}]}`,
			[]string{
				"warning risk prompt_meta_changed prompt:p /_meta",
				"error text prompt_arguments_changed prompt:p /arguments/0/description",
				"error risk prompt_arguments_changed prompt:p /arguments/0/required",
				"error risk prompt_arguments_changed prompt:p /arguments/1",
				"warning breaking prompt_arguments_changed prompt:p /arguments/2",
				"error text prompt_description_changed prompt:p /description",
				"error text prompt_title_changed prompt:p /title",
				"warning risk prompt_changed prompt:p /x",
				"error text prompt_added prompt:r ",
				"info breaking prompt_removed prompt:q ",
			}},
		{"order of prompt arguments", `{"prompts":[{"name":"p","arguments":[{"name":"a"},{"name":"b"}]}]}`, `{"prompts":[{"name":"p","arguments":[{"name":"b"},{"name":"a"}]}]}`, nil},
		{"resources", `{"resources":[{"uri":"r:a","name":"n","mimeType":"text/plain","annotations":{"audience":["user"]}},{"uri":"r:b"}]}`,
			`{"resources":[{"uri":"r:a","name":"m","mimeType":"text/html","annotations":{"audience":["assistant"]}},{"uri":"r:a"},{"uri":"r:c","a":1}]}`,
			[]string{
				"warning additive resource_annotations_changed resource:r:a /annotations/audience",
				"warning risk resource_changed resource:r:a /mimeType",
				"error text resource_title_changed resource:r:a /name",
				"error risk duplicate_resource resource:r:a ",
				"error additive resource_added resource:r:c ",
				"info breaking resource_removed resource:r:b ",
			}},
		{"size and modification of a resource", `{"resources":[{"uri":"a","size":1,"annotations":{"lastModified":"2026-01-01","priority":1}}]}`,
			`{"resources":[{"uri":"a","size":2,"annotations":{"lastModified":"2026-02-02","priority":1}}]}`, nil},
		{"resource templates", `{"resourceTemplates":[{"uriTemplate":"a{b}","description":"x","z":1}]}`, `{"resourceTemplates":[{"uriTemplate":"a{b}","description":"y","z":2},{"uriTemplate":"c{d}"}]}`,
			[]string{
				"error text resource_template_description_changed resourceTemplate:a{b} /description",
				"warning risk resource_template_changed resourceTemplate:a{b} /z",
				"error additive resource_template_added resourceTemplate:c{d} ",
			}},
		{"a prompt that is no object", `{"prompts":[5]}`, `{"prompts":["x"]}`, []string{"warning risk prompt_changed prompt: "}},
		{"order of tools and of their keys", `{"tools":[{"name":"a","x":1,"y":2},{"name":"b"}]}`, `{"tools":[{"name":"b"},{"y":2,"x":1,"name":"a"}]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changes := compareTexts(t, c.old, c.new)
			if diff := cmp.Diff(c.want, described(changes)); diff != "" {
				t.Error(diff)
			}
			for _, change := range changes {
				if change.Message == "" || strings.Contains(change.Message, "%!") {
					t.Errorf("message %q", change.Message)
				}
			}
		})
	}
}

func TestRenamedToolSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	changes := compareTexts(t, `{"tools":[{"name":"a","x":1.0},{"name":"b","x":1},{"name":"c"}]}`, `{"tools":[{"x":1,"name":"d"},{"name":"e","x":2}]}`)
	from := map[string]string{}
	for _, c := range changes {
		if c.Kind == "tool_added" {
			from[c.Entity.Name] = c.RenamedFrom
		}
	}
	if diff := cmp.Diff(map[string]string{"d": "a", "e": ""}, from); diff != "" {
		t.Error(diff)
	}
}

func TestLockIgnoreSilencesFields(t *testing.T) {
	t.Parallel()
	locked := server(t, `{"tools":[{"name":"t","icons":[1],"_meta":{"a":1},"vendor":1,"annotations":{"title":"a"}}]}`)
	live := lockfile.Live(parse(t, `{"tools":[{"name":"t","icons":[2],"_meta":{"a":2},"vendor":2,"annotations":{"title":"b"}}]}`), lockfile.Launch{})
	got := described(lockfile.Compare(locked, live, lockfile.Options{LockIgnore: []string{"icons", "vendor", "annotations"}}))
	if diff := cmp.Diff([]string{"warning risk meta_changed tool:t /_meta"}, got); diff != "" {
		t.Error(diff)
	}
	if got := lockfile.Compare(locked, live, lockfile.Options{LockIgnore: []string{"icons", "vendor", "annotations", "_meta"}}); len(got) > 0 {
		t.Errorf("%v", described(got))
	}
}

func TestDamagedLocksShow(t *testing.T) {
	t.Parallel()
	var f lockfile.File
	f.Set("k", server(t, `{"tools":[{"name":"t","description":"safe"}]}`))
	intact := f.Encode()
	edited := strings.Replace(string(intact), "safe", "evil", 1)
	for _, c := range []struct {
		name          string
		locked, other *lockfile.Server
		want          []string
	}{
		{"the definition was edited to what the server says", mustRead(t, []byte(edited)).Server("k"),
			lockfile.Live(parse(t, `{"tools":[{"name":"t","description":"evil"}]}`), lockfile.Launch{}), []string{"warning risk definition_changed tool:t "}},
		{"the other lock keeps the hash of another definition", mustRead(t, intact).Server("k"), mustRead(t, []byte(edited)).Server("k"),
			[]string{"error text description_changed tool:t /description", "warning risk definition_changed tool:t "}},
		{"the hash is no hash", mustRead(t, []byte(strings.Replace(string(intact), `"sha256": "`, `"sha256": "x`, 1))).Server("k"),
			lockfile.Live(parse(t, `{"tools":[{"name":"t","description":"safe"}]}`), lockfile.Launch{}), []string{"warning risk definition_changed tool:t "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, described(lockfile.Compare(c.locked, c.other, lockfile.Options{}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMissingServersCompareAsEmpty(t *testing.T) {
	t.Parallel()
	s := server(t, `{"tools":[{"name":"t"}],"instructions":"i"}`)
	want := []string{"error text instructions_changed server: /instructions", "error risk tool_added tool:t "}
	if diff := cmp.Diff(want, described(lockfile.Compare(nil, s, lockfile.Options{}))); diff != "" {
		t.Error(diff)
	}
	want = []string{"info text instructions_changed server: /instructions", "info breaking tool_removed tool:t "}
	if diff := cmp.Diff(want, described(lockfile.Compare(s, nil, lockfile.Options{}))); diff != "" {
		t.Error(diff)
	}
}

func TestSortChangesWorstFirst(t *testing.T) {
	t.Parallel()
	changes := []lockfile.Change{
		{Kind: "a", Severity: severity.Info, Class: lockfile.Risk},
		{Kind: "b", Severity: severity.Error, Class: lockfile.Text},
		{Kind: "c", Severity: severity.Warning, Class: lockfile.Breaking},
		{Kind: "d", Severity: severity.Error, Class: lockfile.Risk},
		{Kind: "e", Severity: severity.Error, Class: lockfile.Text},
	}
	if got := lockfile.Worst(changes); got != severity.Error {
		t.Errorf("worst is %s", got)
	}
	lockfile.SortChanges(changes)
	order := ""
	for _, c := range changes {
		order += c.Kind
	}
	if order != "dbeca" {
		t.Errorf("order %s", order)
	}
	if got := lockfile.Worst(nil); got != severity.Off {
		t.Errorf("worst of nothing is %s", got)
	}
}

func TestSnapshotOfALockIsWhatWasLocked(t *testing.T) {
	t.Parallel()
	const text = `{"tools":[{"name":"b","description":"\ud800"},{"name":"a"}],"prompts":[{"name":"p"}],"resources":[],"resourceTemplates":[{"uriTemplate":"x"}],"serverInfo":{"name":"n","version":"1"},"instructions":"é\u200b"}`
	locked := reread(t, server(t, text))
	s, err := locked.Snapshot("key")
	if err != nil {
		t.Fatal(err)
	}
	if s.Key != "key" || s.Name != "n" || s.Version != "1" || s.Instructions.Text() != "é\u200b" || len(s.Tools) != 2 || s.Tools[0].Name != "a" {
		t.Errorf("got %s", s.Source())
	}
	if got := lockfile.Compare(locked, lockfile.Live(s, lockfile.Launch{}), lockfile.Options{}); len(got) > 0 {
		t.Errorf("%v", described(got))
	}
	var empty lockfile.Server
	if s, err := empty.Snapshot("k"); err != nil || len(s.Tools) != 0 {
		t.Errorf("an empty server: %v", err)
	}
}
