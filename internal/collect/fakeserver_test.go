package collect

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeScript names the variable that turns the test binary into a fake server
// which plays the script of that file.
const fakeScript = "MCP_LINT_FAKE_SCRIPT"

// fakeLog names the variable with the file to which the fake server appends a
// line for each message that it got, with the number of the read that gave it,
// and for each process that it started.
const fakeLog = "MCP_LINT_FAKE_LOG"

// logged is one of these lines.
type logged struct {
	Read    int
	Message json.RawMessage `json:",omitempty"`
	PID     int             `json:",omitempty"`
}

func TestMain(m *testing.M) {
	if script := os.Getenv(fakeScript); script != "" {
		if err := play(script); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		return
	}
	os.Exit(m.Run())
}

// step is one line of a script: what the server does at start, when a request
// or notification arrives, or in answer to it.
type step struct {
	At     string
	Nth    int // only at the nth request of that method, from 1
	Stdout string
	Stderr string
	Every  int `json:"every_ms"`
	Times  int
	Wait   int `json:"wait_ms"`
	Exit   *int

	UnlessVersion string `json:"unless_version"`
	IfDeclared    string `json:"if_declared"` // only for a client with that capability
	IfSameReadAs  string `json:"if_same_read_as"`
	After         string
	Request       string
	Reply         json.RawMessage
	Error         json.RawMessage
	ThenNotify    string `json:"then_notify"`
	IgnoreEnd     bool   `json:"ignore_end"` // do not leave when standard input ends
	Grandchild    bool   // start a process in a session of its own that keeps the pipes
	Twice         bool   // answer twice
	Before        string // written right before the answer
	End           string // of the answer's line; "\n" for ""
}

// msPerSecond scales the waits of the scripts down.
const msPerSecond = 10

type fake struct {
	steps   []step
	out     *bufio.Writer
	seen    map[string]int
	pending int // own requests without an answer
	reads   map[string]int
	read    int
	queued  []func() error // answers that wait for the pending ones

	declared map[string]json.RawMessage // the client's capabilities
}

func (f *fake) log(l logged) error {
	path := os.Getenv(fakeLog)
	if path == "" {
		return nil
	}
	l.Read = f.read
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	return err
}

func play(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var script struct{ Server []step }
	if err := json.Unmarshal(data, &script); err != nil {
		return err
	}
	f := &fake{steps: script.Server, out: bufio.NewWriter(os.Stdout), seen: map[string]int{}, reads: map[string]int{}}
	for _, s := range f.steps {
		if s.At == "start" {
			if err := f.do(s, nil); err != nil {
				return err
			}
		}
	}
	buffer := make([]byte, 1<<20)
	rest := ""
	for {
		n, err := os.Stdin.Read(buffer)
		f.read++
		rest += string(buffer[:n])
		for {
			line, after, found := strings.Cut(rest, "\n")
			if !found {
				break
			}
			rest = after
			if err := f.message([]byte(line)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			for _, s := range f.steps {
				if s.IgnoreEnd {
					select {}
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (f *fake) message(line []byte) error {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ProtocolVersion string
			Capabilities    map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("the client sent %q: %w", line, err)
	}
	if err := f.log(logged{Message: line}); err != nil {
		return err
	}
	if m.Method == "initialize" {
		f.declared = m.Params.Capabilities
	}
	if m.Method == "" {
		if f.pending--; f.pending == 0 {
			for _, answer := range f.queued {
				if err := answer(); err != nil {
					return err
				}
			}
		}
		return nil
	}
	at := strings.TrimPrefix(m.Method, "notifications/")
	f.seen[at]++
	f.reads[at] = f.read
	for _, s := range f.steps {
		if s.At != at || (s.Nth > 0 && s.Nth != f.seen[at]) ||
			(s.UnlessVersion != "" && s.UnlessVersion == m.Params.ProtocolVersion) ||
			(s.IfDeclared != "" && f.declared[s.IfDeclared] == nil) ||
			(s.IfSameReadAs != "" && f.reads[s.IfSameReadAs] != f.read) {
			continue
		}
		if err := f.do(s, m.ID); err != nil {
			return err
		}
		if s.Reply != nil || s.Error != nil {
			return nil
		}
	}
	return nil
}

func (f *fake) do(s step, id json.RawMessage) error {
	for i := range max(1, s.Times) {
		if i > 0 {
			time.Sleep(time.Duration(s.Every*msPerSecond) * time.Microsecond)
		}
		io.WriteString(os.Stderr, s.Stderr)
	}
	time.Sleep(time.Duration(s.Wait*msPerSecond) * time.Microsecond)
	f.out.WriteString(s.Stdout)
	if s.IgnoreEnd {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
	}
	if s.Grandchild {
		cmd := exec.Command("/bin/sh", "-c", "trap '' TERM HUP; while :; do sleep 1; done")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", cmd.Process.Pid)
		if err := f.log(logged{PID: cmd.Process.Pid}); err != nil {
			return err
		}
	}
	if s.Exit != nil {
		f.out.Flush()
		os.Exit(*s.Exit)
	}
	if s.Request != "" {
		f.pending++
		fmt.Fprintf(f.out, `{"jsonrpc":"2.0","id":"own-%s","method":%q,"params":{}}`+"\n", s.Request, s.Request)
	}
	if s.Reply == nil && s.Error == nil {
		return f.out.Flush()
	}
	answer := func() error {
		body := `"result":` + string(s.Reply)
		if s.Error != nil {
			body = `"error":` + string(s.Error)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte("{"+body+"}")); err != nil {
			return err
		}
		line := s.Before + fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s`, id, expand(compact.String()[1:])) + cmp.Or(s.End, "\n")
		if s.Twice {
			line += line
		}
		f.out.WriteString(line)
		if s.ThenNotify != "" {
			fmt.Fprintf(f.out, `{"jsonrpc":"2.0","method":%q}`+"\n", s.ThenNotify)
		}
		return f.out.Flush()
	}
	if s.After == "all-answered" && f.pending > 0 {
		f.queued = append(f.queued, answer)
		return f.out.Flush()
	}
	return answer()
}

// expand builds what is too long for a script: {"$repeat":"x","times":n} is a
// text, {"$nested":n} a schema of that depth.
func expand(body string) string {
	if before, rest, found := strings.Cut(body, `{"$nested":`); found {
		depth, after, _ := strings.Cut(rest, "}")
		n, err := strconv.Atoi(strings.TrimSpace(depth))
		if err != nil {
			panic(err)
		}
		return before + strings.Repeat(`{"type":"array","items":`, n) + "{}" + strings.Repeat("}", n) + after
	}
	before, rest, found := strings.Cut(body, `{"$repeat":`)
	if !found {
		return body
	}
	object, after, _ := strings.Cut(rest, "}")
	var r struct {
		Unit  string `json:"unit"`
		Times int    `json:"times"`
	}
	if err := json.Unmarshal([]byte(`{"unit":`+object+"}"), &r); err != nil {
		panic(err)
	}
	text, err := json.Marshal(strings.Repeat(r.Unit, r.Times))
	if err != nil {
		panic(err)
	}
	return before + string(text) + after
}

// fakeCommand is the command line of a fake server that plays a script.
func fakeCommand(t *testing.T, script string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := script
	if !strings.HasSuffix(script, ".json") {
		path = filepath.Join(t.TempDir(), "script.json")
		if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	return Command{Argv: []string{self}, Env: map[string]string{fakeScript: path}}
}
