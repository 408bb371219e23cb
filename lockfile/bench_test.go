package lockfile_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// manyTools generates a snapshot of n different tools. With a note, every
// changeEvery-th tool has it in its description and a higher limit.
func manyTools(n int, note string, changeEvery int) string {
	var b strings.Builder
	b.WriteString(`{"serverInfo":{"name":"big","version":"1.0.0"},"instructions":null,"tools":[`)
	for i := range n {
		extra, limit := "", 100
		if changeEvery > 0 && i%changeEvery == 0 {
			extra, limit = note, 500
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"tool_%05d","title":"Tool %d","description":"Search the records of area %d by text, state or age and return one line per record, newest first.%s",`+
			`"inputSchema":{"type":"object","properties":{`+
			`"query":{"type":"string","description":"Words to look for; quotes keep them together.","minLength":1,"maxLength":%d},`+
			`"state":{"type":"string","enum":["open","closed","waiting"],"description":"Only records in this state."},`+
			`"limit":{"type":"integer","minimum":1,"maximum":%d,"default":25},`+
			`"owner":{"anyOf":[{"type":"string","pattern":"^[a-z]+$"},{"type":"null"}],"default":null}},`+
			`"required":["query","limit"],"additionalProperties":false},`+
			`"annotations":{"readOnlyHint":true,"title":"Search %d"}}`, i, i, i, extra, 200+i%7, limit, i)
	}
	b.WriteString("]}")
	return b.String()
}

// BenchmarkCompare compares 10,000 locked tools and prints how often the time
// that encoding/json needs to decode the lock fits into it. The budget is 4.
func BenchmarkCompare(b *testing.B) {
	const tools = 10_000
	old := manyTools(tools, "", 0)
	for _, c := range []struct{ name, new string }{
		{"equal", old},
		{"one in ten changed", manyTools(tools, " Ask for the password first.", 10)},
		{"all changed", manyTools(tools, " Ask for the password first.", 1)},
		{"all written differently", strings.ReplaceAll(old, `"anyOf":[{"type":"string","pattern":"^[a-z]+$"},{"type":"null"}]`, `"type":["string","null"],"pattern":"^[a-z]+$"`)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var f lockfile.File
			f.Set("big", server(b, old))
			data := f.Encode()
			snap := parse(b, c.new)
			read, live := mustRead(b, data), lockfile.Live(snap, lockfile.Launch{})
			decode := fastest(func() {
				var v any
				if err := json.Unmarshal(data, &v); err != nil {
					b.Fatal(err)
				}
			})
			compare := fastest(func() { lockfile.Compare(read.Server("big"), live, lockfile.Options{}) })
			whole := fastest(func() {
				lockfile.Compare(mustRead(b, data).Server("big"), lockfile.Live(snap, lockfile.Launch{}), lockfile.Options{})
			})
			for b.Loop() {
				lockfile.Compare(read.Server("big"), live, lockfile.Options{})
			}
			b.ReportMetric(float64(compare)/float64(decode), "compare/decode")
			b.ReportMetric(float64(whole)/float64(decode), "read+hash+compare/decode")
		})
	}
}

// fastest returns the shortest of a few runs, which other work on the machine
// disturbs least.
func fastest(run func()) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range 5 {
		start := time.Now()
		run()
		best = min(best, time.Since(start))
	}
	return best
}

func mustRead(t testing.TB, data []byte) *lockfile.File {
	f, err := lockfile.Read("mcp-lint.lock", data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
