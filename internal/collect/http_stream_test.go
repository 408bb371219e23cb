package collect

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Servers of the time before Streamable HTTP.
func TestRemoteHTTPSSE(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, endpoint string
		status         int
		err            string
	}{
		{"405", "/messages?session=1", http.StatusMethodNotAllowed, ""},
		{"404, relative", "messages?session=1", http.StatusNotFound, ""},
		{"another origin", "https://tides.example/sesame", http.StatusNotFound, "http://127.0.0.1 wants its messages sent to another origin (https://tides.example); not done"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			messages := make(chan rpc, 10)
			f := &fakeHTTP{}
			f.handle = func(w http.ResponseWriter, r *http.Request, m rpc) bool {
				switch {
				case r.Method == http.MethodGet:
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", tt.endpoint)
					w.(http.Flusher).Flush()
					for {
						select {
						case <-r.Context().Done():
							return true
						case m := <-messages:
							result := oneTool
							if m.Method == "initialize" {
								result = helloResult("2024-11-05")
							}
							fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer(m.ID, result))
							w.(http.Flusher).Flush()
						}
					}
				case r.URL.Path == "/messages" && r.URL.RawQuery == "session=1":
					w.WriteHeader(http.StatusAccepted)
					fmt.Fprint(w, "Accepted")
					if len(m.ID) > 0 {
						messages <- m
					}
				default:
					w.WriteHeader(tt.status)
				}
				return true
			}
			got, err := ask(t, f, Address{Header: map[string]string{"X-Team": "tides"}}, remoteOptions())
			for _, m := range f.messages() {
				if m.Header.Get("X-Team") != "tides" {
					t.Errorf("%s: the header is missing", m.Method)
				}
			}
			if tt.err != "" {
				if failure := failureOf(t, err); !strings.Contains(failure.Message, tt.err) || strings.Contains(failure.Message, "sesame") {
					t.Errorf("%s: %s", failure.Kind, failure.Message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if names := toolNames(got.Snapshot); names != "ping_host" || got.Snapshot.ProtocolVersion != "2024-11-05" {
				t.Errorf("tools %q, version %s", names, got.Snapshot.ProtocolVersion)
			}
		})
	}
	t.Run("needs authorization", func(t *testing.T) {
		t.Parallel()
		f := &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, _ rpc) bool {
			w.WriteHeader(map[string]int{http.MethodGet: http.StatusUnauthorized, http.MethodPost: http.StatusMethodNotAllowed}[r.Method])
			return true
		}}
		_, err := ask(t, f, Address{}, remoteOptions())
		if failure := failureOf(t, err); failure.Kind != NeedsAuthorization {
			t.Errorf("%s: %s", failure.Kind, failure.Message)
		}
	})
	t.Run("nothing there", func(t *testing.T) {
		t.Parallel()
		_, err := ask(t, http.NotFoundHandler(), Address{}, remoteOptions())
		if failure := failureOf(t, err); failure.Kind != Protocol || !strings.Contains(failure.Message, "answered initialize with status 404 (Not Found)") {
			t.Errorf("%s: %s", failure.Kind, failure.Message)
		}
	})
}

// However a server stalls, the time that it has is its own.
func TestRemoteStalls(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter, r *http.Request, contentType, text string) {
		w.Header().Set("Content-Type", contentType)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
	for _, tt := range []struct {
		name string
		at   string
		do   func(http.ResponseWriter, *http.Request)
		want string
	}{
		{"silence", "initialize", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "initialize got no answer in time"},
		{"silence while listing", "tools/list", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "tools/list got no answer in time"},
		{"dripping body", "tools/list", func(w http.ResponseWriter, r *http.Request) { drip(w, r, "application/json", " ") }, "tools/list got no answer in time"},
		{"dripping stream", "tools/list", func(w http.ResponseWriter, r *http.Request) { drip(w, r, "text/event-stream", ": still here\n\n") }, "tools/list got no answer in time"},
		{"dripping line", "tools/list", func(w http.ResponseWriter, r *http.Request) { drip(w, r, "text/event-stream", "x") }, "tools/list got no answer in time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
				if m.Method == tt.at {
					tt.do(w, r)
				}
				return m.Method == tt.at
			}}
			o := remoteOptions()
			o.StartTimeout, o.RequestTimeout = 500*time.Millisecond, 500*time.Millisecond
			begun := time.Now()
			_, err := ask(t, f, Address{}, o)
			if failure := failureOf(t, err); failure.Kind != TimedOut || !strings.Contains(failure.Message, tt.want) {
				t.Errorf("%s: %s", failure.Kind, failure.Message)
			}
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	t.Run("silence for good", func(t *testing.T) {
		t.Parallel()
		var silent atomic.Bool
		f := &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			if m.Method == "tools/list" {
				silent.Store(true)
			}
			if silent.Load() {
				<-r.Context().Done()
			} else if m.Method == "initialize" {
				w.Header().Set("Mcp-Session-Id", "s-1") // DELETE hangs, too
			}
			return silent.Load()
		}}
		o := remoteOptions()
		o.RequestTimeout = 300 * time.Millisecond
		begun := time.Now()
		_, err := ask(t, f, Address{}, o)
		if failure := failureOf(t, err); !strings.Contains(failure.Message, "tools/list got no answer in time") {
			t.Errorf("%s: %s", failure.Kind, failure.Message)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
	})
	t.Run("silence on server/discover", func(t *testing.T) {
		t.Parallel()
		f := &fakeHTTP{handle: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			if m.Method == "server/discover" {
				<-r.Context().Done()
				return true
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"we are older"}}`, m.ID)
			return true
		}}
		o := remoteOptions()
		o.RequestTimeout = 300 * time.Millisecond
		begun := time.Now()
		_, err := ask(t, f, Address{}, o)
		if failure := failureOf(t, err); !strings.Contains(failure.Message, "initialize was refused: error -32602: we are older") {
			t.Errorf("%s: %s", failure.Kind, failure.Message)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		at := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			cancel()
			<-r.Context().Done()
		}))
		_, err := Remote(ctx, Address{URL: at}, remoteOptions())
		if failure := failureOf(t, err); failure.Message != "initialize was interrupted" {
			t.Errorf("%s: %s", failure.Kind, failure.Message)
		}
	})
}

// Who does not answer in time is not asked to cancel, which would be one more
// wait. The typed layer wants that now and then, beside the end.
func TestRemoteIsNotAskedToCancel(t *testing.T) {
	t.Parallel()
	f := &fakeHTTP{}
	w := newHTTPWire(t.Context(), Address{URL: serve(t, f)}, remoteOptions().withDefaults(), nil, quoter{secrets: &redactor{}})
	defer w.close()
	for _, message := range []string{"notifications/cancelled", "notifications/initialized"} {
		if err := w.send(t.Context(), []byte(`{"jsonrpc":"2.0","method":"`+message+`"}`)); err != nil {
			t.Error(err)
		}
	}
	if methods := f.methods(); methods != "notifications/initialized" {
		t.Errorf("the server got %q", methods)
	}
}
