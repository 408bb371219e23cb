package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fuzzClientFile reads anything under a name, and holds what is promised of
// whatever comes out.
func fuzzClientFile(f *testing.F, file string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		servers, err := ReadClientFile(file, data)
		if err != nil && len(servers) > 0 {
			t.Fatalf("%d servers and %v", len(servers), err)
		}
		if len(servers) > MaxServers {
			t.Fatalf("%d servers", len(servers))
		}
		keys := make(map[string]bool)
		for _, s := range servers {
			for _, w := range s.Words {
				if w.Start < 0 || w.End < w.Start || w.End > len(data) {
					t.Fatalf("%q: bytes %d to %d of %d", w.Text, w.Start, w.End, len(data))
				}
			}
			if argv := s.Argv(); s.Invalid == nil && len(argv) != len(s.Words) {
				t.Fatalf("%d words of %q", len(s.Words), argv)
			}
			if s.Invalid == nil && (s.Command == "") == (s.URL == "") {
				t.Fatalf("%+v: neither command nor url, or both", s)
			}
			if keys[s.Key] {
				t.Fatalf("two servers are %q", s.Key)
			}
			keys[s.Key] = true
			Observe(s)
		}
	})
}

func FuzzClientJSON(f *testing.F) {
	seeds := []string{`{"mcpServers":{"a":{"command":"x","args":["y"],"env":{"A":"b"}}}}`, `{"packages":[{"registryType":"npm","identifier":"a"}],"name":"x"}`,
		`{"mcp":{"a":{"type":"local","command":["x"]}}}`, `{"context_servers":{"a":{"command":{"path":"x"}}}}`}
	files, _ := filepath.Glob("testdata/cases/*.json*")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			seeds = append(seeds, string(data))
		}
	}
	fuzzClientFile(f, "server.json", seeds...)
}

func FuzzClientYAML(f *testing.F) {
	data, _ := os.ReadFile("testdata/cases/C074-continue-config.yaml")
	fuzzClientFile(f, "config.yaml", string(data),
		"extensions:\n  a: {type: stdio, cmd: x, args: [1, 'b']}\n", "mcpServers:\n- name: a\n  <<: &x {command: y}\n- *x\n", "a: |\n b\n", "? a\n: b\n")
}

func FuzzClientTOML(f *testing.F) {
	fuzzClientFile(f, "config.toml", "[mcp_servers.a]\ncommand = \"x\"\nargs = ['y', \"\"\"z\"\"\"]\n", "mcp_servers.a = {command = 'x', env = {A = \"b\"}}\n", "[[mcp_servers]]\na = 1\n")
}

// Reading a hostile file ends soon, whatever it is.
func TestHostileFilesAreCheap(t *testing.T) {
	t.Parallel()
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		before := string(n[0] - 1)
		bomb += "a" + n + ": &a" + n + " [" + strings.Repeat("*a"+before+", ", 8) + "*a" + before + "]\n"
	}
	for name, file := range map[string]struct{ file, data string }{
		"aliases":              {"config.yaml", bomb + "mcpServers: *a9\n"},
		"an alias of itself":   {"config.yaml", "a: &a\n  b: *a\nmcpServers: *a\n"},
		"deep brackets":        {"config.yaml", strings.Repeat("[", maxOther)},
		"deep dashes":          {"config.yaml", strings.Repeat("- ", maxOther/2)},
		"deep keys":            {"config.yaml", strings.Repeat("? ", maxOther/2)},
		"many keys":            {"config.yaml", strings.Repeat("k: 1\n", maxOther/5)},
		"keys at the limit":    {"config.yaml", strings.Repeat("k: 1\n", maxYAMLEntries)},
		"a flow at the limit":  {"config.yaml", "a: {" + strings.Repeat("k: 1,", maxYAMLEntries-1) + "k: 1}"},
		"many merges":          {"config.yaml", "a: &a\n" + strings.Repeat("  k: 1\n", 5000) + "b:\n" + strings.Repeat("  <<: *a\n", 5000)},
		"deep steps":           {"config.yaml", steps()},
		"too large":            {"config.yaml", strings.Repeat("#", maxOther+1)},
		"deep arrays":          {"config.toml", "a = " + strings.Repeat("[", maxOther/2)},
		"deep tables":          {"config.toml", "a = " + strings.Repeat("{a=", maxOther/4)},
		"hidden by texts":      {"config.toml", "a = " + strings.Repeat(`["]",`, maxOther/8)},
		"long dotted key":      {"config.toml", strings.Repeat("a.", maxOther/3) + "a = 1"},
		"many dotted tables":   {"config.toml", strings.Repeat("[[a.b]]\n", maxOther/8)},
		"too large in TOML":    {"config.toml", strings.Repeat("#", maxOther+1)},
		"one line of entries":  {".mcp.json", `{"mcpServers":{` + strings.Repeat(`"a":{},`, 100_000) + `"b":{}}}`},
		"one line of words":    {".mcp.json", `{"mcpServers":{"a":{"command":"x","args":[` + strings.Repeat(`"y",`, 500_000) + `"z"]}}}`},
		"one line of settings": {".mcp.json", `{"mcpServers":{"a":{"command":"x","env":{` + strings.Repeat(`"A":"",`, 400_000) + `"z":""}}}}`},
	} {
		begin := time.Now()
		servers, err := ReadClientFile(file.file, []byte(file.data))
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
		for _, s := range servers {
			Observe(s)
		}
	}
}

// steps nests one level a line.
func steps() string {
	var b strings.Builder
	for i := 0; b.Len() < maxOther/2; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
