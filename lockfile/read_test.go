package lockfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

const hash64 = `"0000000000000000000000000000000000000000000000000000000000000000"`

// Wherever a lock is cut off, that is what is said, and at its end.
func TestEveryBeginningOfALockIsCutOff(t *testing.T) {
	t.Parallel()
	const whole = "{\n  \"lockfileVersion\": 1,\n  \"servers\": {\n    \"a\": {\"tools\": {}, \"instructions\": \"\\u00e9 [\"}}}"
	if _, err := lockfile.Read("mcp.lock", []byte(whole)); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(whole); n++ {
		cut := whole[:n]
		_, err := lockfile.Read("mcp.lock", []byte(cut))
		want := fmt.Sprintf("mcp.lock:%d:%d: the text ends before", strings.Count(cut, "\n")+1, len(cut)-strings.LastIndex(cut, "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", cut, err, want)
		}
	}
}

func TestReadErrorsNameThePlaceAndTheRemedy(t *testing.T) {
	t.Parallel()
	inServer := func(members string) string {
		return "{\n\"lockfileVersion\": 1,\n\"servers\": {\n\"a\": {" + members + "}}}"
	}
	inTool := func(entry string) string { return inServer("\n\"tools\": {\"x\": " + entry + "}") }
	deep := strings.Repeat(`{"a":`, 80) + "1" + strings.Repeat("}", 80)
	for _, c := range []struct{ name, data, want string }{
		{"empty", " \n", "mcp.lock: the file is empty"},
		{"conflict", "{\n<<<<<<< HEAD\n  \"lockfileVersion\": 1,\n=======\n>>>>>>> x\n}", "mcp.lock:2:1: a merge conflict marker"},
		{"cut off", "{\n\"lockfileVersion\": 1,\n\"servers\": {", "mcp.lock:3:"},
		{"cut off says so", "{\n\"lockfileVersion\": 1,\n\"servers\": {", "cut off"},
		{"no JSON", "{\n  \"a\" 1}", "mcp.lock:2:7: not JSON"},
		{"an array", "[]", "mcp.lock:1:1: not one JSON object"},
		{"two values", "{}\n{}", "mcp.lock:2:1: not JSON"},
		{"text after it", `{"lockfileVersion":1}, "serverInfo":{"lockfileVersion":1,"servers":{}}`, "not one JSON object"},
		{"of another program", "{\"version\": 1, \"tools\": {}}", "no \"lockfileVersion\": this is no lock file of mcp-lint"},
		{"newer", "{\n\"lockfileVersion\": 2, \"what\": 0}", "mcp.lock:2:20: /lockfileVersion: format 2 was written by a newer mcp-lint"},
		{"format 0", `{"lockfileVersion":0}`, "unknown format 0; expected 1"},
		{"format 1.5", `{"lockfileVersion":1.5}`, "newer"},
		{"format as text", `{"lockfileVersion":"1"}`, "/lockfileVersion: found a text; expected a number"},
		{"unknown key", `{"lockfileVersion":1,"server":{}}`, "/server: unknown key; expected one of clientCapabilities, lockfileVersion, servers"},
		{"capabilities", `{"lockfileVersion":1,"clientCapabilities":{"roots":{}}}`, "/clientCapabilities: locked by a client that declared capabilities"},
		{"servers", `{"lockfileVersion":1,"servers":[]}`, "/servers: found an array; expected an object"},
		{"server", `{"lockfileVersion":1,"servers":{"a/b":1}}`, "/servers/a~1b: found a number; expected an object"},
		{"no tools", inServer(""), "mcp.lock:4:6: /servers/a: no \"tools\""},
		{"unknown key in a server", inServer(`"tool":{}`), "/servers/a/tool: unknown key"},
		{"instructions", inServer(`"instructions":1,"tools":{}`), "/servers/a/instructions: found a number; expected a text"},
		{"launch", inServer(`"launch":{"command":"x"},"tools":{}`), "/servers/a/launch/command: unknown key; expected one of sha256, transport"},
		{"tool", inTool("[]"), "mcp.lock:5:16: /servers/a/tools/x: found an array; expected an object"},
		{"incomplete", inTool(`{"definition":{"name":"x"}}`), `/servers/a/tools/x: incomplete; expected "definition" and "sha256"`},
		{"hash", inTool(`{"sha256":1,"definition":{"name":"x"}}`), "/servers/a/tools/x/sha256: found a number"},
		{"definition", inTool(`{"sha256":` + hash64 + `,"definition":"x"}`), "/servers/a/tools/x/definition: found a text; expected an object"},
		{"nameless", inTool(`{"sha256":` + hash64 + `,"definition":{}}`), `no text "name"`},
		{"other name", inTool(`{"sha256":` + hash64 + `,"definition":{"name":"y"}}`), `the definition has the name "y"; expected that of its key, "x"`},
		{"too deep", inTool(`{"sha256":` + hash64 + `,"definition":{"name":"x","a":` + deep + `}}`), "nests 81 levels deep; expected at most 64"},
		{"key twice", inTool(`{"sha256":` + hash64 + `,"definition":{"name":"x",` + "\n" + `"name":"x"}}`), `mcp.lock:6:1: /servers/a/tools/x/definition/name: the key "name" occurs more than once`},
		{"server twice", `{"lockfileVersion":1,"servers":{"a":{"tools":{}},"a":{"tools":{}}}}`, `/servers/a: the server "a" is in the lock more than once`},
		{"tool twice", inServer("\n\"tools\": {\"x\": {},\n\"x\": {}}"), "mcp.lock:6:1: /servers/a/tools/x: the tool \"x\" of the server \"a\" is in the lock more than once, as a merge may leave it; keep one of them, then write the lock anew with `mcp-lint lock`"},
		{"hidden characters are shown", `{"lockfileVersion":1,"servers":{"a` + "\u202e" + `":1}}`, `/servers/a\u{202E}: found`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := lockfile.Read("mcp.lock", []byte(c.data))
			var re *lockfile.ReadError
			if !errors.As(err, &re) {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

func TestLocationIsTheLineOfTheKey(t *testing.T) {
	t.Parallel()
	var f lockfile.File
	f.Set("one", server(t, `{"tools":[{"name":"a"},{"name":"b"}],"resources":[{"uri":"r://1"}]}`))
	f.Set("two", server(t, `{"tools":[{"name":"b"}]}`))
	data := f.Encode()
	read := mustRead(t, data)
	lines := strings.Split(string(data), "\n")
	for _, c := range []struct {
		key  string
		ref  snapshot.Ref
		want string
	}{
		{"one", snapshot.Ref{Kind: snapshot.KindTool, Name: "b"}, `        "b": {`},
		{"one", snapshot.Ref{Kind: snapshot.KindResource, Name: "r://1"}, `        "r://1": {`},
		{"one", snapshot.Ref{Kind: snapshot.KindServer, Name: "x"}, `    "one": {`},
		{"two", snapshot.Ref{Kind: snapshot.KindTool, Name: "absent"}, `    "two": {`},
	} {
		at := read.Location(c.key, c.ref)
		if at.File != "mcp-lint.lock" || at.Line == 0 || lines[at.Line-1] != c.want || at.Column != len(c.want)-len(strings.TrimLeft(c.want, " "))+1 {
			t.Errorf("%s %v is at %+v; expected the line %q", c.key, c.ref, at, c.want)
		}
	}
	if at := read.Location("none", snapshot.Ref{}); at.Line != 0 {
		t.Errorf("an unknown server is at %+v", at)
	}
}

func TestEncodeIsSortedASCIIAndStable(t *testing.T) {
	t.Parallel()
	one := `{"serverInfo":{"name":"n\u00e9","version":"1"},"instructions":"a\r\nb\u200b","tools":[
		{"name":"z","x":1e1,"\ud83d\ude02":"\ud83d\ude02","\ufb33":"\udc00","ttlMs":5},{"name":"a","description":"\udb40\udc41\u007f"}],
		"resources":[{"uri":"f://x","size":5,"annotations":{"lastModified":"x","priority":1}}],"prompts":[]}`
	two := `{"prompts":[],"tools":[{"description":"\udb40\udc41\u007f","name":"a"},{"\ufb33":"\udc00","x":10.0,"\ud83d\ude02":"\ud83d\ude02","name":"z"}],
		"resources":[{"annotations":{"priority":1.0},"uri":"f://x","size":9}],"instructions":"a\nb\u200b","serverInfo":{"version":"1","name":"n\u00e9"}}`
	const want = `{
  "clientCapabilities": {},
  "lockfileVersion": 1,
  "servers": {
    "k\u00e9y": {
      "instructions": "a\nb\u200b",
      "resources": {
        "f://x": {
          "definition": {
            "annotations": {
              "priority": 1
            },
            "uri": "f://x"
          },
          "sha256": "HASH"
        }
      },
      "server": {
        "name": "n\u00e9",
        "version": "1"
      },
      "tools": {
        "a": {
          "definition": {
            "description": "\udb40\udc41\u007f",
            "name": "a"
          },
          "sha256": "HASH"
        },
        "z": {
          "definition": {
            "name": "z",
            "x": 10,
            "\ud83d\ude02": "\ud83d\ude02",
            "\ufb33": "\udc00"
          },
          "sha256": "HASH"
        }
      }
    }
  }
}
`
	var first, second lockfile.File
	first.Set("kéy", server(t, one))
	second.Set("kéy", server(t, two))
	got := string(first.Encode())
	if diff := cmp.Diff(got, string(second.Encode())); diff != "" {
		t.Errorf("the same server gives other bytes:\n%s", diff)
	}
	lines := strings.Split(got, "\n")
	for i, l := range lines {
		if at := strings.Index(l, `"sha256": "`); at >= 0 {
			lines[i] = l[:at] + `"sha256": "HASH"`
		}
	}
	if diff := cmp.Diff(want, strings.Join(lines, "\n")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(got, string(mustRead(t, []byte(got)).Encode())); diff != "" {
		t.Errorf("reading and writing changes it:\n%s", diff)
	}
}

// Whatever names a server gives to its things, the lock can be read again and
// differs in nothing.
func TestLockOfAnyNamesCanBeRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "a\\r\\nb", "\\r\\n", "\\ud800", "\\u0000", "a/b~1", "__proto__", "=======", "\\u202e"} {
		text := strings.ReplaceAll(`{"tools":[{"name":"NAME"}],"prompts":[{"name":"NAME"}],"resources":[{"uri":"NAME"}],"resourceTemplates":[{"uriTemplate":"NAME"}]}`, "NAME", name)
		var f lockfile.File
		f.Set("k", server(t, text))
		again := mustRead(t, f.Encode())
		for _, c := range lockfile.Compare(again.Server("k"), server(t, text), lockfile.Options{}) {
			t.Errorf("%s: %s %s", name, c.Kind, c.Message)
		}
	}
}

func TestStoredHashIsOfTheCanonicalDefinition(t *testing.T) {
	t.Parallel()
	var f lockfile.File
	f.Set("k", server(t, `{"tools":[{"name":"a","x":[1.0,"\r\n"]}]}`))
	want := lockfile.Hash(value(t, `{"x":[1,"\n"],"name":"a"}`))
	if !strings.Contains(string(f.Encode()), `"sha256": "`+want+`"`) {
		t.Errorf("no hash %s in %s", want, f.Encode())
	}
}

func TestByteOrderMarkIsAccepted(t *testing.T) {
	t.Parallel()
	f := mustRead(t, []byte("\xef\xbb\xbf{\"lockfileVersion\":1,\"servers\":{\"a\":{\"tools\":{}}}}"))
	if diff := cmp.Diff([]string{"a"}, f.Keys()); diff != "" {
		t.Error(diff)
	}
}

func FuzzRead(f *testing.F) {
	var file lockfile.File
	file.Set("one", server(f, `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"p":{"type":"string"}}}}],"prompts":[{"name":"p","arguments":[{"name":"x"}]}],"instructions":"i"}`))
	file.Set("one@ci", server(f, `{"tools":[{"name":"a"}],"resources":[{"uri":"x"}],"resourceTemplates":[{"uriTemplate":"y{z}"}]}`))
	f.Add(file.Encode())
	f.Add([]byte(`{"lockfileVersion":1,"servers":{"a":{"tools":{"x":{"sha256":"0","definition":{"name":"x","n":1e999}}}}}}`))
	f.Add([]byte("{\n<<<<<<< a\n"))
	f.Add([]byte(`{"lockfileVersion":1,"servers":{"\ud800":{"tools":{}}}}`))
	f.Add([]byte("{\"lockfileVersion\":1,\"servers\":{}}\n}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := lockfile.Read("x", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x: ") && !strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("an error without place: %v", err)
			}
			return
		}
		once := read.Encode()
		again, err := lockfile.Read("x", once)
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, once)
		}
		if twice := again.Encode(); string(twice) != string(once) {
			t.Errorf("not stable:\n%s\n%s", once, twice)
		}
		for _, key := range read.Keys() {
			for _, c := range lockfile.Compare(again.Server(key), read.Server(key), lockfile.Options{}) {
				if !strings.Contains(c.Message, "hash in the lock") { // the input's may be wrong
					t.Errorf("a change of nothing: %+v", c)
				}
			}
			if _, err := read.Server(key).Snapshot(key); err != nil {
				t.Errorf("locked definitions cannot be linted: %v", err)
			}
		}
	})
}
