package fetch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/sandbox/fetch"
)

func TestParse(t *testing.T) {
	type plan = fetch.Plan
	npm, pypi := fetch.NPM, fetch.PyPI
	for _, c := range []struct {
		line string
		want plan
	}{
		{"npx -y @scope/server@2026.8.31 DIR --flag", plan{npm, []string{"@scope/server@2026.8.31"}, "", []string{"DIR", "--flag"}}},
		{"npx --yes server@~1.2", plan{npm, []string{"server@~1.2"}, "", nil}},
		{"npx --yes server", plan{npm, []string{"server"}, "", nil}},
		{"/usr/local/bin/npx -q server@^1.2", plan{npm, []string{"server@^1.2"}, "", nil}},
		{`C:\tools\npx.cmd server@latest`, plan{npm, []string{"server@latest"}, "", nil}},
		{"npx -y -p a@1.0.0 --package=b run --x", plan{npm, []string{"a@1.0.0", "b"}, "run", []string{"--x"}}},
		{"npm exec -y -- server@1.0.0 a", plan{npm, []string{"server@1.0.0"}, "", []string{"a"}}},
		{"npm x server -- --a", plan{npm, []string{"server"}, "", []string{"--a"}}},
		{"uvx mcp-server-git==2026.10.19 -r .", plan{pypi, []string{"mcp-server-git==2026.10.19"}, "mcp-server-git", []string{"-r", "."}}},
		{"uvx mcp-server-git@2026.10.19", plan{pypi, []string{"mcp-server-git==2026.10.19"}, "mcp-server-git", nil}},
		{"uvx mcp-server-git@latest", plan{pypi, []string{"mcp-server-git"}, "mcp-server-git", nil}},
		{"uvx --from pkg[cli]>=1 tool a", plan{pypi, []string{"pkg[cli]>=1"}, "tool", []string{"a"}}},
		{"uvx --with a,b==2 --from=pkg tool", plan{pypi, []string{"pkg", "a", "b==2"}, "tool", nil}},
		{"uvx --with a[b,c]>=1,<2,d pkg", plan{pypi, []string{"pkg", "a[b,c]>=1,<2", "d"}, "pkg", nil}},
		{"uv tool run pkg", plan{pypi, []string{"pkg"}, "pkg", nil}},
	} {
		t.Run(c.line, func(t *testing.T) {
			got, ok, err := fetch.Parse(strings.Fields(c.line))
			if err != nil || !ok {
				t.Fatalf("%v, %v", ok, err)
			}
			if got.Args = append([]string(nil), got.Args...); len(got.Args) == 0 {
				got.Args = nil
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseRefusesWhatIsNotFromTheRegistry(t *testing.T) {
	for _, line := range []string{
		"npx", "npx -y", "npx -c evil", "npx --registry=http://evil server", "npx --registry http://evil server",
		"npx github:user/repo", "npx user/repo", "npx https://host/x.tgz", "npx ./local", "npx ../up", "npx file:x", "npx a@npm:b@1",
		"npx git+ssh://host/x", "npx -p", "npx --userconfig=x server", "npx a@../../x",
		"uvx", "uvx --from git+https://host/x tool", "uvx --from ./x tool", "uvx --index-url http://evil pkg", "uvx --default-index http://evil pkg",
		"uvx --from x@git+https://h tool", "uvx --with-editable . pkg", "uvx --from --with x", "uvx --python 3.9 pkg",
		// A file or an interpreter, as npm and uv take these words.
		"npx ~", "npx ~/a", "npx a@.", "npx a@~", "npx a.tgz", "npx -y a@1.TAR.GZ", "npx -p a.tar b", "uvx a.whl", "uvx --from a.tar.gz a", "uvx --with a.zip b", "uvx server.py",
		"uvx python@3.12", "uvx python3.12", "uvx PyPy@3.10", "uvx --from python==3.12 x", "uvx a==1@2", "uvx a@==1", "uvx a@==", "uvx a_", "uvx --from= a", "uvx " + strings.Repeat("a", 251), "npx " + strings.Repeat("a", 251), "uvx --with a, pkg", "uvx --with a,,b pkg", "uvx --with a[b pkg",
		// Taken by npm, and not by the server.
		"npm exec a --package=b", "npm x -y a -y", "npm exec a --stdio -- b",
	} {
		_, ok, err := fetch.Parse(strings.Fields(line))
		var failure *fetch.Failure
		if !ok || !errors.As(err, &failure) || failure.Kind != fetch.Unsupported {
			t.Errorf("%s: %v, %v", line, ok, err)
		}
	}
}

func TestParseLeavesOtherCommandsAlone(t *testing.T) {
	for _, line := range []string{"", "node server.js", "npm run build", "npm install x", "uv run server", "uv tool install x", "./npx-like", "./npx x", "uvx/ x", "/uvx/ x", "bin/uvx x", `..\npx.cmd x`, "pipx run x"} {
		if _, ok, err := fetch.Parse(strings.Fields(line)); ok || err != nil {
			t.Errorf("%q: %v, %v", line, ok, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, argv := range launchLines(f) {
		f.Add(strings.Join(argv, "\x00"))
	}
	f.Add("npx\x00-y\x00@a/b@1.0.0\x00x")
	f.Add("uvx\x00--from\x00a[b]==1\x00c")
	f.Fuzz(func(t *testing.T, line string) {
		argv := strings.Split(line, "\x00")
		checkAgreement(t, argv)
		plan, ok, err := fetch.Parse(argv)
		if !ok || err != nil {
			return
		}
		if len(plan.Packages) == 0 {
			t.Fatal("a plan without packages")
		}
		for _, p := range plan.Packages {
			// Nothing that npm, uv or pip could take for an option, a path or
			// an address.
			if strings.HasPrefix(p, "-") || strings.HasPrefix(p, ".") || strings.Contains(p, ":") || strings.Contains(p, "..") && strings.Contains(p, "/..") || strings.Count(p, "/") > 1 {
				t.Errorf("package %q", p)
			}
		}
	})
}

// A refusal is published; the words of the command line may hold a password.
func TestRefusalsQuoteNoValue(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"npx https://user:sesame@host/x.tgz",
		"npx --registry=https://user:sesame@host/ pkg",
		"npx --registry https://user:sesame@host/ pkg",
		"npx -psesame pkg",
		"uvx --from git+https://sesame@host/x tool",
		"uvx --index-url=https://sesame@host/ pkg",
		"uvx sesame@@x",
	} {
		_, _, err := fetch.Parse(strings.Fields(line))
		if err == nil || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
