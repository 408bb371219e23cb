package snapshot_test

import (
	"bytes"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkParse100MB compares with 10 MB of the same kind. "x10MB" is the
// ratio of the best times of five; "x10MB-cpu" that of the best processor
// times, garbage collection included, which a busy machine changes little;
// "peak-MB" the peak of the process, generator and the caller's copy included.
func BenchmarkParse100MB(b *testing.B) {
	small, large := cost{time.Hour, time.Hour}, cost{time.Hour, time.Hour}
	for b.Loop() {
		for range 5 { // in turns, so that a busy machine meets both
			small = small.best(parseCost(b, 10_000_000))
			large = large.best(parseCost(b, 100_000_000))
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of all says nothing
	b.ReportMetric(small.wall.Seconds()*1000, "ms-10MB")
	b.ReportMetric(large.wall.Seconds()*1000, "ms-100MB")
	b.ReportMetric(float64(large.wall)/float64(small.wall), "x10MB")
	b.ReportMetric(float64(large.cpu)/float64(small.cpu), "x10MB-cpu")
	b.ReportMetric(float64(usage(b).Maxrss)/1024, "peak-MB")
}

type cost struct{ wall, cpu time.Duration }

func (c cost) best(other cost) cost {
	return cost{min(c.wall, other.wall), min(c.cpu, other.cpu)}
}

// parseCost parses a snapshot of that many bytes. Nothing else of size is
// alive meanwhile and free memory is given back before, so that each size is
// read as by a process of its own.
func parseCost(b *testing.B, size int) cost {
	oneTool := (len(withTexts(generate(1001))) - len(withTexts(generate(1)))) / 1000
	data := withTexts(generate(size / oneTool))
	debug.FreeOSMemory()
	before, start := usage(b), time.Now()
	mustParse(b, data)
	wall, after := time.Since(start), usage(b)
	return cost{wall, time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())}
}

// withTexts gives every parameter a description of some sentences: 100 MB of
// shorter ones have more values than a snapshot may.
func withTexts(data []byte) []byte {
	const short = "of the entity."
	return bytes.ReplaceAll(data, []byte(short), []byte(short+strings.Repeat(" It stands in the register as it was entered.", 4)))
}

func usage(b *testing.B) syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}
