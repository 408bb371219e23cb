package collect

import (
	"bufio"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// rpc is one message that a fake server got.
type rpc struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Header http.Header
	Path   string
}

const oneTool = `{"tools":[{"name":"ping_host","description":"Ping a host."}]}`

func helloResult(version string) string {
	return `{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"0.1.0"}}`
}

func answer(id json.RawMessage, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// fakeHTTP is a well-behaved server; a test bends what it needs.
type fakeHTTP struct {
	mu       sync.Mutex
	got      []rpc
	requests []*http.Request

	// handle may answer a message itself.
	handle func(w http.ResponseWriter, r *http.Request, m rpc) (done bool)
}

func (f *fakeHTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m := rpc{Header: r.Header.Clone(), Path: r.URL.Path}
	_ = json.Unmarshal(body, &m)
	f.mu.Lock()
	f.got = append(f.got, m)
	f.requests = append(f.requests, r)
	f.mu.Unlock()
	if f.handle != nil && f.handle(w, r, m) {
		return
	}
	f.usual(w, r, m)
}

func (f *fakeHTTP) usual(w http.ResponseWriter, r *http.Request, m rpc) {
	result := ""
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case len(m.ID) == 0:
		w.WriteHeader(http.StatusAccepted)
		return
	case m.Method == "initialize":
		result = helloResult("2025-06-18")
	case m.Method == "tools/list":
		result = oneTool
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, answer(m.ID, result))
}

// methods are the messages that came, in order.
func (f *fakeHTTP) methods() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, m := range f.got {
		names = append(names, m.Method)
	}
	return strings.Join(names, " ")
}

func (f *fakeHTTP) messages() []rpc {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]rpc(nil), f.got...)
}

func serve(t *testing.T, h http.Handler) *url.URL {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return parseURL(t, s.URL+"/mcp")
}

func parseURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func remoteOptions() Options {
	return Options{StartTimeout: 20 * time.Second, RequestTimeout: 10 * time.Second, ClientVersion: "1.2.3"}
}

func ask(t *testing.T, h http.Handler, a Address, o Options) (*Collected, error) {
	t.Helper()
	at := serve(t, h)
	if a.URL != nil {
		at.RawQuery, at.User = a.URL.RawQuery, a.URL.User
	}
	a.URL = at
	return Remote(t.Context(), a, o)
}

func failureOf(t *testing.T, err error) *Failure {
	t.Helper()
	var failure *Failure
	if !errors.As(err, &failure) {
		t.Fatalf("%T: %v, want a *Failure", err, err)
	}
	return failure
}

// A well-behaved server gets the headers of the protocol and the operator's.
func TestRemoteHeaders(t *testing.T) {
	t.Parallel()
	f := &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
		if m.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "s-1")
		}
		return false
	}}
	got, err := ask(t, f, Address{
		URL:    &url.URL{User: url.UserPassword("me", "sesame"), RawQuery: "token=opens"},
		Header: map[string]string{"x-team": "tides", "Host": "tides.example", "Accept-Encoding": "zstd", "Idempotency-Key": "mine"},
	}, remoteOptions())
	if err != nil {
		t.Fatal(err)
	}
	if names := toolNames(got.Snapshot); names != "ping_host" || len(got.Oddities) > 0 {
		t.Errorf("tools %q, oddities %q", names, got.Oddities)
	}
	if methods := f.methods(); methods != "initialize notifications/initialized tools/list " {
		t.Errorf("the server got %q", methods) // the last is DELETE
	}
	for i, m := range f.messages() {
		request := f.requests[i]
		want := map[string]string{
			"X-Team": "tides", "Authorization": "Basic bWU6c2VzYW1l", "User-Agent": "mcp-lint/1.2.3",
			"Mcp-Session-Id": "s-1", "Mcp-Protocol-Version": "2025-06-18", "Accept-Encoding": "gzip", "Idempotency-Key": "mine",
		}
		if i == 0 {
			want["Mcp-Session-Id"], want["Mcp-Protocol-Version"] = "", ""
		}
		for name, value := range want {
			if m.Header.Get(name) != value {
				t.Errorf("%s %s: %s is %q, want %q", request.Method, m.Method, name, m.Header.Get(name), value)
			}
		}
		if request.Host != "tides.example" {
			t.Errorf("%s: host %q", m.Method, request.Host)
		}
		if request.URL.RawQuery != "token=opens" {
			t.Errorf("%s: query %q", m.Method, request.URL.RawQuery)
		}
	}
	if last := f.requests[len(f.requests)-1]; last.Method != http.MethodDelete {
		t.Errorf("the session was not closed: %s", last.Method)
	}
}

