package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func bare(t *testing.T) Options {
	t.Helper()
	box, err := sandbox.New(sandbox.None, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Sandbox: box, Env: os.LookupEnv, StartTimeout: 20 * time.Second, RequestTimeout: 10 * time.Second}
}

func toolNames(s *snapshot.Snapshot) string {
	var names []string
	for _, tool := range s.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// What servers were reported to do (the case files beside this test), and what
// comes of it.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file  string
		tools string
		odd   string // part of an oddity, "" for none at all
	}{
		{"C031-stdout-noise", "ping_host", "standard output is not clean"},
		{"C032-slow-start", "ping_host", ""},
		{"C035-big-line", "big_text", ""},
		{"C037-old-version", "", ""},
		{"C038-refused-version", "ping_host", ""},
		{"C040-cursor-loop", "ping_host trace_host", "paging is broken"},
		{"C041-cursor-empty-end", "ping_host", "paging is broken"},
		{"C043-server-requests", "ping_host", ""},
		{"C044-list-changed", "trace_host", ""},
		{"C049-no-pipelining", "ping_host", ""},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			got, err := Stdio(t.Context(), fakeCommand(t, "testdata/"+tt.file+".json"), bare(t))
			if err != nil {
				t.Fatal(err)
			}
			if names := toolNames(got.Snapshot); tt.tools != "" && names != tt.tools {
				t.Errorf("tools %q, want %q", names, tt.tools)
			}
			odd := strings.Join(got.Oddities, "\n")
			if tt.odd == "" && odd != "" || !strings.Contains(odd, tt.odd) {
				t.Errorf("oddities %q, want %q", odd, tt.odd)
			}
		})
	}
}

const hello = `{"at":"initialize","reply":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"0.1.0"}}}`

func TestFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		script string
		tune   func(*Command, *Options)
		kind   Kind
		want   string
	}{
		{name: "a variable is missing", script: "testdata/C034-missing-env.json", kind: NeedsSecret, want: "exit code 1 before initialize was answered and asks for a variable; hand it on with --pass-env or passEnv; its last words: error: ACME_TOKEN is required"},
		{name: "crash", script: `{"server":[{"at":"start","stderr":"boom\n"},{"at":"start","exit":7}]}`, kind: Crash, want: "exit code 7 before initialize was answered"},
		{name: "crash while listing", script: `{"server":[` + hello + `,{"at":"tools/list","exit":9}]}`, kind: Crash, want: "exit code 9 before tools/list was answered"},
		{name: "silence", script: `{"server":[]}`, tune: func(_ *Command, o *Options) { o.StartTimeout = 300 * time.Millisecond }, kind: TimedOut, want: "initialize got no answer in time (300ms, --start-timeout or startTimeout)"},
		{name: "silence while listing", script: `{"server":[` + hello + `]}`, tune: func(_ *Command, o *Options) { o.RequestTimeout = 300 * time.Millisecond }, kind: TimedOut, want: "tools/list got no answer in time (300ms, --request-timeout or requestTimeout)"},
		{name: "refused list", script: `{"server":[` + hello + `,{"at":"tools/list","error":{"code":-32603,"message":"no database"}}]}`, kind: Protocol, want: "tools/list was refused: error -32603: no database"},
		{name: "no such program", tune: func(c *Command, _ *Options) { c.Argv = []string{"no-such-program-here", "--token=hunter22"} }, kind: Start, want: "the command could not be started: no program of that name is in PATH"},
		{name: "secret in the last words", script: `{"server":[{"at":"start","stderr":"bad token hunter22-hunter22\n"},{"at":"start","exit":1}]}`, tune: func(c *Command, _ *Options) { c.Env["TOKEN"] = "hunter22-hunter22" }, kind: Crash, want: "bad token [redacted]"},
		{name: "argument in the last words", script: `{"server":[{"at":"start","stderr":"unknown option --token=hunter22\nhunter22 is wrong\n"},{"at":"start","exit":1}]}`, tune: func(c *Command, _ *Options) { c.Argv = append(c.Argv, "--token=hunter22") }, kind: Crash, want: "its last words: unknown option [argument] | [argument] is wrong"},
		{name: "stack trace", script: `{"server":[{"at":"start","stderr":"loading\nError: no such module\n  at a\n  at b\n  at c\n}\nNode.js v20\n"},{"at":"start","exit":1}]}`, kind: Crash, want: "its last words: Error: no such module | } | Node.js v20"},
		{name: "hidden characters in the last words", script: `{"server":[{"at":"start","stderr":"\u001b[31mred\n"},{"at":"start","exit":1}]}`, kind: Crash, want: "[31mred"},
		{name: "malformed message", script: `{"server":[{"at":"initialize","stdout":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\n"}]}`, kind: Protocol, want: "a message cannot be decoded"},
		{name: "list that is no array", script: `{"server":[` + hello + `,{"at":"tools/list","reply":{"tools":{}}}]}`, kind: Protocol, want: "tools/list failed: the result has no list of tools"},
		{name: "tool that is no object", script: `{"server":[` + hello + `,{"at":"tools/list","reply":{"tools":[7]}}]}`, kind: Protocol, want: "the server's answers cannot be read: tools[0] must be an object; found a number"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, o := fakeCommand(t, tt.script), bare(t)
			if tt.tune != nil {
				tt.tune(&c, &o)
			}
			_, err := Stdio(t.Context(), c, o)
			var failure *Failure
			if !errors.As(err, &failure) {
				t.Fatalf("%T: %v, want a *Failure", err, err)
			}
			if failure.Kind != tt.kind || !strings.Contains(failure.Message, tt.want) {
				t.Errorf("%s: %s\nwant %s: …%s…", failure.Kind, failure.Message, tt.kind, tt.want)
			}
			for _, never := range []string{"hunter22", "\x1b", "\n"} {
				if strings.Contains(failure.Message, never) {
					t.Errorf("the message holds %q: %s", never, failure.Message)
				}
			}
		})
	}
}

