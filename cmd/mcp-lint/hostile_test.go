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
	goodTool = `{"name": "find_tides", "description": "` + goodText + `", "inputSchema": {"type": "object", "properties": {}}}`
)

func withMember(member string) string {
	return `{"tools": [{"name": "find_tides", "description": "` + goodText + `", "inputSchema": {"type": "object", "properties": {}}, "x": ` + member + `}]}`
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
		"number of 100 kB":      {withMember(strings.Repeat("9", 100_000)), 0, "1/1 tools clean"},
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
		{"rules"},
		{"rules", "description/missing"},
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
