package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// generate writes a snapshot of the shape of real ones: descriptions of all
// qualities, nested objects, lists, unions, definitions, a fault now and then.
// With same, all tools are equal, name included.
func generate(tools int, same bool) []byte {
	var b strings.Builder
	b.WriteString(`{"serverInfo":{"name":"harbour","version":"1.0.0"},"instructions":"Ask for a basin first.","tools":[`)
	for i := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		n := i
		if same {
			n = 7
		}
		fmt.Fprintf(&b, "\n  {\n    \"name\": \"harbour_%s_%d\",\n", [...]string{"list", "get", "create", "update"}[n%4], n)
		switch n % 12 {
		case 3:
			b.WriteString("    \"description\": \"Basin data\",\n")
		case 5:
			b.WriteString("    \"description\": \"Liefert den Wasserstand eines Hafenbeckens – in Zentimetern über Kartennull –, wie ihn der Pegel zuletzt gemeldet hat.\",\n")
		default:
			b.WriteString("    \"description\": \"Returns the newest water level of one basin of the harbour, in centimetres above the local chart datum.\\n\\nUse it before a ship is moved; for a forecast use harbour_get_forecast instead.\",\n")
		}
		b.WriteString("    \"inputSchema\": {\n      \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n      \"type\": \"object\",\n      \"properties\": {\n")
		fmt.Fprintf(&b, "        \"basin\": {\"type\": \"string\", \"description\": \"Number of the basin, like B-%d.\", \"minLength\": 1, \"pattern\": \"^B-[0-9]+$\"},\n", n)
		b.WriteString("        \"unit\": {\"type\": \"string\", \"enum\": [\"cm\", \"ft\"], \"default\": \"cm\", \"description\": \"Unit of the result.\"},\n")
		b.WriteString("        \"filter\": {\"type\": \"object\", \"description\": \"Limits the result.\", \"properties\": {\"since\": {\"type\": \"string\", \"format\": \"date-time\", \"description\": \"First reading, RFC 3339.\"}, \"limit\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 100, \"description\": \"Readings at most.\"}}, \"required\": [\"since\"], \"additionalProperties\": false},\n")
		if n%6 == 2 {
			b.WriteString("        \"id\": {\"type\": \"string\"},\n        \"rows\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {\"label\": {\"type\": \"string\"}, \"value\": {\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"null\"}], \"description\": \"Reading.\"}}}, \"description\": \"Rows to compare with.\"},\n")
		}
		b.WriteString("        \"gauge\": {\"anyOf\": [{\"$ref\": \"#/definitions/Gauge\"}, {\"type\": \"null\"}], \"default\": null, \"description\": \"Gauge to ask, the nearest when absent.\"}\n      },\n      \"required\": [\"basin\"],\n      \"definitions\": {\"Gauge\": {\"type\": \"object\", \"properties\": {\"number\": {\"type\": \"integer\", \"description\": \"Number on the plate.\"}}}},\n      \"additionalProperties\": false\n    },\n")
		b.WriteString("    \"annotations\": {\"readOnlyHint\": true, \"title\": \"Water level\"}\n  }")
	}
	b.WriteString("\n]}\n")
	return []byte(b.String())
}

// lintBytes is the measured work: bytes in, findings out.
func lintBytes(tb testing.TB, l *linter.Linter, data []byte) linter.Result {
	s, err := snapshot.Parse("bench.json", data)
	if err != nil {
		tb.Fatal(err)
	}
	s.Key = "bench"
	return l.Lint(s)
}

func decode(tb testing.TB, data []byte) {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkLint240Tools compares with what encoding/json needs to decode the
// same bytes; "x-decode" is the ratio and must stay under 3.
func BenchmarkLint240Tools(b *testing.B) {
	l := mustLinter(b, linter.Config{})
	data := generate(240, false)
	if found := len(lintBytes(b, l, data).Findings); found < 40 {
		b.Fatalf("only %d findings: the snapshot is no test", found)
	}
	compareWithDecode(b, l, data)
}

// BenchmarkLintCorpus is the same over real servers, where they are at hand.
func BenchmarkLintCorpus(b *testing.B) {
	for _, file := range []string{"zereight__mcp-gitlab@2.1.64.json", "hostinger-api-mcp@1.63.2.json", "xcodebuildmcp@2.7.0.json", "ha-mcp@8.7.0.json"} {
		data, err := os.ReadFile(filepath.Join("../../../shared/corpus", file))
		if err != nil {
			b.Skip("no ../shared/corpus beside the repository")
		}
		b.Run(file, func(b *testing.B) { compareWithDecode(b, mustLinter(b, linter.Config{}), data) })
	}
}

func compareWithDecode(b *testing.B, l *linter.Linter, data []byte) {
	b.SetBytes(int64(len(data)))
	var ours, parse, theirs time.Duration
	for b.Loop() {
		start := cpuTime()
		lintBytes(b, l, data)
		ours += cpuTime() - start
		b.StopTimer()
		start = cpuTime()
		mustParse(b, data)
		parse += cpuTime() - start
		start = cpuTime()
		decode(b, data)
		theirs += cpuTime() - start
		b.StartTimer()
	}
	b.ReportMetric(float64(ours)/float64(theirs), "x-decode")
	b.ReportMetric(float64(parse)/float64(theirs), "x-decode-parse")
}

// smallRuns makes the smaller side of the comparison long enough to have its
// share of the collector's work.
const smallRuns = 10

// spent is what one run took.
type spent struct{ wall, cpu time.Duration }

func longest() spent { return spent{time.Hour, time.Hour} }

func (s spent) least(t spent) spent { return spent{min(s.wall, t.wall), min(s.cpu, t.cpu)} }

// measure runs f on a heap without garbage.
func measure(f func()) spent {
	runtime.GC()
	wall, cpu := time.Now(), cpuTime()
	f()
	return spent{time.Since(wall), cpuTime() - cpu}
}

// BenchmarkLint10000Tools compares with 1,000 tools; the ratio must stay under
// 12, also for identical tools: by the clock, and by the process's processor
// time, the collector's on other cores included. Times are of the least
// disturbed round.
func BenchmarkLint10000Tools(b *testing.B) {
	l := mustLinter(b, linter.Config{})
	for _, same := range []bool{false, true} {
		b.Run(map[bool]string{false: "different", true: "identical"}[same], func(b *testing.B) {
			small, large := generate(1_000, same), generate(10_000, same)
			smallTime, largeTime := longest(), longest()
			for b.Loop() {
				// As many bytes as the large run has, so that the collector works
				// as often.
				runs := measure(func() {
					for range smallRuns {
						lintBytes(b, l, small)
					}
				})
				smallTime = smallTime.least(spent{runs.wall / smallRuns, runs.cpu / smallRuns})
				largeTime = largeTime.least(measure(func() { lintBytes(b, l, large) }))
			}
			b.ReportMetric(float64(largeTime.wall)/float64(smallTime.wall), "x1000")
			b.ReportMetric(float64(largeTime.cpu)/float64(smallTime.cpu), "x1000-cpu")
			b.ReportMetric(float64(len(large))/1e6, "MB")
		})
	}
}
