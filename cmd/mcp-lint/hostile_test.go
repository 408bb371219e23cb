package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// mcpLint runs the program in this process.
func mcpLint(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, env: func(string) (string, bool) { return "", false }}
	code = a.run(t.Context(), args)
	return code, out.String(), errs.String()
}

const (
	goodText = "Find the times of high and low water for one harbour and day, as a table with heights in metres."
	goodTool = `{"name": "find_tides", "description": "` + goodText + `", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}`
)

func withMember(member string) string {
	return `{"tools": [{"name": "find_tides", "description": "` + goodText + `", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}, "x": ` + member + `}]}`
}

func nested(levels int) string {
	return withMember(strings.Repeat("[", levels) + "1" + strings.Repeat("]", levels))
}

// Whatever a file holds: one clear line that names it and the place, or a
// finding. Never a crash, and never "clean".
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	utf16Text := func(order binary.AppendByteOrder, text string) string {
		var b []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
	for name, c := range map[string]struct {
		data string
		code int
		want string // in the one line for code 2, else in the report
	}{
		"empty":                 {"", 2, "f.json:1:1: the file is empty"},
		"blank":                 {" \n\n", 2, "the file is empty"},
		"cut off":               {`{"tools": [` + goodTool[:40], 2, "f.json:1:52: the text ends before the JSON value does"},
		"text after the value":  {`{"tools": []} x`, 2, "f.json:1:15: unexpected text after the JSON value"},
		"NUL after the value":   {"[" + goodTool + "]\x00", 2, "unexpected text after the JSON value"},
		"NUL in a text":         {"[{\"name\": \"a\x00b\"}]", 2, "f.json:1:13: a NUL byte"},
		"invalid UTF-8":         {"[{\"name\": \"a\xffb\"}]", 2, "f.json:1:13: byte 0xFF is no valid UTF-8"},
		"UTF-16 with mark":      {utf16Text(binary.LittleEndian, "\ufeff[]"), 2, "UTF-16"},
		"UTF-16 without mark":   {utf16Text(binary.BigEndian, "[]"), 2, "f.json:1:1: "},
		"comment":               {"[] // x", 2, "f.json:1:4: "},
		"no list":               {`{"a": 1}`, 2, `expected an array "tools"`},
		"a number":              {"12", 2, "expected an object or an array of tools; found a number"},
		"list of another kind":  {`{"tools": null}`, 2, `f.json:1:11: "tools" must be an array; found null`},
		"tool of another kind":  {`[1]`, 2, "f.json:1:2: tools[0] must be an object; found a number"},
		"name of another kind":  {`[{"name": 1}]`, 2, `tools[0] must have a text "name"; found a number`},
		"error response":        {`{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}`, 2, "a JSON-RPC error response"},
		"10,001 levels":         {nested(10_000), 2, "nest deeper than 10000 levels"},
		"100,000 open brackets": {strings.Repeat("[", 100_000), 2, "f.json:1:10001: objects and arrays nest deeper"},
		"1,001 levels":          {nested(1000), 1, "schema/too-deep"},
		"66 levels":             {nested(65), 1, "schema/too-deep"},
		"duplicate key above":   {`{"tools": [], "tools": [` + goodTool + `]}`, 0, "schema/duplicate-key"},
		"duplicate key inside":  {withMember(`{"a": {"b": 1, "\u0062": 2}}`), 0, "schema/duplicate-key"},
		"lone surrogate":        {withMember(`"\ud800"`), 0, "schema/lone-surrogate"},
		"byte order mark":       {"\ufeff[" + goodTool + "]", 0, "1/1 tools clean"},
		"number of 100 kB":      {withMember(strings.Repeat("9", 100_000)), 1, "tools/token-budget"},
		"number beyond floats":  {withMember("1e999999"), 0, "1/1 tools clean"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "f.json")
			if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := mcpLint(t, "", "check", file)
			if code != c.code {
				t.Fatalf("exit code %d, want %d\n%s%s", code, c.code, stdout, stderr)
			}
			if code != exitError {
				if !strings.Contains(stdout, c.want) || stderr != "" {
					t.Errorf("want %q in\n%s%s", c.want, stdout, stderr)
				}
				return
			}
			if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "mcp-lint: "+file+":") || !strings.Contains(stderr, c.want) || stdout != "" {
				t.Errorf("want one line with the file and %q, got\n%s%s", c.want, stdout, stderr)
			}
			// The same from standard input.
			if code, _, stderr := mcpLint(t, c.data, "check", "-"); code != exitError || !strings.HasPrefix(stderr, "mcp-lint: standard input:") {
				t.Errorf("standard input: %d %s", code, stderr)
			}
		})
	}
}

