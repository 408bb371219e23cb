package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

// remoteServer is an MCP server over HTTP and counts its requests.
func remoteServer(t *testing.T) (at string, address netip.AddrPort, requests *atomic.Int32) {
	t.Helper()
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &m); err != nil || len(m.ID) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tides","version":"1"}}`
		if m.Method == "tools/list" {
			result = `{"tools":` + good + `}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	t.Cleanup(s.Close)
	return s.URL, netip.MustParseAddrPort(s.Listener.Addr().String()), requests
}

// In a pull request a remote server is asked when the trusted configuration and
// the operator both allow it, at a public address; otherwise no request leaves.
func TestRemoteServersOfPullRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		head, policy string // servers; SERVER stands for the address
		file         string // of both; "" means .mcp-lint.json
		hosts        []string
		except       bool // the server's address counts as public
		static       bool
		want         string // part of the reason, "" for asked
	}{
		{name: "allowed by both", hosts: []string{"127.0.0.1"}, except: true},
		{name: "allowed by both, a client's file", file: ".mcp.json", hosts: []string{"localhost", "127.0.0.1"}, except: true},
		{name: "no host allowed", except: true, want: "asks no remote servers"},
		{name: "another host allowed", hosts: []string{"tides.example", "*.0.0.1"}, except: true, want: "has not allowed its host"},
		{name: "not public", hosts: []string{"127.0.0.1"}, want: "its address is not one of the public internet"},
		{name: "a fork", hosts: []string{"127.0.0.1"}, except: true, static: true, want: "not asked: fork"},
		{name: "only in the head", policy: `{}`, hosts: []string{"127.0.0.1"}, except: true, want: "the trusted branch does not configure"},
		{name: "another path", policy: `{"tides": {"url": "SERVER/other"}}`, hosts: []string{"127.0.0.1"}, except: true, want: "the trusted branch does not configure"},
		{name: "another header", policy: `{"tides": {"url": "SERVER/mcp"}}`, head: `{"tides": {"url": "SERVER/mcp", "headers": {"X": "y"}}}`,
			hosts: []string{"127.0.0.1"}, except: true, want: "the trusted branch does not configure"},
		{name: "another variable", policy: `{"tides": {"url": "SERVER/mcp"}}`, head: `{"tides": {"url": "SERVER/mcp?${MARKER:-x}"}}`,
			hosts: []string{"127.0.0.1"}, except: true, want: "the trusted branch does not configure"},
		{name: "a variable", policy: `{"tides": {"url": "SERVER/mcp", "headers": {"X": "${MARKER}"}}}`, head: `{"tides": {"url": "SERVER/mcp", "headers": {"X": "${MARKER}"}}}`,
			hosts: []string{"127.0.0.1"}, except: true, want: "needs variables that are not set here: MARKER"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			at, address, requests := remoteServer(t)
			file := func(servers string) string {
				if servers == "" {
					servers = `{"tides": {"url": "SERVER/mcp"}}`
				}
				key := "servers"
				if tt.file != "" {
					key = "mcpServers"
				}
				return `{"` + key + `": ` + strings.ReplaceAll(servers, "SERVER", at) + `}`
			}
			name := tt.file
			if name == "" {
				name = ".mcp-lint.json"
			}
			dir := trees(t, map[string]string{"head/" + name: file(tt.head), "base/" + name: file(tt.policy), "policy/" + name: file(tt.policy)})
			rv := review(t, dir, func(e *Engine, r *Request) {
				r.AllowHosts, r.Static = tt.hosts, tt.static
				if tt.except {
					e.Remote.Except = []netip.AddrPort{address}
				}
			})
			server := rv.Report.Servers[0]
			if tt.want == "" {
				if server.Error != nil || server.Counts.Tools != 1 {
					t.Errorf("not asked: %+v", server.Error)
				}
				return
			}
			if server.Error == nil || !strings.Contains(server.Error.Message, tt.want) {
				t.Errorf("%+v, want %q", server.Error, tt.want)
			}
			if lint := rv.LintCheckRun().Conclusion; lint != report.ActionRequired {
				t.Errorf("the check ended with %s", lint)
			}
			if n := requests.Load(); n > 0 {
				t.Errorf("%d requests left", n)
			}
		})
	}
}

// An engine that nobody told otherwise asks nobody.
func TestRemoteServersAreAskedByNobodyByDefault(t *testing.T) {
	t.Parallel()
	at, _, requests := remoteServer(t)
	dir := trees(t, map[string]string{"head/.mcp-lint.json": `{"servers": {"tides": {"url": "` + at + `"}}}`})
	rv := review(t, dir, nil)
	if failure := rv.Report.Servers[0].Error; failure == nil || requests.Load() > 0 {
		t.Errorf("asked: %d requests", requests.Load())
	}
	rv = review(t, dir, func(e *Engine, _ *Request) { e.Remote.Any = true })
	if failure := rv.Report.Servers[0].Error; failure != nil {
		t.Errorf("not asked: %s", failure.Message)
	}
}

func TestHostPatterns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, host string
		want          bool
	}{
		{"tides.example", "TIDES.example", true}, {"bücher.example", "xn--bcher-kva.example", true}, {"*.tides.example", "a.b.tides.example", true},
		{"*.tides.example", "tides.example", false}, {"*.tides.example", "eviltides.example", false}, {"tides.example", "tides.example.org", false},
		{"::1", "::1", true},
	} {
		if got := matchesHost(tt.pattern, tt.host); got != tt.want {
			t.Errorf("%s, %s: %v", tt.pattern, tt.host, got)
		}
		if !IsHostPattern(tt.pattern) {
			t.Errorf("%s is no pattern", tt.pattern)
		}
	}
	for _, pattern := range []string{"", "*", "*.", "*.com", "https://tides.example", "tides.example:443", "tides.example/mcp", "me@tides.example", "a.*.example", "*.::1"} {
		if IsHostPattern(pattern) {
			t.Errorf("%q is a pattern", pattern)
		}
	}
}
