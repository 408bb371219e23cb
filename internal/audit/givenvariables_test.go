package audit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Where a tree is compared with a base, a variable goes where the base sends it
// and nowhere else, whatever the tree writes for it.
func TestVariablesOfEntriesThatTheBaseLacks(t *testing.T) {
	t.Parallel()
	const secret = "sesame-marker-1"
	// A command that writes what it is given and ends.
	const stdio = `{"tides": {"command": "sh", "args": ["-c", "echo \"asked $TOKEN\" >&2; exit 4"], "passEnv": ["TOKEN"]}}`
	for _, tt := range []struct {
		name, base, head string
		given            bool
		needs            string // "" for an entry that is asked
	}{
		{name: "the same", base: `{"tides": {"url": "AT/mcp", "headerEnv": {"X-Key": "TOKEN"}}}`, given: true},
		{name: "under another name", base: `{"old": {"url": "AT/mcp", "headerEnv": {"X-Key": "TOKEN"}}}`, head: `{"tides": {"url": "AT/mcp", "headerEnv": {"X-Key": "TOKEN"}}}`, given: true},
		{name: "new", base: `{}`, head: `{"tides": {"url": "AT/mcp", "headerEnv": {"X-Key": "TOKEN"}}}`, needs: "TOKEN"},
		{name: "elsewhere", base: `{"tides": {"url": "https://a.example/", "headerEnv": {"X-Key": "TOKEN"}}}`, head: `{"tides": {"url": "AT/mcp", "headerEnv": {"X-Key": "TOKEN"}}}`, needs: "TOKEN"},
		{name: "another variable", base: `{"tides": {"url": "AT/mcp", "headerEnv": {"X-Key": "OTHER"}}}`, head: `{"tides": {"url": "AT/mcp", "headerEnv": {"X-Key": "TOKEN"}}}`, needs: "TOKEN"},
		{name: "in a header", base: `{}`, head: `{"tides": {"url": "AT/mcp", "headers": {"X-Key": "${TOKEN}"}}}`, needs: "TOKEN"},
		{name: "in the path, with a default", base: `{}`, head: `{"tides": {"url": "AT/mcp/${TOKEN:-x}"}}`, needs: "TOKEN"},
		{name: "in the host", base: `{}`, head: `{"tides": {"url": "https://${env:TOKEN}.a.example"}}`, needs: "TOKEN"},
		{name: "not set", base: `{}`, head: `{"tides": {"url": "AT/mcp", "headers": {"X-Key": "${NONE:-y}"}}}`},
		{name: "of every server", base: `{}`, head: `{"tides": {"url": "AT/mcp", "headers": {"X-Home": "${HOME}"}}}`},
		{name: "stdio, the same", base: stdio, given: true},
		{name: "stdio, new", base: `{}`, head: stdio, needs: "TOKEN"},
		{name: "stdio, handed on by the head", base: strings.Replace(stdio, `"TOKEN"]`, `]`, 1), head: stdio, needs: "TOKEN"},
		{name: "stdio, other arguments", base: strings.Replace(stdio, "exit 4", "exit 5", 1), head: stdio, needs: "TOKEN"},
		{name: "stdio, in an argument", base: `{}`, head: `{"tides": {"command": "echo", "args": ["${TOKEN}"]}}`, needs: "TOKEN"},
		{name: "stdio, in a variable", base: `{}`, head: `{"tides": {"command": "echo", "env": {"A": "${TOKEN:-}"}}}`, needs: "TOKEN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			heard, asked := false, false
			at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				asked = true
				heard = heard || r.Header.Get("X-Key") == secret || strings.Contains(r.URL.Path, secret)
				w.WriteHeader(http.StatusInternalServerError)
			}))
			t.Cleanup(at.Close)
			file := func(servers string) string { return `{"servers": ` + strings.ReplaceAll(servers, "AT", at.URL) + `}` }
			head := tt.head
			if head == "" {
				head = tt.base
			}
			dir := trees(t, map[string]string{"head/.mcp-lint.json": file(head), "base/.mcp-lint.json": file(tt.base)})
			rv := review(t, dir, func(e *Engine, _ *Request) {
				e.Remote.Any = true
				e.Env = func(name string) (string, bool) {
					value, ok := map[string]string{"TOKEN": secret, "OTHER": "sesame-other-2", "HOME": "/home/me"}[name]
					return value, ok
				}
			})
			failure := rv.Report.Servers[0].Error
			if failure == nil {
				t.Fatal("none of these servers can be read")
			}
			if strings.Contains(failure.Message, "sesame") {
				t.Errorf("the message says it: %s", failure.Message)
			}
			mu.Lock()
			defer mu.Unlock()
			handedOn := heard || strings.Contains(failure.Message, "asked [redacted]")
			if handedOn != tt.given {
				t.Errorf("given: %v, want %v: %s", handedOn, tt.given, failure.Message)
			}
			want := "needs variables that it does not get: " + tt.needs + ";"
			switch {
			case tt.needs == "" && strings.Contains(failure.Message, "needs variables"):
				t.Errorf("not asked: %s", failure.Message)
			case tt.needs != "" && (asked || failure.Kind != report.ErrNeedsSecret || !strings.HasPrefix(failure.Message, want)):
				t.Errorf("asked %v: %s: %s", asked, failure.Kind, failure.Message)
			}
		})
	}
}
