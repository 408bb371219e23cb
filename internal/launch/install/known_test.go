package install_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
)

// Which specs are as good as a bad version, for what records can say.
func TestSpecsAgainstRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits    string
		bad, good []string
	}{
		"no limits": {``,
			[]string{"npx tides", "npx tides@latest", "npx tides@1.0.0", "npx tides@^1", "npx tides@beta", "pnpm dlx tides@1"},
			[]string{"npx tide", "npx tides2@1.0.0", "uvx tides", "node a tides", "npx -y other@1.0.0 tides", "npx @acme/tides"}},
		"a stretch without end": {`,"ranges":[{"type":"SEMVER","events":[{"introduced":"1.2.0"}]}]`,
			[]string{"npx tides", "npx tides@latest", "npx tides@1.2.0", "npx tides@3.0.0", "npx tides@>=1.2.0", "npx tides@^1.0.0"},
			[]string{"npx tides@1.1.9", "npx tides@~1.1.0", "npx tides@<1.2.0"}},
		"a stretch with an end": {`,"ranges":[{"type":"SEMVER","events":[{"introduced":"1.2.0"},{"fixed":"1.2.4"}]}]`,
			[]string{"npx tides@1.2.0", "npx tides@1.2.3", "npx tides@<=1.2.3", "npx ‹tides@>=1.2.3 <1.2.4›"},
			[]string{"npx tides", "npx tides@^1.2.0", "npx tides@1.2.4", "npx tides@~1.2.0", "npx tides@1.2.x"}},
		"a stretch to the next minor version": {`,"ranges":[{"type":"SEMVER","events":[{"introduced":"1.2.0"},{"fixed":"1.3.0"},{"introduced":"2.0.0"},{"last_affected":"2.1.4"}]}]`,
			[]string{"npx tides@~1.2.0", "npx tides@~1.2.7", "npx tides@~>1.2.7", "npx tides@1.2.x", "npx tides@1.2", "npx tides@~2.0.3", "npx ‹tides@>=2.1.2 <2.1.5›"},
			[]string{"npx tides@^1.2.0", "npx tides@~1.3.0", "npx tides@~2.1.0", "npx tides@^2.0.0", "npx ‹tides@1.2.0 - 1.3.0›", "npx tides@1.1.x"}},
		"single versions": {`,"versions":["1.2.3","1.2.4"]`,
			[]string{"npx tides@1.2.3", "npx tides@=1.2.4", "npx tides@v1.2.4", "node a tides@1.2.4", "npx -y other@1.0.0 --with=tides@1.2.3"},
			[]string{"npx tides", "npx tides@1.2.5", "npx tides@1.2.x", "npx tides@1.2.3-rc.1", "uvx tides==1.2.3", "node a tides==1.2.3"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := records(t, `{"id":"T-1","affected":[{"package":{"ecosystem":"npm","name":"tides"}`+c.limits+`}]}`)
			for _, line := range c.bad {
				if _, refused := install.Refused(argvOf(line), list); !refused {
					t.Errorf("%s is not refused", line)
				}
			}
			for _, line := range c.good {
				if reason, refused := install.Refused(argvOf(line), list); refused {
					t.Errorf("%s: %s", line, reason)
				}
			}
		})
	}
}

// Every ecosystem that OSV has records for is compared.
func TestRecordsOfEveryEcosystem(t *testing.T) {
	t.Parallel()
	for ecosystem, c := range map[string][3]string{
		"npm":       {"@acme/tides", "deno run npm:@acme/tides@1.2.3/cli", "deno run npm:@acme/tides@1.2.4"},
		"PyPI":      {"tides", "pipx run tides==1.2.3", "pipx run tides==1.2.4"},
		"Go":        {"example.org/tides", "go run example.org/tides@v1.2.3", "go run example.org/tides@v1.2.4"},
		"crates.io": {"tides", "cargo install tides --version 1.2.3", "cargo install tides@1.2.4"},
		"NuGet":     {"Acme.Tides", "dnx acme.tides@1.2.3 --yes", "dnx Acme.Tides@1.2.4"},
		"RubyGems":  {"tides", "gem exec tides:1.2.3", "gem exec -v 1.2.4 tides"},
		"Maven":     {"org.acme:tides", "jbang org.acme:tides:1.2.3", "jbang org.acme:tides:1.2.4"},
	} {
		list := records(t, `{"id":"T-1","affected":[{"package":{"ecosystem":"`+ecosystem+`","name":"`+c[0]+`"},"versions":["1.2.3"]}]}`)
		if _, refused := install.Refused(argvOf(c[1]), list); !refused {
			t.Errorf("%s is not refused", c[1])
		}
		if reason, refused := install.Refused(argvOf(c[2]), list); refused {
			t.Errorf("%s: %s", c[2], reason)
		}
	}
}

// The address of a package in a registry says its scope before its file.
func TestRecordsOfScopedPackagesAreAboutTheirFiles(t *testing.T) {
	t.Parallel()
	list := records(t, `{"id":"T-1","affected":[{"package":{"ecosystem":"npm","name":"@acme/tides"},"versions":["1.2.3"]}]}`)
	for address, want := range map[string]bool{
		"https://npm.example/@acme/tides/-/tides-1.2.3.tgz":          true,
		"https://npm.example/@acme/tides/-/tides-1.2.4.tgz":          false,
		"https://npm.example/@other/tides/-/tides-1.2.3.tgz":         false,
		"https://npm.example/tides/-/tides-1.2.3.tgz":                false,
		"https://npm.example/mirror/@acme/tides/-/tides-1.2.3.tgz?x": true,
	} {
		for _, argv := range [][]string{{"npx", address}, {"node", "a.js", address}} {
			if reason, refused := install.Refused(argv, list); refused != want {
				t.Errorf("%q: refused %t (%s)", argv, refused, reason)
			}
		}
	}
}

// OSV names modules, and go run packages in them.
func TestRecordsOfModulesAreAboutTheirPackages(t *testing.T) {
	t.Parallel()
	list := records(t, `{"id":"T-1","affected":[{"package":{"ecosystem":"Go","name":"example.org/tides"},"versions":["1.2.3"]}]}`)
	for line, want := range map[string]bool{
		"go run example.org/tides/cmd/tides@v1.2.3":     true,
		"go install example.org/tides/cmd/tides@v1.2.3": true,
		"go run example.org/tides/cmd/tides@v1.2.4":     false,
		"go run example.org/tidesmore/cmd/tides@v1.2.3": false,
		"go run example.org@v1.2.3":                     false,
		"node a.js example.org/tides/cmd/tides@v1.2.3":  true,
	} {
		if reason, refused := install.Refused(argvOf(line), list); refused != want {
			t.Errorf("%s: refused %t (%s)", line, refused, reason)
		}
	}
}

func records(t *testing.T, content string) *advisory.List {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	list := &advisory.List{}
	if err := list.Add(path); err != nil {
		t.Fatal(err)
	}
	return list
}
