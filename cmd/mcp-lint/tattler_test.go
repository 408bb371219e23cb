package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// tattler is an MCP server over stdio that says aloud what it was handed: its
// arguments and every variable whose name begins with MK_. Its first argument
// is the way in which it does, the second a file for all that it heard:
//
//	texts      in everything that it tells a model, in every form
//	crash      on standard error, before it ends with 3
//	refuse     in the error with which it refuses initialize
//	refuselist in the error with which it refuses tools/list
//	noise      on standard output, between its answers
//	version    as the version of the protocol
//	notalist   as what stands where a list should
//	cursor     as the cursor of a page that comes again and again
//	hang       on both outputs, and never answers tools/list
//	garbage    as the only thing that it ever writes
//
// An argument that begins with "plain-" is said in failures only: nothing marks
// it as a secret, and texts may hold the words of a command line.
func tattler() {
	way, heard, args := os.Args[1], os.Args[2], os.Args[3:]
	var secrets, all []string
	for _, word := range args {
		all = append(all, word)
		if !strings.HasPrefix(word, "plain-") {
			secrets = append(secrets, word)
		}
	}
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "MK_") {
			secrets, all = append(secrets, value), append(all, value)
		}
	}
	note := strings.Join(append(os.Environ(), os.Args...), "\n")
	if err := os.WriteFile(heard, []byte(note), 0o600); err != nil {
		panic(err)
	}
	aloud := strings.Join(all, " ")
	switch way {
	case "crash":
		fmt.Fprintln(os.Stderr, "Error: missing API_KEY; I got", aloud, forms(all))
		os.Exit(3)
	case "garbage":
		fmt.Println(aloud)
		fmt.Println(forms(all))
		fmt.Fprintln(os.Stderr, aloud)
	}
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil || way == "garbage" {
			continue
		}
		if way == "noise" || way == "hang" {
			fmt.Println(aloud)
			fmt.Fprintln(os.Stderr, aloud)
		}
		if way == "refuse" && m.Method == "initialize" || way == "refuselist" && m.Method == "tools/list" {
			_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{
				"code": -32000, "message": "I will not: " + aloud, "data": aloud,
			}})
			continue
		}
		if way == "hang" && m.Method == "tools/list" {
			time.Sleep(time.Minute)
		}
		_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": tattle(way, m.Method, secrets)})
	}
}

// forms are the ways in which a server repeats texts.
func forms(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		quoted, _ := json.Marshal(text)
		nested, _ := json.Marshal(string(quoted))
		for _, form := range []string{
			text, url.QueryEscape(text), url.PathEscape(text), string(quoted), string(nested),
			base64.StdEncoding.EncodeToString([]byte(text)), base64.RawURLEncoding.EncodeToString([]byte(text)),
		} {
			b.WriteString(form + " ")
		}
	}
	return b.String()
}

