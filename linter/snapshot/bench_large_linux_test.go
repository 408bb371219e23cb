package snapshot_test

import (
	"runtime/debug"
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
	oneTool := (len(generate(1001)) - len(generate(1))) / 1000
	data := generate(size / oneTool)
	debug.FreeOSMemory()
	before, start := usage(b), time.Now()
	mustParse(b, data)
	wall, after := time.Since(start), usage(b)
	return cost{wall, time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())}
}

func usage(b *testing.B) syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}
