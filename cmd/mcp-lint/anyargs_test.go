package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// Whatever words the short form gets, in whatever order: it ends with one of
// its exit codes, says on one line what is wrong, and a fault of the command
// line itself has written nothing.
func TestAnyCommandLineEnds(t *testing.T) {
	t.Chdir(t.TempDir()) // any word may become a file's name
	const good, out = "good.json", "out"
	if err := os.WriteFile(good, []byte("["+goodTool+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	words := []string{
		"-f", "--file", "-u", "--url", "-H", "--header", "--header-env", "--stdio", "-e", "--env", "--timeout", "--format", "-o", "--output",
		"--json", "--sarif", "--markdown", "--sarif-uri", "--save", "--color", "--no-color", "-c", "--min-score", "--list-rules", "-v", "-h",
		"--preset", "--fail-on", "--fail-under", "--min-severity", "--name", "--pass-env", "--sandbox", "--sandbox=none", "--start-timeout",
		"--", "-", "", "=", "--=", "---", "-fo", "-=", "--file=", "--json=",
		good, good, good, out, "--file=" + good, "--output=" + out, "json", "text", "5", "0x10", "1e3", "never", "error", "snapshot",
		"A=b", "A: b", "https://tides.example", "no-such-program-here", "'", "\x00", "\xff", "1m", "chek", "proxy",
	}
	r := rand.New(rand.NewPCG(3, 4))
	codes := map[int]int{}
	for range 2000 {
		args := make([]string, r.IntN(7))
		for i := range args {
			args[i] = words[r.IntN(len(words))]
		}
		code, _, stderr := mcpLint(t, "", args...)
		codes[code]++
		files, err := os.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case code < exitClean || code > exitError:
			t.Errorf("%q: exit code %d", args, code)
		case code == exitError && !strings.HasPrefix(stderr, "mcp-lint: "):
			t.Errorf("%q: no reason is given: %q", args, stderr)
		case strings.Contains(stderr, "Run 'mcp-lint --help'") && len(files) > 1:
			t.Errorf("%q: a fault of the command line, and a file was written: %s", args, stderr)
		}
		for line := range strings.Lines(stderr) {
			if !strings.HasPrefix(line, "mcp-lint: ") && !strings.HasPrefix(line, "Run 'mcp-lint --help'") {
				t.Errorf("%q: %q", args, line)
			}
		}
		for _, f := range files {
			if f.Name() != good {
				os.RemoveAll(f.Name())
			}
		}
	}
	for code := exitClean; code <= exitError; code++ {
		if codes[code] == 0 && code != exitFindings {
			t.Errorf("no command line ended with %d; the words try too little: %v", code, codes)
		}
	}
}
