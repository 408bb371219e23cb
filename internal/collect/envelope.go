package collect

import (
	"encoding/json"
	"errors"
	"fmt"

	expjson "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// decodeMessage reads one JSON-RPC message. The official decoder takes 1,000
// levels of nesting, and real schemas have had more; so it gets the envelope,
// and the result stays as it was written. Parameters are dropped: nothing that
// a server asks or tells a client that only lists depends on them.
func decodeMessage(line []byte) (jsonrpc.Message, error) {
	var whole object
	if err := expjson.Unmarshal(line, &whole, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	envelope := make(object)
	for _, name := range []string{"jsonrpc", "id", "method"} {
		if value, ok := whole[name]; ok {
			envelope[name] = value
		}
	}
	_, isResult := whole["result"]
	_, isError := whole["error"]
	if isResult || isError {
		envelope["result"] = jsontext.Value("{}")
	}
	raw, err := json.Marshal(envelope)
	if err != nil {
		return nil, fmt.Errorf("encode the envelope: %w", err)
	}
	m, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return nil, err
	}
	if response, ok := m.(*jsonrpc.Response); ok {
		response.Result = json.RawMessage(whole["result"])
		if isError && whole["error"].Kind() != 'n' {
			response.Result, response.Error = nil, wireError(whole["error"])
		}
		if response.Result == nil && response.Error == nil {
			return nil, errors.New("an answer without a result")
		}
	}
	return m, nil
}

// wireError reads the error of an answer, whatever shape it has.
func wireError(raw jsontext.Value) *jsonrpc.Error {
	e := decode(raw)
	if e == nil {
		return &jsonrpc.Error{Message: string(raw)}
	}
	refusal := &jsonrpc.Error{Message: e.text("message"), Data: json.RawMessage(e["data"])}
	// A code that is no number stays 0, which no revision uses.
	_ = expjson.Unmarshal(e["code"], &refusal.Code)
	return refusal
}
