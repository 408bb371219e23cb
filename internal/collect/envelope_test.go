package collect

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestDecodeMessage(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":` + deep + `}}`:                                              `{"a":` + deep + `}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":` + deep + `}}`:               "-32601 no",
		`{"jsonrpc":"2.0","id":1,"error":"no"}`:                                                             `0 "no"`,
		`{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}`:                                            `{"a":1}`,
		`{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}`:                                                   `{"a":1,"a":2}`,
		`{"jsonrpc":"2.0","id":1,"result":null}`:                                                            "null",
		`{"jsonrpc":"2.0","id":1}`:                                                                          "not decoded",
		`{"jsonrpc":"2.0","method":"notifications/progress","params":` + deep + `}`:                         "notifications/progress",
		`{"level":"info","msg":"started"}`:                                                                  "not decoded",
		`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`: "not decoded",
		`{"jsonrpc":"2.0","id":1,"result":{}`:                                                               "not decoded",
		`{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`:                                              "ping",
		`{"jsonrpc":"2.0","id":{},"result":{}}`:                                                             "not decoded",
		`{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":7}}`:                                         "0 ",
	} {
		got := "not decoded"
		m, err := decodeMessage([]byte(line))
		switch m := m.(type) {
		case *jsonrpc.Request:
			got = m.Method
		case *jsonrpc.Response:
			got = string(m.Result)
			if refusal, ok := m.Error.(*jsonrpc.Error); ok {
				got = fmt.Sprintf("%d %s", refusal.Code, refusal.Message)
			}
		}
		if got != want {
			t.Errorf("%.120s: %.80q (%v), want %.80q", line, got, err, want)
		}
	}
}

// What the official decoder takes, ours takes for the same.
func FuzzDecodeMessage(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no"}}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, `{"jsonrpc":"2.0","id":2,"method":"ping","params":{}}`, `{}`, `{"id":null}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		ours, err := decodeMessage(line)
		if err == nil && ours == nil {
			t.Fatal("neither a message nor an error")
		}
		theirs, theirErr := jsonrpc.DecodeMessage(line)
		if err != nil || theirErr != nil {
			return
		}
		a, aCall := ours.(*jsonrpc.Request)
		b, bCall := theirs.(*jsonrpc.Request)
		if aCall != bCall || aCall && (a.Method != b.Method || !reflect.DeepEqual(a.ID, b.ID)) {
			t.Errorf("%q: %+v, the official decoder %+v", line, ours, theirs)
		}
	})
}
