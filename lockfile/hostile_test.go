package lockfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// repeat joins n texts that are made from their number.
func repeat(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
	}
	return strings.ReplaceAll(strings.Join(parts, ","), "HASH", "#")
}

// What a hostile server sends costs time and room in proportion to its size.
// Each of these takes minutes or gigabytes where one step is quadratic.
func TestHostileSchemasAreCheap(t *testing.T) {
	t.Parallel()
	const n = 20_000
	plain := tool(`{"type":"object"}`)
	nest := func(open, inner, end string, levels int) string {
		return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
	}
	laughs := make([]string, 60)
	for i := range laughs {
		laughs[i] = fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1)
	}
	chain := make([]string, n)
	for i := range chain {
		chain[i] = fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1)
	}
	name := strings.Repeat("n", 200_000)
	for _, c := range []struct{ name, old, new string }{
		{"new required parameters", plain, tool(`{"properties":{` + repeat(n, `"p#":{"description":"x"}`) + `},"required":[` + repeat(n, `"p#"`) + `]}`)},
		{"undeclared required parameters", tool(`{"required":[` + repeat(n, `"q#"`) + `]}`), tool(`{"required":[` + repeat(n, `"p#"`) + `]}`)},
		{"many texts below a huge name", plain, tool(`{"properties":{"` + name + `":{"examples":[` + repeat(2000, `"x#"`) + `]}}}`)},
		{"deep new schema", plain, tool(nest(`{"properties":{"a":`, `{"type":"string"}`, `}}`, 4000))},
		{"deep text", plain, tool(`{"x":` + nest(`["t",`, `1`, `]`, 9000) + `}`)},
		{"deep unions of one", tool(`{"properties":{"p":{"type":"string"}}}`), tool(`{"properties":{"p":` + nest(`{"description":"x","anyOf":[`, `{"type":"string"}`, `]}`, 4000) + `}}`)},
		{"references that double", tool(`{"properties":{"p":{"type":"string"}}}`), tool(`{"$defs":{` + strings.Join(laughs, ",") + `},"properties":{"p":{"$ref":"#/$defs/d0"}}}`)},
		{"references that double, under many names", tool(`{"$defs":{` + strings.Join(laughs, ",") + `},"properties":{` + repeat(2000, `"p#":{"$ref":"HASH/$defs/d0"}`) + `}}`),
			tool(`{"$defs":{` + strings.Join(laughs, ",") + `},"properties":{` + repeat(2000, `"p#":{"allOf":[{"$ref":"HASH/$defs/d0"}]}`) + `}}`)},
		{"a long chain of references", tool(`{"properties":{"p":{"type":"string"}}}`), tool(`{"$defs":{` + strings.Join(chain, ",") + `},"properties":{"p":{"$ref":"#/$defs/d0"}}}`)},
		{"one large definition under many names", tool(`{"$defs":{"D":{"description":"x","examples":[` + repeat(2000, `"x#"`) + `]}},"properties":{` + repeat(2000, `"p#":{"$ref":"HASH/$defs/D"}`) + `}}`),
			tool(`{"$defs":{"D":{"description":"x","examples":[` + repeat(2000, `"x#"`) + `]}},"properties":{` + repeat(2000, `"p#":{"allOf":[{"$ref":"HASH/$defs/D"}]}`) + `}}`)},
		{"many alternatives", tool(`{"anyOf":[` + repeat(n, `{"const":"a#"}`) + `]}`), tool(`{"anyOf":[` + repeat(n, `{"const":"b#"}`) + `]}`)},
		{"a large schema that becomes one of many alternatives", tool(`{"type":"object","properties":{` + repeat(n, `"p#":{}`) + `}}`), tool(`{"anyOf":[` + repeat(n, `{"type":"object","minProperties":#}`) + `]}`)},
		{"many alternatives of which a large one is left", tool(`{"anyOf":[` + repeat(n, `{"type":"object","minProperties":#}`) + `]}`), tool(`{"type":"object","properties":{` + repeat(n, `"p#":{}`) + `}}`)},
		{"many annotations", plain, `{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"},"annotations":{` + repeat(n, `"a#":"x"`) + `}}]}`},
		{"many duplicates", plain, `{"tools":[` + repeat(n, `{"name":"t"}`) + `]}`},
		{"one long word", describing("x"), describing(strings.Repeat("y", 2_000_000))},
		{"many words", describing(repeat(n, "a#")), describing(repeat(n, "b#"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			locked, live := reread(t, server(t, c.old)), lockfile.Live(parse(t, c.new), lockfile.Launch{})
			start := time.Now()
			changes := lockfile.Compare(locked, live, lockfile.Options{})
			took := time.Since(start)
			size := 0
			for _, change := range changes {
				size += len(change.Path) + len(change.Message) + len(change.Before) + len(change.After)
			}
			if len(changes) == 0 || took > 20*time.Second || size > 64<<20 {
				t.Errorf("%d changes of %d bytes in %s", len(changes), size, took)
			}
		})
	}
}

// The excerpt of a changed text is worth a few megabytes of memory, not a
// hundred times the text.
func TestHugeTextsAreComparedInLittleRoom(t *testing.T) {
	a, b := strings.Repeat("a ", 5_000_000), strings.Repeat("b c ", 2_500_000)
	locked, live := reread(t, server(t, describing(a))), lockfile.Live(parse(t, describing(b)), lockfile.Launch{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	changes := lockfile.Compare(locked, live, lockfile.Options{})
	runtime.ReadMemStats(&after)
	if room := after.TotalAlloc - before.TotalAlloc; len(changes) != 1 || room > 20*uint64(len(a)) {
		t.Errorf("%d changes, %d MB", len(changes), room>>20)
	}
}

// Real servers compare equal to their own lock.
func TestRealServersEqualTheirLock(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../shared/corpus/*@*.json")
	if err != nil || len(files) == 0 {
		t.Skip("the collection of real servers is not beside this repository")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := parse(t, string(data))
		captured, err := lockfile.Capture(s, lockfile.Launch{})
		if err != nil {
			t.Logf("%s: %v", filepath.Base(file), err)
			continue
		}
		if changes := lockfile.Compare(reread(t, captured), lockfile.Live(s, lockfile.Launch{}), lockfile.Options{}); len(changes) > 0 {
			t.Errorf("%s: %v", filepath.Base(file), described(changes))
		}
	}
}
