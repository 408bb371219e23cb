package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// fakeServer is an MCP server over stdio. Its last arguments are a way of
// behaving and a file:
//
//	fakeserver FILE          answers tools/list with the array in FILE
//	fakeserver chatty FILE   the same, with a word on standard output first
//	fakeserver endless FILE  the same, as a first page whose next one is itself
//	fakeserver meets FILE    the same, once three such servers run in the folder
//	fakeserver silent FILE   writes its process number to FILE, ignores SIGTERM
//	                         and never answers tools/list
//	fakeserver case FILE     plays what the case in FILE says
//	fakeserver casecrash FILE the same until tools/list, which it answers by ending with 3
//	fakeserver broken …      says its arguments on standard error and ends with 7
//
// It answers initialize with the name in the variable NAME and the instructions
// in INSTRUCTIONS, or in the file that INSTRUCTIONS_FILE names, and
// ends at once, with a word about it, when the variable CANARY reaches it. The
// variable BANNER makes it draw on standard error, as frameworks do.
func fakeServer() {
	if os.Getenv("CANARY") != "" {
		fmt.Fprintln(os.Stderr, "CANARY arrived")
		os.Exit(9)
	}
	if os.Getenv("BANNER") != "" {
		fmt.Fprint(os.Stderr, strings.Repeat("╭────╮\n│ hi │\n╰────╯\n", 40))
	}
	way, file := "", os.Args[1]
	if len(os.Args) > 2 {
		way, file = os.Args[1], os.Args[2]
	}
	var tools json.RawMessage
	switch way {
	case "case", "casecrash":
		playCase(file, way == "casecrash")
		return
	case "broken":
		fmt.Fprintln(os.Stderr, "Error: cannot use", os.Args[2:])
		fmt.Fprint(os.Stderr, "    at start\n    at main\n    at once\n")
		os.Exit(7)
	case "silent":
		signal.Ignore(syscall.SIGTERM)
		if err := os.WriteFile(file, fmt.Appendln(nil, os.Getpid()), 0o644); err != nil {
			panic(err)
		}
	case "chatty":
		fmt.Println("Listening.")
		fallthrough
	default:
		if way == "meets" {
			meet(3)
		}
		var err error
		if tools, err = os.ReadFile(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	answer(way, tools)
	if way == "silent" {
		select {}
	}
}

// meet waits until so many servers run in the folder, but not for ever.
func meet(n int) {
	if err := os.WriteFile(fmt.Sprintf("here.%d", os.Getpid()), nil, 0o644); err != nil {
		panic(err)
	}
	const longest = time.Minute
	for began := time.Now(); time.Since(began) < longest; time.Sleep(5 * time.Millisecond) {
		here, err := filepath.Glob("here.*")
		if err != nil {
			panic(err)
		}
		if len(here) >= n {
			return
		}
	}
	panic("nobody came")
}

// answer speaks MCP until standard input ends.
func answer(way string, tools json.RawMessage) {
	in := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := map[string]any{}
		switch {
		case m.Method == "initialize":
			result["protocolVersion"] = "2025-11-25"
			result["capabilities"] = map[string]any{"tools": map[string]any{}}
			result["serverInfo"] = map[string]any{"name": cmp.Or(os.Getenv("NAME"), "fake"), "version": "1.0"}
			text := os.Getenv("INSTRUCTIONS")
			if file := os.Getenv("INSTRUCTIONS_FILE"); file != "" {
				raw, err := os.ReadFile(file)
				if err != nil {
					panic(err)
				}
				text = strings.TrimSpace(string(raw))
			}
			if text != "" {
				result["instructions"] = text
			}
		case m.Method == "tools/list" && way == "silent":
			continue
		case m.Method == "tools/list":
			result["tools"] = tools
			if way == "endless" {
				result["nextCursor"] = "again"
			}
		}
		_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}
}

// playCase speaks as a file of testdata/cases has it: what is written at the
// start, and what is replied to which request.
func playCase(file string, crash bool) {
	var c struct {
		Server []struct {
			At     string
			Stderr string
			Times  int
			Reply  json.RawMessage
		}
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		panic(err)
	}
	replies := map[string]json.RawMessage{}
	for _, step := range c.Server {
		if step.Reply != nil {
			replies[step.At] = step.Reply
		}
		fmt.Fprint(os.Stderr, strings.Repeat(step.Stderr, step.Times))
	}
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		if crash && m.Method == "tools/list" {
			os.Exit(3)
		}
		reply := replies[m.Method]
		if reply == nil {
			reply = json.RawMessage("{}")
		}
		_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": reply})
	}
}
