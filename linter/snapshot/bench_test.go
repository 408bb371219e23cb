package snapshot_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// generate writes a snapshot of about the shape of real ones: 240 tools are
// 300 KB.
func generate(tools int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"serverInfo\": {\"name\": \"generated\", \"version\": \"1.0.0\"},\n  \"tools\": [")
	for i := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\n      \"name\": \"entity_%d_update\",\n", i)
		b.WriteString("      \"description\": \"Updates one entity of the café's \\\"stock\\\" list.\\nReturns the new state and the identifiers of everything that changed with it.\",\n")
		b.WriteString("      \"inputSchema\": {\n        \"type\": \"object\",\n        \"properties\": {")
		for p := range 8 {
			if p > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n          \"field_%d\": {\"type\": \"string\", \"description\": \"Value number %d of the entity.\", \"maxLength\": %d}", p, p, 10*p+1)
		}
		b.WriteString("\n        },\n        \"required\": [\"field_0\", \"field_1\"]\n      }\n    }")
	}
	b.WriteString("\n  ]\n}\n")
	return []byte(b.String())
}

func mustParse(tb testing.TB, data []byte) *snapshot.Snapshot {
	tb.Helper()
	s, err := snapshot.Parse("bench.json", data)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkParse compares with what encoding/json needs for the same bytes, in
// turns; "x-decode" is the ratio of the medians.
func BenchmarkParse(b *testing.B) {
	data := generate(240)
	var ours, theirs []time.Duration
	for b.Loop() {
		start := time.Now()
		mustParse(b, data)
		ours = append(ours, time.Since(start))

		start = time.Now()
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			b.Fatal(err)
		}
		theirs = append(theirs, time.Since(start))
	}
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
	b.ReportMetric(median(ours).Seconds()*1e6, "µs-parse")
	b.ReportMetric(median(theirs).Seconds()*1e6, "µs-decode")
	b.ReportMetric(float64(median(ours))/float64(median(theirs)), "x-decode")
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
