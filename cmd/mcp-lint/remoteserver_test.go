package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// remoteServer is the MCP server of the scripts, at $REMOTE: /good has one tool,
// /echo repeats everything that it was sent, /login lets nobody in, /moved leads
// to /good and /away to another server.
func remoteServer() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/good", func(w http.ResponseWriter, r *http.Request) {
		answerRemote(w, r, "Lists the high and low tides of one harbour for one day, in metres above chart datum, with their times.")
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		heard := []string{"It heard", r.URL.RawQuery, r.URL.Query().Get("token"), r.Header.Get("X-Token"), r.Header.Get("Authorization"), r.Header.Get("X-Team")}
		if basic, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Basic "); ok {
			plain, _ := base64.StdEncoding.DecodeString(basic)
			heard = append(heard, string(plain))
		}
		answerRemote(w, r, strings.Join(heard, " ")+" and so on, as nobody should ever say it aloud to a model or a person.")
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://login.example/.well-known/sesame"`)
		http.Error(w, "not you: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
	})
	mux.Handle("/moved", http.RedirectHandler("/good", http.StatusTemporaryRedirect))
	mux.Handle("/away", http.RedirectHandler("http://other.example/sesame", http.StatusPermanentRedirect))
	return mux
}

// answerRemote answers one message of a server whose only tool has this
// description.
func answerRemote(w http.ResponseWriter, r *http.Request, description string) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &m); err != nil || len(m.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	result := `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tides","version":"1.0.0"}}`
	if m.Method == "tools/list" {
		text, _ := json.Marshal(description)
		result = fmt.Sprintf(`{"tools":[{"name":"list_tides","description":%s,"annotations":{"readOnlyHint":true},`+
			`"inputSchema":{"type":"object","required":["harbour"],"properties":{`+
			`"harbour":{"type":"string","description":"Name of the harbour."},"limit":{"type":"integer","description":"How many tides at most."}}}}]}`, text)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}