// A report that did not arrive is an error, whichever command wrote it.
func TestLostOutputIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs /dev/full")
	}
	dir := t.TempDir()
	file, lock := filepath.Join(dir, "f.json"), filepath.Join(dir, "l.lock")
	if err := os.WriteFile(file, []byte("["+goodTool+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"check", file},
		{"check", "--format", "json", file},
		{"check", "--format", "sarif", file},
		{"check", "--format", "markdown", file},
		{"ci", "--sandbox=none", dir},
		{"ci", "--sandbox=none", "--format", "github", dir},
		{"lock", "--lock", lock, "--from", file},
		{"lock", "--check", "--lock", lock, "--from", file},
		{"--file", file},
		{"--file", file, "--format", "json"},
		{"--file", file, "-o", "/dev/full"},
		{"check", file, "-o", "/dev/full"},
		{"check", file, "--save", "/dev/full"},
		{"--list-rules"},
		{"rules"},
		{"rules", "description/missing"},
		{"rules", "--format", "json", "-o", "/dev/full"},
		{"version"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: full, stderr: &errs, env: os.LookupEnv}
		if code := a.run(t.Context(), args); code != exitError || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: exit code %d, %s", args, code, &errs)
		}
		full.Close()
	}
}

// Whatever stands on the command line: one line says what is wrong, with
// nothing that a terminal would obey, and no file is left half-written.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string // DIR stands for the test's folder
		want string
	}{
		"NUL in a file":           {[]string{"check", "DIR/a\x00b"}, "invalid argument"},
		"NUL in -f":               {[]string{"-f", "DIR/a\x00b"}, "invalid argument"},
		"NUL in -o":               {[]string{"check", "DIR/good.json", "-o", "DIR/a\x00b"}, "invalid argument"},
		"NUL in --save":           {[]string{"check", "DIR/good.json", "--save", "DIR/a\x00b"}, "invalid argument"},
		"NUL in -c":               {[]string{"check", "DIR/good.json", "-c", "DIR/a\x00b"}, "invalid argument"},
		"NUL in --env":            {[]string{"-e", "A=\x00", "--", "true"}, "--env: expected NAME=VALUE"},
		"NUL in a command":        {[]string{"--", "true\x00"}, "the command could not be started"},
		"line break in a file":    {[]string{"-f", "DIR/a\nmcp-lint: fine"}, `a\nmcp-lint: fine: no such file`},
		"escape in a file":        {[]string{"check", "DIR/\x1b[2J"}, `\u{1B}[2J: no such file`},
		"escape in -o":            {[]string{"check", "DIR/good.json", "-o", "DIR/good.json/\x1b[2J"}, `\u{1B}[2J`},
		"escape in a format":      {[]string{"-f", "DIR/good.json", "--format", "\x1b[2J"}, `--format`},
		"escape in a flag":        {[]string{"check", "--\x1b[2J"}, `\u{1B}[2J`},
		"escape in a command":     {[]string{"\x1b[2Jchec"}, "mcp-lint: "},
		"escape in a rule":        {[]string{"rules", "\x1b[2J"}, "unknown rule"},
		"TAG letters in a file":   {[]string{"-f", "DIR/\U000e0041"}, `\u{E0041}: no such file`},
		"invalid UTF-8 in a file": {[]string{"-f", "DIR/\xff"}, `\x{FF}: no such file`},
		"-o in a file":            {[]string{"-f", "DIR/good.json", "-o", "DIR/good.json/r"}, "not a directory"},
		"-o a folder":             {[]string{"-f", "DIR/good.json", "-o", "DIR"}, "is a directory"},
		"-o under /proc":          {[]string{"-f", "DIR/good.json", "-o", "/proc/nothing/r"}, "write /proc/nothing/r: "},
		"-f a folder":             {[]string{"-f", "DIR"}, "is a directory"},
		"-c a folder":             {[]string{"-f", "DIR/good.json", "-c", "DIR"}, "is a directory"},
		"name too long":           {[]string{"-f", "DIR/good.json", "-o", "DIR/" + strings.Repeat("x", 300)}, "file name too long"},
		"dangling link, read":     {[]string{"-f", "DIR/dangling"}, "no such file"},
		"URL with line break":     {[]string{"--url", "https://a\nb"}, "--url: expected an http or https URL"},
		"header with line break":  {[]string{"--url", "https://a", "-H", "A: b\r\nC: sesame"}, "--header: expected NAME: VALUE"},
		"many names":              {[]string{"-f", strings.Repeat("x", 100_000)}, "file name too long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "good.json"), []byte("["+goodTool+"]"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
				t.Skip(err)
			}
			args := make([]string, len(c.args))
			for i, arg := range c.args {
				args[i] = strings.ReplaceAll(arg, "DIR", dir)
			}
			code, stdout, stderr := mcpLint(t, "", args...)
			first, rest, _ := strings.Cut(stderr, "\n")
			if code != exitError || !strings.HasPrefix(first, "mcp-lint: ") || !strings.Contains(first, c.want) || stdout != "" {
				t.Errorf("exit code %d, want %q in\n%s%s", code, c.want, stdout, stderr)
			}
			if rest != "" && !strings.HasPrefix(rest, "Run 'mcp-lint --help'") {
				t.Errorf("more than one line: %s", stderr)
			}
			if strings.ContainsAny(stderr, "\x00\x1b\U000e0041") || strings.Contains(stderr, "sesame") || len(first) > 3000 {
				t.Errorf("a terminal would obey this: %q", stderr)
			}
			left, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(left) != 2 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// The file that is written first must not need a longer name than the real one.
func TestLongestNameIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, name := filepath.Join(dir, "good.json"), filepath.Join(dir, strings.Repeat("y", 255))
	if err := os.WriteFile(file, []byte("["+goodTool+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Skip(err)
	}
	code, _, stderr := mcpLint(t, "", "check", file, "-o", name)
	if data, err := os.ReadFile(name); code != exitClean || err != nil || len(data) == 0 {
		t.Errorf("exit code %d, %d bytes, %v: %s", code, len(data), err, stderr)
	}
}

func TestUnwritableFolder(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "good.json")
	if err := os.WriteFile(file, []byte("["+goodTool+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) }) // or nobody can remove it
	for _, flag := range []string{"-o", "--save", "--json", "--sarif", "--markdown"} {
		code, _, stderr := mcpLint(t, "", "-f", file, flag, filepath.Join(dir, "r"))
		if code != exitError || !strings.Contains(stderr, "permission denied") {
			t.Errorf("%s: exit code %d, %s", flag, code, stderr)
		}
	}
}

func TestEndlessInputIsRefused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads 128 MB")
	}
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("needs /dev/zero")
	}
	if code, _, stderr := mcpLint(t, "", "check", "/dev/zero"); code != exitError || stderr != "mcp-lint: /dev/zero: larger than 128 MB, which is the most that is read\n" {
		t.Errorf("%d %s", code, stderr)
	}
}