func TestMalformedEntitiesSurvive(t *testing.T) {
	t.Parallel()
	got, err := Stdio(t.Context(), fakeCommand(t, `{"server":[
		{"at":"initialize","twice":true,"reply":{"protocolVersion":"1.0","capabilities":{"tools":true,"prompts":{},"resources":{}},"serverInfo":"a text","instructions":"Be brief."}},
		{"at":"tools/list","reply":{"tools":[{"name":"a","inputSchema":null,"inputSchema":7,"n":1e400,"description":12}],"ttlMs":5}},
		{"at":"prompts/list","reply":{"prompts":[null,{"name":7}]}},
		{"at":"resources/list","reply":{"resources":[]}},
		{"at":"resources/templates/list","error":{"code":-32601,"message":"no"}}
	]}`), bare(t))
	if err != nil {
		t.Fatal(err)
	}
	s := got.Snapshot
	if raw := string(s.Tools[0].Node.Raw()); raw != `{"name":"a","inputSchema":null,"inputSchema":7,"n":1e400,"description":12}` {
		t.Errorf("tool %s", raw)
	}
	if len(s.Prompts) != 2 || len(s.Resources) != 0 || s.Instructions.Text() != "Be brief." || s.ProtocolVersion != "1.0" {
		t.Errorf("snapshot %+v", s)
	}
	odd := strings.Join(got.Oddities, "\n")
	for _, want := range []string{"capability tools is true", "answered a request that was never sent, or twice", "resources/templates/list is refused"} {
		if !strings.Contains(odd, want) {
			t.Errorf("oddities lack %q:\n%s", want, odd)
		}
	}
}

// New tools on each page do not hide a cursor that never moves: what came until
// then counts, and the list is not read to the limit of pages.
func TestSameCursorWithNewTools(t *testing.T) {
	t.Parallel()
	steps := []string{hello}
	for i := range maxPages + 1 {
		steps = append(steps, fmt.Sprintf(`{"at":"tools/list","nth":%d,"reply":{"tools":[{"name":"tool_%[1]d","inputSchema":{"type":"object"}}],"nextCursor":"8"}}`, i+1))
	}
	got, err := Stdio(t.Context(), fakeCommand(t, `{"server":[`+strings.Join(steps, ",")+`]}`), bare(t))
	if err != nil {
		t.Fatal(err)
	}
	if names := toolNames(got.Snapshot); names != "tool_1 tool_2" {
		t.Errorf("tools %.100q, want the two that came before the cursor was known", names)
	}
	if want := `tools/list: paging is broken, cursor "8" came twice`; strings.Join(got.Oddities, "\n") != want {
		t.Errorf("oddities %q, want %q", got.Oddities, want)
	}
}

