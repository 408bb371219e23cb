package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// httpRelay is a server over stdio that carries each message to the server at
// the URL in its last argument, over Streamable HTTP, and the answers back. What
// the header of a request must say it takes from the message.
func httpRelay() {
	url, session, version := os.Args[len(os.Args)-1], "", ""
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			Method string
			Params struct {
				ProtocolVersion string
				Meta            map[string]json.RawMessage `json:"_meta"`
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			panic(err)
		}
		if named := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]; named != nil {
			if err := json.Unmarshal(named, &version); err != nil {
				panic(err)
			}
		}
		request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(line))
		if err != nil {
			panic(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		for name, value := range map[string]string{"Mcp-Session-Id": session, "MCP-Protocol-Version": version, "Mcp-Method": m.Method} {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		session = cmp.Or(response.Header.Get("Mcp-Session-Id"), session)
		if version == "" {
			version = m.Params.ProtocolVersion
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			panic(err)
		}
		response.Body.Close()
		if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
			var one bytes.Buffer
			if json.Compact(&one, body) == nil {
				fmt.Println(one.String())
			}
			continue
		}
		for event := range strings.Lines(string(body)) {
			if data, ok := strings.CutPrefix(event, "data:"); ok && strings.TrimSpace(data) != "" {
				fmt.Println(strings.TrimSpace(data))
			}
		}
	}
}