// Answers come in many shapes.
func TestRemoteAnswers(t *testing.T) {
	t.Parallel()
	stream := func(format string) func(http.ResponseWriter, rpc) {
		return func(w http.ResponseWriter, m rpc) {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			fmt.Fprintf(w, format, answer(m.ID, oneTool))
		}
	}
	body := func(contentType, format string) func(http.ResponseWriter, rpc) {
		return func(w http.ResponseWriter, m rpc) {
			w.Header().Set("Content-Type", contentType)
			fmt.Fprintf(w, format, answer(m.ID, oneTool))
		}
	}
	for _, tt := range []struct {
		name string
		list func(http.ResponseWriter, rpc)
		odd  string
		err  string
	}{
		{name: "stream", list: stream("event: message\ndata: %s\n\n")},
		{name: "stream with CRLF, comments, mark", list: stream("\ufeff: hi\r\nid: 1\r\ndata\r\n\r\nevent: ping\r\ndata: now\r\n\r\ndata: %s\r\n\r\n")},
		{name: "stream with CR", list: stream("data:%s\r\r")},
		{name: "question before the answer", list: stream("data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"}\n\ndata: %s\n\n")},
		{name: "noise in the stream", list: stream("data: hello\n\ndata: %s\n\n"), odd: `sent what is no message: "hello"`},
		{name: "message over several lines", list: func(w http.ResponseWriter, m rpc) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":%s,\ndata: \"result\":%s}\n\n", m.ID, oneTool)
		}},
		{name: "mark and line breaks", list: func(w http.ResponseWriter, m rpc) {
			w.Header().Set("Content-Type", "application/json")
			var b bytes.Buffer
			_ = json.Indent(&b, []byte(answer(m.ID, oneTool)), "", "\t")
			fmt.Fprint(w, "\ufeff"+strings.ReplaceAll(b.String(), "\n", "\r\n")+"\r\n")
		}},
		{name: "batch", list: body("application/json", "[%s]")},
		{name: "other type", list: body("text/plain", "%s"), odd: `the answer to tools/list has Content-Type "text/plain"`},
		{name: "stream without the answer", list: func(w http.ResponseWriter, _ rpc) {
			w.Header().Set("Content-Type", "text/event-stream")
		}, err: "ended its stream before tools/list was answered"},
		{name: "page", list: body("text/html", "<html>\x1b[31m"), err: `answered tools/list with what is no MCP message: "<html>`},
		{name: "202", list: func(w http.ResponseWriter, _ rpc) { w.WriteHeader(http.StatusAccepted) }, err: "answered tools/list with status 202 and nothing else"},
		{name: "500", list: func(w http.ResponseWriter, _ rpc) { http.Error(w, "no database", http.StatusInternalServerError) }, err: `answered tools/list with status 500 (Internal Server Error): "no database"`},
		{name: "refusal with a status", list: func(w http.ResponseWriter, _ rpc) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no database"}}`)
		}, err: "tools/list was refused: error -32603: no database"},
		{name: "cut short", list: func(w http.ResponseWriter, _ rpc) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"jsonrpc"`)
		}, err: "ended the connection before its answer was complete"},
		{name: "huge headers", list: func(w http.ResponseWriter, _ rpc) {
			w.Header().Set("X-Filler", strings.Repeat("x", 1<<20))
		}, err: "cannot be reached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
				if m.Method == "tools/list" {
					tt.list(w, m)
				}
				return m.Method == "tools/list"
			}}
			got, err := ask(t, f, Address{}, remoteOptions())
			if tt.err != "" {
				failure := failureOf(t, err)
				if !strings.Contains(failure.Message, tt.err) || strings.Contains(failure.Message, "\x1b") || !strings.HasPrefix(failure.Message, "http://127.0.0.1") {
					t.Errorf("%s: %s\nwant %s", failure.Kind, failure.Message, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if names := toolNames(got.Snapshot); names != "ping_host" {
				t.Errorf("tools %q", names)
			}
			if odd := messages(got); odd != tt.odd {
				t.Errorf("oddities %q, want %q", odd, tt.odd)
			}
		})
	}
}

// What the typed layer would drop or refuse comes through as it was sent.
func TestRemoteKeepsMalformedTools(t *testing.T) {
	t.Parallel()
	const tool = `{"name":"odd","description":7,"inputSchema":[],"x":1.0,"x":2}`
	f := &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
		if m.Method != "tools/list" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer(m.ID, `{"tools":[`+tool+`]}`))
		return true
	}}
	got, err := ask(t, f, Address{}, remoteOptions())
	if err != nil {
		t.Fatal(err)
	}
	if saved := strings.Join(strings.Fields(string(got.Snapshot.Save())), ""); !strings.Contains(saved, tool) {
		t.Errorf("the tool is not as it was: %s", saved)
	}
}

// A stream that ends early is taken up behind its last event.
func TestRemoteResumes(t *testing.T) {
	t.Parallel()
	var id json.RawMessage
	f := &fakeHTTP{}
	f.handle = func(w http.ResponseWriter, r *http.Request, m rpc) bool {
		switch {
		case m.Method == "tools/list":
			id = m.ID
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "id: e-1\nretry: 1\ndata:\n\n")
			return true
		case r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == "e-1":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", answer(id, oneTool))
			return true
		}
		return false
	}
	got, err := ask(t, f, Address{}, remoteOptions())
	if err != nil {
		t.Fatal(err)
	}
	if names := toolNames(got.Snapshot); names != "ping_host" {
		t.Errorf("tools %q", names)
	}
}

// One fresh session is asked for when the server loses ours, and no more.
func TestRemoteSessionLoss(t *testing.T) {
	t.Parallel()
	for _, losses := range []int{1, 2} {
		sessions := 0
		f := &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
			if m.Method == "initialize" {
				sessions++
				w.Header().Set("Mcp-Session-Id", fmt.Sprint("s-", sessions))
			}
			if m.Method == "tools/list" && sessions <= losses {
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
				return true
			}
			return false
		}}
		got, err := ask(t, f, Address{}, remoteOptions())
		switch {
		case losses == 1 && (err != nil || toolNames(got.Snapshot) != "ping_host"):
			t.Errorf("one loss: %v", err)
		case losses == 2 && (err == nil || sessions != 2 || !strings.Contains(err.Error(), "lost the session")):
			t.Errorf("two losses: %d sessions, %v", sessions, err)
		}
	}
}

// Servers of another revision: refused with a status or without, stateless.
func TestRemoteVersions(t *testing.T) {
	t.Parallel()
	t.Run("an older one", func(t *testing.T) {
		t.Parallel()
		f := &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
			if m.Method != "initialize" || strings.Contains(string(m.Params), "2024-11-05") {
				return false
			}
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"]}}}`)
			return true
		}}
		if _, err := ask(t, f, Address{}, remoteOptions()); err != nil {
			t.Error(err)
		}
	})
	t.Run("stateless", func(t *testing.T) {
		t.Parallel()
		f := &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			w.Header().Set("Content-Type", "application/json")
			switch {
			case m.Method == "initialize":
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
			case r.Header.Get("Mcp-Protocol-Version") != "2026-07-28" || r.Header.Get("Mcp-Method") != m.Method:
				w.WriteHeader(http.StatusBadRequest)
			case m.Method == "server/discover":
				fmt.Fprint(w, answer(m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"0.1.0"}}`))
			default:
				return false
			}
			return true
		}}
		got, err := ask(t, f, Address{}, remoteOptions())
		if err != nil {
			t.Fatal(err)
		}
		if names := toolNames(got.Snapshot); names != "ping_host" {
			t.Errorf("tools %q; the server got %s", names, f.methods())
		}
	})
}

// HTTP/2 is spoken where the server offers it, with the same outcome.
func TestRemoteHTTP2(t *testing.T) {
	t.Parallel()
	f := &fakeHTTP{}
	s := httptest.NewUnstartedServer(f)
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	o := remoteOptions()
	o.roots = x509.NewCertPool()
	o.roots.AddCert(s.Certificate())
	got, err := Remote(t.Context(), Address{URL: parseURL(t, s.URL+"/mcp")}, o)
	if err != nil {
		t.Fatal(err)
	}
	if names := toolNames(got.Snapshot); names != "ping_host" {
		t.Errorf("tools %q", names)
	}
	for _, r := range f.requests {
		if r.ProtoMajor != 2 {
			t.Errorf("%s in %s, want HTTP/2", r.Method, r.Proto)
		}
	}
}

// Of an address scheme and host are told, whatever fails below HTTP, and
// nothing of the machine that asks.
func TestRemoteCannotBeReached(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for address, want := range map[string]string{
		"http://" + closed.Addr().String() + "/sesame":         "http://127.0.0.1 cannot be reached: connection refused",
		"https://me:sesame@" + closed.Addr().String() + "/":    "https://127.0.0.1 cannot be reached: connection refused",
		"http://no-such-host.invalid/sesame?sesame=sesame#ses": "http://no-such-host.invalid cannot be reached: its name is not found: ",
	} {
		_, err := Remote(t.Context(), Address{URL: parseURL(t, address)}, remoteOptions())
		f := failureOf(t, err)
		if f.Kind != Start || !strings.HasPrefix(f.Message, want) || strings.Contains(f.Message, "sesame") {
			t.Errorf("%s: %s\nwant %s", f.Kind, f.Message, want)
		}
		if rest := strings.TrimPrefix(f.Message, "http"); regexp.MustCompile(`\d:\d`).MatchString(rest) {
			t.Errorf("an address with its port is told: %s", f.Message)
		}
	}
}

// A server that closes a connection on which we have begun to write has said
// nothing: it is asked again over a new one, so that the outcome is no matter of
// chance.
func TestRemoteClosesConnections(t *testing.T) {
	t.Parallel()
	f := &fakeHTTP{}
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	var asked atomic.Int64
	go func() {
		for {
			c, err := at.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				r, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				w := httptest.NewRecorder()
				f.ServeHTTP(w, r)
				said := w.Result()
				said.ContentLength = int64(w.Body.Len())
				if err := said.Write(c); err == nil {
					asked.Add(1)
					_, _ = http.ReadRequest(in) // and no answer
				}
			}()
		}
	}()
	got, err := Remote(t.Context(), Address{URL: parseURL(t, "http://"+at.Addr().String())}, remoteOptions())
	if err != nil {
		t.Fatal(err)
	}
	if names := toolNames(got.Snapshot); names != "ping_host" || len(got.Oddities) > 0 {
		t.Errorf("tools %q, oddities %q", names, got.Oddities)
	}
	for _, m := range f.messages() {
		if _, sent := m.Header["Idempotency-Key"]; sent {
			t.Error("a header without a value was sent")
		}
	}
	if n := asked.Load(); n < 3 {
		t.Errorf("%d connections; want one for each message", n)
	}
}

// Of an address scheme and host are shown, as they were written.
func TestDisplayURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://me:sesame@A.example:8443/sesame?sesame#sesame": "https://A.example",
		"http://[::1]:8080/mcp":                                 "http://[::1]",
		"http://[fe80::1%25eth0]/":                              "http://[fe80::1%eth0]",
		"https://b\u200b\u00fccher.example":                     "https://b",
	} {
		if got := displayURL(parseURL(t, address)); !strings.HasPrefix(got, want) || strings.Contains(got, "\u200b") {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}
