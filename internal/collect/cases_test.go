package collect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What servers were reported to do (C…) or seen to do, each played by a fake
// server from the file of that name, and what comes of it.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file    string
		tools   string
		odd     []string // kind and subject of each oddity, sorted
		version string   // of the protocol
		asked   string   // requests that the servers got, if it matters
	}{
		{file: "C031-stdout-noise", tools: "ping_host", odd: []string{StdoutNoise}},
		{file: "C032-slow-start", tools: "ping_host"},
		{file: "C035-big-line", tools: "big_text"},
		{file: "C037-old-version", version: "2024-11-05"},
		{file: "C038-refused-version", tools: "ping_host", odd: []string{ProtocolVersion + " refused"}, version: "2025-06-18",
			asked: "initialize initialize tools/list"},
		{file: "C040-cursor-loop", tools: "ping_host trace_host", odd: []string{BrokenPaging + " tools/list"},
			asked: "initialize tools/list tools/list"},
		{file: "C041-cursor-empty-end", tools: "ping_host", odd: []string{BrokenPaging + " tools/list"},
			asked: "initialize tools/list tools/list"},
		{file: "C043-server-requests", tools: "ping_host", odd: []string{
			UndeclaredRequest + " elicitation/create", UndeclaredRequest + " roots/list", UndeclaredRequest + " sampling/createMessage"}},
		{file: "C044-list-changed", tools: "trace_host", asked: "initialize tools/list tools/list tools/list"},
		{file: "C049-no-pipelining", tools: "ping_host"},

		{file: "bom", tools: "ping_host", odd: []string{StdoutNoise + " byte order mark"}},
		{file: "crlf", tools: "ping_host"},
		{file: "noise-after-the-last-answer", tools: "ping_host"},
		{file: "stderr-flood", tools: "ping_host"},
		{file: "nested", tools: "ping_host"},

		{file: "capability-true", tools: "ping_host", odd: []string{MalformedHandshake + " capabilities.tools"}},
		{file: "capability-null", tools: "ping_host", odd: []string{MalformedHandshake + " capabilities.prompts"}, asked: "initialize tools/list"},
		{file: "capabilities-missing", tools: "ping_host", odd: []string{MalformedHandshake + " capabilities"}},
		{file: "server-info-text", tools: "ping_host", odd: []string{MalformedHandshake + " serverInfo"}},
		{file: "instructions-array", tools: "ping_host", odd: []string{MalformedHandshake + " instructions"}},

		{file: "unknown-old-version", tools: "ping_host", odd: []string{ProtocolVersion}, version: "1.0"},
		{file: "no-version", tools: "ping_host", odd: []string{ProtocolVersion}},
		{file: "stateless", tools: "ping_host", version: "2026-07-28", asked: "initialize server/discover tools/list"},
		{file: "stateless-nameless", tools: "ping_host", version: "2026-07-28"},
		{file: "stateless-capability-true", tools: "ping_host", odd: []string{MalformedHandshake + " capabilities.tools"}, version: "2026-07-28"},
		{file: "stateless-exits", tools: "ping_host", version: "2026-07-28", asked: "initialize server/discover tools/list"},
		{file: "stateless-version-data", tools: "ping_host", version: "2026-07-28"},

		{file: "empty-cursor-on-and-on", tools: "one two", asked: "initialize tools/list tools/list"},
		{file: "cursor-number", tools: "ping_host", odd: []string{BrokenPaging + " tools/list"}},
		{file: "prompts-refused", tools: "ping_host", odd: []string{RefusedList + " prompts/list", RefusedList + " resources/templates/list"}},
		{file: "list-changed-after", tools: "new", asked: "initialize tools/list prompts/list tools/list"},
		{file: "list-changed-always", tools: "ping_host", odd: []string{UnstableList + " tools/list"},
			asked: "initialize tools/list tools/list tools/list tools/list"},
		{file: "answers-twice", tools: "ping_host", odd: []string{UnrequestedAnswer}},
		{file: "declared-capability", tools: "ping_host"},
		{file: "ignores-end", tools: "ping_host"},
		{file: "daemon", tools: "ping_host"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			c := fakeCommand(t, "testdata/"+tt.file+".json")
			c.Env[fakeLog] = filepath.Join(t.TempDir(), "log")
			begun := time.Now()
			got, err := Stdio(t.Context(), c, bare(t))
			if err != nil {
				t.Fatal(err)
			}
			// Whatever a server waits for, it is not us.
			const longest = 10 * time.Second
			if took := time.Since(begun); took > longest {
				t.Errorf("took %s", took)
			}
			if names := toolNames(got.Snapshot); tt.tools != "" && names != tt.tools {
				t.Errorf("tools %q, want %q", names, tt.tools)
			}
			if kinds := oddKinds(got); !slices.Equal(kinds, tt.odd) {
				t.Errorf("oddities %q, want %q:\n%s", kinds, tt.odd, messages(got))
			}
			if tt.version != "" && got.Snapshot.ProtocolVersion != tt.version {
				t.Errorf("protocol version %q, want %q", got.Snapshot.ProtocolVersion, tt.version)
			}
			if asked := requests(t, c); tt.asked != "" && asked != tt.asked {
				t.Errorf("asked for %s; want %s", asked, tt.asked)
			}
		})
	}
}

