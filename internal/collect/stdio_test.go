package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
		{name: "refused for ever", script: "testdata/refused-for-ever.json", kind: Protocol, want: "initialize was refused: error -32602: Unsupported protocol version, expected 2024-11-05"},
		{name: "silence on server/discover", script: "testdata/silent-on-discover.json", tune: func(_ *Command, o *Options) { o.RequestTimeout = 300 * time.Millisecond }, kind: Protocol, want: "initialize was refused: error -32602: Unsupported protocol version: we are older"},
		{name: "noise instead of an answer", script: `{"server":[{"at":"initialize","stdout":"{\n"}]}`, tune: func(_ *Command, o *Options) { o.StartTimeout = 3 * time.Second }, kind: TimedOut, want: `still be downloading; standard output is not clean: "{"`},
		{name: "more than fits into a line", script: `{"server":[` + hello + `,{"at":"tools/list","reply":{"tools":[{"name":{"$repeat":"0123456789abcdef","times":9000000}}]}}]}`, tune: func(_ *Command, o *Options) { o.RequestTimeout = time.Minute }, kind: Protocol, want: "a message is too long: over 128 MB"},
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
	want := []string{
		"server/malformed-handshake capabilities.tools", "server/malformed-handshake serverInfo", "server/protocol-version",
		"server/refused-list resources/templates/list", "server/unrequested-answer",
	}
	if kinds := oddKinds(got); !slices.Equal(kinds, want) {
		t.Errorf("oddities %q, want %q", kinds, want)
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
	if want := `tools/list: paging is broken, cursor "8" came twice`; messages(got) != want {
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
	odd := messages(got)
	if !strings.Contains(odd, "token [redacted] of [argument]") || strings.Contains(odd, "hunter22") {
		t.Errorf("oddities %q", odd)
	}
}

// A server that leaves, one that ignores the end of its input and SIGTERM, and a
// process in a session of its own that keeps the pipes open: nothing is left,
// and soon.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processes that leave their group are only found on Linux")
	}
	for _, script := range []string{"testdata/daemon.json", "testdata/daemon-and-all.json"} {
		c := fakeCommand(t, script)
		c.Env[fakeLog] = filepath.Join(t.TempDir(), "log")
		start := time.Now()
		if _, err := Stdio(t.Context(), c, bare(t)); err != nil {
			t.Fatal(err)
		}
		pid := readLog(t, c)[0].PID
		if pid == 0 {
			t.Fatal("no process was left behind, so nothing is tried")
		}
		// The kernel needs a moment to end what was killed.
		for end := time.Now().Add(2 * time.Second); alive(pid) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		if alive(pid) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Errorf("%s: process %d still lives", script, pid)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: took %s", script, took)
		}
	}
}

// The largest answer that anybody has seen is 2 MB; fifty times that is read.
func TestHundredMegabytes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a second and a gigabyte")
	}
	o := bare(t)
	o.RequestTimeout = time.Minute
	got, err := Stdio(t.Context(), fakeCommand(t, "testdata/hundred-megabytes.json"), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Snapshot.Tools[0].Text("description")); n != 100_000_000 {
		t.Errorf("%d bytes arrived", n)
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
	script := `{"server":[{"at":"start","stderr":"\u001b[1mfetching 170 packages\n"},{"at":"initialize","wait_ms":500000,"reply":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"slow","version":"1"}}}]}`
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
	s, err := startServer(ctx, Command{}, spec, o)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-s.process.Done()
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
