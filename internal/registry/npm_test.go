package registry_test

import (
	"slices"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

func TestNPM(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	server.NPM["tides"] = `{"dist-tags": {"latest": "1.4.0", "next": "2.0.0-rc.1", "gone": "9.9.9", "bad": "1.0.0; rm -rf /"},
		"versions": {"1.0.0": {}, "1.2.0": {"deprecated": "use 1.3"}, "1.3.1": {"deprecated": false}, "1.4.0": {}, "1.5.0": {},
			"1.6.0-beta.1": {}, "1.6.0-beta.2": {}, "2.0.0-rc.1": {}, "3.0.0 --evil": {}, "0.9.0": {"deprecated": ""}}}`
	server.NPM["@harbor/berths"] = `{"dist-tags": {"latest": "0.3.0"}, "versions": {"0.3.0": {}}}`
	server.NPM["young"] = `{"dist-tags": {"latest": "1.0.0-beta.3"}, "versions": {"1.0.0-beta.3": {}, "1.0.0-beta.4": {}}}`
	server.NPM["stale"] = `{"dist-tags": {"latest": "3.0.0"}, "versions": {"1.0.0": {}, "2.0.0": {"deprecated": "x"}, "3.0.0": {"deprecated": "x"}}}`
	server.NPM["allstale"] = `{"dist-tags": {"latest": "2.0.0"}, "versions": {"1.0.0": {"deprecated": "x"}, "2.0.0": {"deprecated": "x"}}}`
	server.NPM["empty"] = `{}`

	ask(t, r, registry.EcosystemNPM, []question{
		{"tides", "", "1.4.0"},
		{"tides", "latest", "1.4.0"},
		{"tides", "*", "1.4.0"},
		{"tides", "next", "2.0.0-rc.1"},
		{"tides", "^1.0.0", "1.4.0"}, // latest satisfies it, though 1.5.0 is higher
		{"tides", "1", "1.4.0"},
		{"tides", "1.x", "1.4.0"},
		{"tides", ">=1.5", "1.5.0"},
		{"tides", "<1.4", "1.3.1"},
		{"tides", "~1.2.0", "1.2.0"}, // deprecated, but nothing else satisfies it
		{"tides", ">=1.0.0 <=1.2.0", "1.0.0"},
		{"tides", "1.0.0 - 1.3", "1.3.1"},
		{"tides", "~>1.3", "1.3.1"},
		{"tides", "<1.0.0 || 1.3.x", "1.3.1"},
		{"tides", "^0.9", "0.9.0"},
		{"tides", ">=1.6.0-beta.1 <1.7.0", "1.6.0-beta.2"},
		{"tides", "^1.6.0-beta.1", "1.6.0-beta.2"},
		{"tides", "v1.3.1", "1.3.1"},
		{"tides", "=1.3.1", "1.3.1"},
		{"tides", "1.3.9", "!the npm registry has no version 1.3.9 of tides"},
		{"tides", ">=7", "!no version of tides in the npm registry satisfies \">=7\""},
		{"tides", "gone", "!tides has no tag gone"},
		{"tides", "bad", "!tides has no tag bad"},
		{"tides", "npm:other@1", "!neither a version nor a range nor a tag"},
		{"tides", "git+https://example.com/x", "!neither a version nor a range nor a tag"},
		{"@harbor/berths", "", "0.3.0"},
		{"young", "", "1.0.0-beta.3"}, // latest, even as a pre-release
		{"young", ">=1", "!no version of young"},
		{"stale", "", "1.0.0"},
		{"allstale", "", "2.0.0"},
		{"empty", "", "!no version of empty"},
		{"missing", "", "!the npm registry has no package missing"},
		{"../secret", "", "!its name is none that an npm package can have"},
		{"a b", "", "!its name is none that an npm package can have"},
		{"", "", "!its name is none that an npm package can have"},
	})
	if !slices.Contains(server.Requests(), "GET /npm/@harbor/berths") {
		t.Errorf("%q", server.Requests())
	}
}

// A scope has its own registry where the operator says so: asking another one
// would let anybody register the name there.
func TestNPMScopeRegistry(t *testing.T) {
	t.Parallel()
	inner, _ := start(t)
	inner.NPM["@acme/notes"] = `{"dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {}}}`
	outer, _ := start(t)
	outer.NPM["@acme/notes"] = `{"dist-tags": {"latest": "6.6.6"}, "versions": {"6.6.6": {}}}`
	home := t.TempDir()
	write(t, home+"/.npmrc", "; mine\nregistry="+outer.URL+"/npm/\n@acme:registry = ${INNER}/npm/\n//x/:_authToken=hunter22\n")
	r := resolvers(t, map[string]string{"HOME": home, "INNER": inner.URL})
	ask(t, r, registry.EcosystemNPM, []question{{"@acme/notes", "", "1.0.0"}})
	if asked := outer.Requests(); len(asked) > 0 {
		t.Errorf("the other registry was asked: %q", asked)
	}
}