// tattle is the result for a method.
func tattle(way, method string, secrets []string) map[string]any {
	said := ""
	if way == "texts" {
		said = forms(secrets)
	}
	object := func() map[string]any {
		return map[string]any{
			"type": "object", "description": said, "required": []string{"a" + said},
			"properties": map[string]any{"a" + said: map[string]any{"type": "string", "description": said, "enum": []string{"x", said}, "default": said, "pattern": said}},
		}
	}
	switch method {
	case "initialize", "server/discover":
		version := "2025-11-25"
		if way == "version" {
			version = strings.Join(secrets, " ")
		}
		return map[string]any{
			"protocolVersion": version, "instructions": "Ask for tides. " + said,
			"serverInfo": map[string]any{"name": "tides" + said, "title": said, "version": "1.0" + said},
			"capabilities": map[string]any{"tools": map[string]any{}, "prompts": map[string]any{}, "resources": map[string]any{},
				"experimental": map[string]any{"x" + said: map[string]any{}}},
		}
	case "tools/list":
		switch way {
		case "notalist":
			return map[string]any{"tools": strings.Join(secrets, " ")}
		case "cursor":
			cursor := strings.Join(secrets, " ")
			return map[string]any{"nextCursor": cursor, "tools": []any{map[string]any{"name": "t" + fmt.Sprint(time.Now().UnixNano()), "inputSchema": map[string]any{"type": "object"}}}}
		}
		tool := func(name string) map[string]any {
			return map[string]any{
				"name": name, "title": said, "description": "Lists tides, as " + textMarker + " says. " + said,
				"inputSchema": object(), "outputSchema": object(), "annotations": map[string]any{"title": said, "readOnlyHint": true}, "_meta": map[string]any{"x/" + said: said},
			}
		}
		return map[string]any{"tools": []any{tool("list_tides"), tool("find" + said)}}
	case "prompts/list":
		return map[string]any{"prompts": []any{map[string]any{"name": "p" + said, "description": said, "arguments": []any{map[string]any{"name": said + "a", "description": said}}}}}
	case "resources/list":
		return map[string]any{"resources": []any{map[string]any{"uri": "tides://" + said, "name": "r" + said, "description": said, "mimeType": said}}}
	case "resources/templates/list":
		return map[string]any{"resourceTemplates": []any{map[string]any{"uriTemplate": "tides://{a}" + said, "name": "r" + said, "description": said}}}
	}
	return map[string]any{}
}

// remoteTattler is the same over HTTP. The first segment of the path is the
// way; what it heard is the request's address and header. Ways of its own:
//
//	status     in the body of a 400
//	login      in a 401 with its challenge
//	away       in the Location of a redirect
//	page       as what is no message at all
//	type       as the Content-Type
//	stream     in events that are none
type remoteTattler struct {
	*httptest.Server
	mu    sync.Mutex
	heard []string
}

func newRemoteTattler() *remoteTattler {
	r := &remoteTattler{}
	r.Server = httptest.NewServer(r)
	return r
}

func (s *remoteTattler) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.heard, "\n")
}

func (s *remoteTattler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secrets := []string{r.URL.RawQuery, r.URL.Query().Get("token"), r.Header.Get("X-Secret"), r.Header.Get("Authorization"), r.Header.Get("X-Api-Key")}
	way, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	secrets = append(secrets, strings.Split(rest, "/")...)
	if user, password, ok := r.BasicAuth(); ok {
		secrets = append(secrets, user, password, user+":"+password)
	}
	s.mu.Lock()
	s.heard = append(s.heard, secrets...)
	s.mu.Unlock()
	aloud := strings.Join(secrets, " ")
	oneLine := strings.ReplaceAll(aloud, "\n", " ")
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &m)
	switch way {
	case "status":
		http.Error(w, "Cannot POST "+r.URL.String()+" "+aloud, http.StatusBadRequest)
		return
	case "login":
		w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer realm=%q, resource_metadata=\"https://%s.example/%s\"", oneLine, url.QueryEscape(r.URL.Query().Get("name")), url.QueryEscape(aloud)))
		http.Error(w, aloud, http.StatusUnauthorized)
		return
	case "away":
		w.Header().Set("Location", "https://me:"+url.QueryEscape(aloud)+"@other.example/"+url.PathEscape(aloud)+"?q="+url.QueryEscape(aloud))
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	case "page":
		fmt.Fprint(w, aloud, r.URL.String())
		return
	}
	if len(m.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": tattle(way, m.Method, secrets)}
	if way == "refuse" || way == "refuselist" && m.Method == "tools/list" {
		delete(answer, "result")
		answer["error"] = map[string]any{"code": -32000, "message": "I will not: " + r.URL.String() + " " + aloud}
	}
	w.Header().Set("Content-Type", "application/json")
	raw, _ := json.Marshal(answer)
	switch way {
	case "type":
		w.Header().Set("Content-Type", "text/"+oneLine)
	case "stream":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n: %s\n\ndata: %s\n\n", oneLine, oneLine, raw)
		return
	}
	_, _ = w.Write(raw)
}
