package collect

import (
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// recorder stands between a connection and the typed layer, whatever the
// connection is. It keeps the raw result of each answer, for the typed layer
// drops what it does not know and refuses what is malformed, which is exactly
// what a linter has to see: the layer gets a repaired copy. It may be used
// concurrently.
type recorder struct {
	quoter
	odd *oddities

	mu      sync.Mutex
	asked   map[string]string // method by request ID, of requests without an answer
	answer  json.RawMessage   // result of the last answered request
	changed map[string]int    // list_changed notices by list method
	before  map[string]int    // those that came before the last answer
}

func newRecorder(odd *oddities, q quoter) *recorder {
	return &recorder{quoter: q, odd: odd, asked: make(map[string]string), changed: make(map[string]int)}
}

// sent notes a message on its way to the server.
func (r *recorder) sent(m jsonrpc.Message) {
	if request, ok := m.(*jsonrpc.Request); ok && request.IsCall() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.asked[idText(request.ID)] = request.Method
	}
}

// received notes a message of the server. It returns the message for the typed
// layer, nil for one that must not reach it, and what to reply at once, nil for
// nothing: some servers answer no list while a request of theirs is open.
func (r *recorder) received(m jsonrpc.Message) (pass, reply jsonrpc.Message) {
	switch m := m.(type) {
	case *jsonrpc.Request:
		if m.IsCall() {
			return nil, r.reply(m)
		}
		if lists := changedLists(m.Method); lists != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			for _, list := range lists {
				r.changed[list]++
			}
		}
		return nil, nil // no other notification concerns a client that only lists
	case *jsonrpc.Response:
		if response := r.response(m); response != nil {
			return response, nil
		}
		return nil, nil
	}
	return m, nil
}

// reply answers a request of the server: ping as it must be, and nothing else,
// for we declare no capabilities.
func (r *recorder) reply(m *jsonrpc.Request) jsonrpc.Message {
	if m.Method == "ping" {
		return &jsonrpc.Response{ID: m.ID, Result: json.RawMessage("{}")}
	}
	method := r.foreign(m.Method)
	r.odd.stage(UndeclaredRequest, method, "sent the request \"%s\", for which the client has declared no capability", method)
	return &jsonrpc.Response{ID: m.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found"}}
}

// response keeps the raw result of an answer and repairs it for the typed
// layer. An answer to nothing that was asked is dropped.
func (r *recorder) response(m *jsonrpc.Response) *jsonrpc.Response {
	r.mu.Lock()
	method, known := r.asked[idText(m.ID)]
	delete(r.asked, idText(m.ID))
	if known {
		r.answer, r.before = m.Result, maps.Clone(r.changed)
	}
	r.mu.Unlock()
	if !known {
		r.odd.stage(UnrequestedAnswer, "", "answered a request that was never sent, or twice")
		return nil
	}
	r.odd.answered()
	if m.Error == nil {
		m.Result = repair(method, m.Result)
	}
	return m
}

// result is the raw result of the last request that was answered.
func (r *recorder) result() json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answer
}

// notices counts how often the server said that a list changed: until now, and
// until its last answer. The difference came at some time after it.
func (r *recorder) notices(method string) (now, atAnswer int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed[method], r.before[method]
}

// changedLists are the lists that a notification calls changed, nil for another
// notification.
func changedLists(notification string) []string {
	switch notification {
	case "notifications/tools/list_changed":
		return []string{"tools/list"}
	case "notifications/prompts/list_changed":
		return []string{"prompts/list"}
	case "notifications/resources/list_changed":
		return []string{"resources/list", "resources/templates/list"}
	}
	return nil
}

func idText(id jsonrpc.ID) string { return fmt.Sprintf("%T:%v", id.Raw(), id.Raw()) }