// oddKinds are the kinds and subjects of what a server did, sorted.
func oddKinds(c *Collected) (kinds []string) {
	for _, o := range c.Oddities {
		kinds = append(kinds, strings.TrimSpace(o.Kind+" "+o.Subject))
	}
	slices.Sort(kinds)
	return kinds
}

func messages(c *Collected) string {
	var lines []string
	for _, o := range c.Oddities {
		lines = append(lines, o.Message)
	}
	return strings.Join(lines, "\n")
}

// readLog reads what the fake servers of a command logged.
func readLog(t *testing.T, c Command) (lines []logged) {
	t.Helper()
	data, err := os.ReadFile(c.Env[fakeLog])
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var l logged
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// requests are the methods that the fake servers were asked for.
func requests(t *testing.T, c Command) string {
	t.Helper()
	var methods []string
	for _, l := range readLog(t, c) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(l.Message, &m); l.Message != nil && err != nil {
			t.Fatal(err)
		}
		if m.ID != nil && m.Method != "" {
			methods = append(methods, m.Method)
		}
	}
	return strings.Join(methods, " ")
}

// C043: ping is answered with an empty result and what we never declared with
// an error, each at once.
func TestAnswersToServerRequests(t *testing.T) {
	t.Parallel()
	c := fakeCommand(t, "testdata/C043-server-requests.json")
	c.Env[fakeLog] = filepath.Join(t.TempDir(), "log")
	if _, err := Stdio(t.Context(), c, bare(t)); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for _, l := range readLog(t, c) {
		var m struct {
			ID     any
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		if err := json.Unmarshal(l.Message, &m); err != nil {
			t.Fatal(err)
		}
		id, _ := m.ID.(string)
		switch {
		case m.Error != nil && m.Error.Code == -32601:
			answers[id] = "method not found"
		case m.Result != nil:
			answers[id] = string(m.Result)
		}
	}
	want := map[string]string{
		"own-ping": "{}", "own-roots/list": "method not found",
		"own-sampling/createMessage": "method not found", "own-elicitation/create": "method not found",
	}
	for id, answer := range want {
		if answers[id] != answer {
			t.Errorf("%s is answered with %q, want %q", id, answers[id], answer)
		}
	}
}

// C049: each message comes in a write of its own, and the first ones only after
// the answer to the one before.
func TestNothingIsPipelined(t *testing.T) {
	t.Parallel()
	c := fakeCommand(t, "testdata/C049-no-pipelining.json")
	c.Env[fakeLog] = filepath.Join(t.TempDir(), "log")
	if _, err := Stdio(t.Context(), c, bare(t)); err != nil {
		t.Fatal(err)
	}
	reads := map[int]bool{}
	lines := readLog(t, c)
	for _, l := range lines {
		reads[l.Read] = true
	}
	if len(lines) != 3 || len(reads) < 2 {
		t.Errorf("%d messages in %d reads; want initialize, initialized and tools/list, not all at once", len(lines), len(reads))
	}
}

// Tools for clients with roots are not shown to us: the request says so itself.
func TestNoCapabilitiesAreDeclared(t *testing.T) {
	t.Parallel()
	c := fakeCommand(t, "testdata/declared-capability.json")
	c.Env[fakeLog] = filepath.Join(t.TempDir(), "log")
	if _, err := Stdio(t.Context(), c, bare(t)); err != nil {
		t.Fatal(err)
	}
	var m struct {
		Params struct{ Capabilities json.RawMessage }
	}
	if err := json.Unmarshal(readLog(t, c)[0].Message, &m); err != nil || string(m.Params.Capabilities) != "{}" {
		t.Errorf("capabilities %s (%v), want {}", m.Params.Capabilities, err)
	}
}

// The same server gives the same oddities again.
func TestOdditiesDoNotFlap(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"C031-stdout-noise", "C043-server-requests", "answers-twice", "list-changed-always", "noise-after-the-last-answer"} {
		var first []Oddity
		for i := range 8 {
			got, err := Stdio(t.Context(), fakeCommand(t, "testdata/"+file+".json"), bare(t))
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = got.Oddities
			} else if !slices.Equal(got.Oddities, first) {
				t.Errorf("%s: %q, then %q", file, first, got.Oddities)
			}
		}
	}
}