// What a server says beside the protocol is quoted as well, without what it was
// handed.
func TestOdditiesHoldNoSecrets(t *testing.T) {
	t.Parallel()
	script := `{"server":[{"at":"start","stdout":"` + strings.Repeat("x", 60) + ` token hunter22-hunter22 of --key=hunter22\n"},` + hello + `,{"at":"tools/list","reply":{"tools":[]}}]}`
	c := fakeCommand(t, script)
	c.Argv = append(c.Argv, "--key=hunter22")
	c.Env["TOKEN"] = "hunter22-hunter22"
	got, err := Stdio(t.Context(), c, bare(t))
	if err != nil {
		t.Fatal(err)
	}
	odd := strings.Join(got.Oddities, "\n")
	if !strings.Contains(odd, "token [redacted] of [argument]") || strings.Contains(odd, "hunter22") {
		t.Errorf("oddities %q", odd)
	}
}

// A server that ignores the end of its input and SIGTERM, and a grandchild in a
// session of its own that keeps the pipes open: nothing is left, and soon.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processes that leave their group are only found on Linux")
	}
	script := `{"server":[{"at":"start","ignore_end":true,"grandchild":true},` + hello + `,{"at":"tools/list","error":{"code":1,"message":"end"}}]}`
	start := time.Now()
	_, err := Stdio(t.Context(), fakeCommand(t, script), bare(t))
	if err == nil {
		t.Fatal("want the refusal, which quotes standard error")
	}
	match := regexp.MustCompile(`grandchild (\d+)`).FindStringSubmatch(err.Error())
	if match == nil {
		t.Fatalf("no pid in %v", err)
	}
	pid, _ := strconv.Atoi(match[1])
	// The kernel needs a moment to end what was killed.
	for end := time.Now().Add(2 * time.Second); alive(pid) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if alive(pid) {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Errorf("grandchild %d still lives", pid)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

// alive tells a running process from one that ended and was not waited for.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// A first start that takes long is not silent.
func TestStandardErrorIsShownWhileAServerStarts(t *testing.T) {
	t.Parallel()
	o := bare(t)
	var mu sync.Mutex
	var said []string
	o.Progress = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, line)
	}
	script := `{"server":[{"at":"start","stderr":"\u001b[1mfetching 170 packages\n"},{"at":"initialize","wait_ms":150000,"reply":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"slow","version":"1"}}}]}`
	if _, err := Stdio(t.Context(), fakeCommand(t, script), o); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if all := strings.Join(said, "\n"); !strings.Contains(all, "fetching 170 packages") || strings.Contains(all, "\x1b") {
		t.Errorf("progress: %q", all)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err := Stdio(ctx, fakeCommand(t, `{"server":[]}`), bare(t))
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("%v, want an interruption", err)
	}
}

// Ending the context kills the server, and its closed pipes may be noticed
// before the request's own context is: it is an interruption all the same, not
// a server that crashed.
func TestAnInterruptionIsNoCrash(t *testing.T) {
	t.Parallel()
	o := bare(t)
	ctx, cancel := context.WithCancel(t.Context())
	spec, failure := prepare(ctx, fakeCommand(t, `{"server":[]}`), o)
	if failure != nil {
		t.Fatal(failure)
	}
	process, err := o.Sandbox.Start(ctx, spec)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{options: o, process: process, odd: &oddities{}}
	s.wire = newTransport(lines(process.Stdin), process.Stdout, s.odd.addf, s.foreign)
	cancel()
	<-process.Done()
	if f := s.explain(ctx, "initialize", io.EOF); f.Kind != TimedOut || !strings.Contains(f.Message, "interrupted") {
		t.Errorf("%s: %s, want an interruption", f.Kind, f.Message)
	}
}

func TestServersGetTheMinimalEnvironment(t *testing.T) {
	t.Setenv("MCP_LINT_CANARY", "must not arrive")
	c := Command{Argv: []string{"sh", "-c", `env >&2; echo "PASSED=$PASSED" >&2; exit 5`}, Env: map[string]string{"PASSED": "yes"}}
	_, err := Stdio(t.Context(), c, bare(t))
	var failure *Failure
	if !errors.As(err, &failure) || strings.Contains(failure.Message, "CANARY") || !strings.Contains(failure.Message, "PASSED=yes") {
		t.Errorf("%v", err)
	}
	env := MinimalEnv(os.LookupEnv)
	if env["PATH"] == "" || env["MCP_LINT_CANARY"] != "" {
		t.Errorf("minimal environment %v", env)
	}
}
