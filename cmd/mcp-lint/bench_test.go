package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// build makes the program as users get it.
func build(b *testing.B) string {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Skip("peak memory is read the way Linux gives it")
	}
	path := filepath.Join(b.TempDir(), "mcp-lint")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

// manyTools is a tools/list result as real servers send them.
func manyTools(n int) []byte {
	var tools []map[string]any
	for i := range n {
		properties := map[string]any{}
		for j := range 6 {
			properties[fmt.Sprintf("field_%d", j)] = map[string]any{
				"type": "string", "description": fmt.Sprintf("Value number %d of the record, as it stands in the register.", j),
			}
		}
		tools = append(tools, map[string]any{
			"name":        fmt.Sprintf("register_action_%d", i),
			"description": "Change one record of the harbour register and return it with its number, its owner and the time of the change. " + strings.Repeat("More about it. ", 20),
			"inputSchema": map[string]any{"type": "object", "properties": properties, "required": []string{"field_0"}},
			"annotations": map[string]any{"readOnlyHint": false, "destructiveHint": true},
		})
	}
	data, err := json.Marshal(map[string]any{"tools": tools})
	if err != nil {
		panic(err)
	}
	return data
}

// BenchmarkCheck is the whole process on 240 tools: at most 60 ms and 60 MB.
func BenchmarkCheck(b *testing.B) {
	program, file := build(b), filepath.Join(b.TempDir(), "tools.json")
	if err := os.WriteFile(file, manyTools(240), 0o644); err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	var peak float64
	for b.Loop() {
		took, megabytes := check(b, program, file)
		times = append(times, took)
		peak = max(peak, megabytes)
	}
	b.ReportMetric(median(times).Seconds()*1000, "ms(median,≤60)")
	b.ReportMetric(peak, "MB(peak,≤60)")
}

// BenchmarkCheckScale is the whole process on 10,000 tools against 1,000: at
// most 12 times the time, and under 400 MB.
func BenchmarkCheckScale(b *testing.B) {
	program, dir := build(b), b.TempDir()
	small, large := filepath.Join(dir, "small.json"), filepath.Join(dir, "large.json")
	for file, tools := range map[string]int{small: 1000, large: 10_000} {
		if err := os.WriteFile(file, manyTools(tools), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var few, many []time.Duration
	var peak float64
	for b.Loop() {
		took, _ := check(b, program, small)
		few = append(few, took)
		took, megabytes := check(b, program, large)
		many = append(many, took)
		peak = max(peak, megabytes)
	}
	b.ReportMetric(median(many).Seconds()/median(few).Seconds(), "×(10,000/1,000,≤12)")
	b.ReportMetric(peak, "MB(peak,<400)")
}

// check runs `mcp-lint check`; see measure.
func check(b *testing.B, program, file string) (time.Duration, float64) {
	b.Helper()
	return measure(b, program, "check", "--fail-on", "never", file)
}

// measure runs the program and measures its time and its peak memory in MB.
func measure(b *testing.B, program string, args ...string) (time.Duration, float64) {
	b.Helper()
	cmd := exec.Command(program, args...)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(start)
	return took, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// BenchmarkLockCheck is the whole process on a lock of 50 servers and 3,000
// tools, checked against as many saved snapshots: under 2 s.
func BenchmarkLockCheck(b *testing.B) {
	program, dir := build(b), b.TempDir()
	const servers, tools = 50, 60
	entries := make(map[string]any, servers)
	for i := range servers {
		name := fmt.Sprintf("server-%d", i)
		entries[name] = map[string]any{"from": name + ".json"}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), manyTools(tools), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	config, err := json.Marshal(map[string]any{"servers": entries})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ".mcp-lint.json"), config, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
	measure(b, program, "lock", "--all", dir)
	lock, err := os.Stat(filepath.Join(dir, "mcp-lint.lock"))
	if err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	var peak float64
	for b.Loop() {
		took, megabytes := measure(b, program, "lock", "--all", "--check", dir)
		times = append(times, took)
		peak = max(peak, megabytes)
	}
	b.ReportMetric(float64(lock.Size())/1e6, "MB-lock")
	b.ReportMetric(median(times).Seconds(), "s(median,<2)")
	b.ReportMetric(peak, "MB(peak)")
}

// BenchmarkRun is what `mcp-lint run` takes beyond a server's own start and
// answers: at most 100 ms. The same conversation is held without it.
func BenchmarkRun(b *testing.B) {
	program := build(b)
	dir := b.TempDir()
	server, file := filepath.Join(dir, "fakeserver"), filepath.Join(dir, "tools.json")
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	if err := os.Symlink(self, server); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, manyTools(20)[len(`{"tools":`):], 0o644); err != nil {
		b.Fatal(err)
	}
	data, _ := os.ReadFile(file)
	if err := os.WriteFile(file, bytes.TrimSuffix(data, []byte("}")), 0o644); err != nil {
		b.Fatal(err)
	}
	var bare, whole []time.Duration
	for b.Loop() {
		bare = append(bare, converse(b, server, file))
		start := time.Now()
		if out, err := exec.Command(program, "run", "--", server, file).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		whole = append(whole, time.Since(start))
	}
	b.ReportMetric(median(bare).Seconds()*1000, "ms-bare(median)")
	b.ReportMetric((median(whole)-median(bare)).Seconds()*1000, "ms-beyond(median,≤100)")
}

// converse asks a server for its tools by hand.
func converse(b *testing.B, server, file string) time.Duration {
	b.Helper()
	start := time.Now()
	cmd := exec.Command(server, file)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	answers := bufio.NewReaderSize(out, 1<<20)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	} {
		fmt.Fprintln(in, line)
		if _, err := answers.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
