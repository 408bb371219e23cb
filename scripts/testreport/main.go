// Command testreport reads `go test -json` on standard input and prints what a
// person wants to know: each package's result, the whole output of what failed,
// every skip with its reason, and the totals.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is one line of `go test -json` (go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

type key struct{ pkg, test string }

type summary struct {
	out                     io.Writer
	output                  map[key][]string
	passed, failed, skipped int
	skips                   []string
	badPackages             []string
}

func main() {
	s := &summary{out: os.Stdout, output: make(map[key][]string)}
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			// A build failure of an old go command is plain text.
			fmt.Fprintln(s.out, scanner.Text())
			continue
		}
		s.take(e)
	}
	if err := scanner.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(2)
	}
	os.Exit(s.close())
}

func (s *summary) take(e event) {
	k := key{e.Package, e.Test}
	switch e.Action {
	case "output", "build-output":
		s.output[k] = append(s.output[k], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e)
		}
		delete(s.output, k)
	}
}

func (s *summary) endTest(e event) {
	output := s.output[key{e.Package, e.Test}]
	switch e.Action {
	case "pass":
		s.passed++
	case "fail":
		s.failed++
		fmt.Fprintf(s.out, "--- FAIL: %s %s\n%s", e.Package, e.Test, strings.Join(output, ""))
	case "skip":
		s.skipped++
		s.skips = append(s.skips, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(output)))
	}
}

func (s *summary) endPackage(e event) {
	output := s.output[key{e.Package, ""}]
	switch e.Action {
	case "fail":
		s.badPackages = append(s.badPackages, e.Package)
		fmt.Fprintf(s.out, "%sFAIL\t%s\t%.1fs\n", strings.Join(output, ""), e.Package, e.Elapsed)
	case "pass":
		fmt.Fprintf(s.out, "ok  \t%s\t%.1fs\n", e.Package, e.Elapsed)
	}
}

// reason is the text of a skip without the frame around it.
func reason(output []string) string {
	var said []string
	for _, line := range output {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			said = append(said, line)
		}
	}
	return strings.Join(said, " ")
}

func (s *summary) close() int {
	if len(s.skips) > 0 {
		fmt.Fprintln(s.out, "\nSkipped, and why:")
		for _, skip := range s.skips {
			fmt.Fprintln(s.out, "  "+skip)
		}
	}
	for _, pkg := range s.badPackages {
		fmt.Fprintln(s.out, "failed:", pkg)
	}
	fmt.Fprintf(s.out, "\n%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped)
	if s.failed > 0 || len(s.badPackages) > 0 || s.passed == 0 {
		return 1
	}
	return 0
}
