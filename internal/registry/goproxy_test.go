package registry_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

func TestGo(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	for name, body := range map[string]string{
		"example.com/tides/@v/list":        "v1.2.0\nv1.10.0\nv1.3.0\nv2.0.0+incompatible\nv1.11.0\nv1.12.0-rc.1\nv0.0.0-20240101000000-abcdefabcdef\nnonsense\nv1.3\n",
		"example.com/tides/@v/v1.11.0.mod": "module example.com/tides\n\nretract [v1.11.0, v1.11.5] // broken\n",
		"example.com/tides/@v/main.info":   `{"Version": "v1.11.1-0.20250101000000-0123456789ab", "Time": "2025-01-01T00:00:00Z"}`,
		"example.com/tides/@v/v1.3.0.info": `{"Version": "v1.3.0"}`,
		"example.com/tides/@v/evil.info":   `{"Version": "v1.3.0; rm -rf /"}`,

		"example.com/untagged/@v/list": "",
		"example.com/untagged/@latest": `{"Version": "v0.0.0-20250101000000-0123456789ab"}`,

		"example.com/early/@v/list":               "v0.1.0-alpha.1\nv0.1.0-alpha.2\n",
		"example.com/early/@v/v0.1.0-alpha.2.mod": "module example.com/early\n",

		"example.com/old/@v/list":                    "v1.0.0\nv3.0.0+incompatible\n",
		"example.com/old/@v/v1.0.0.mod":              "module example.com/old\n",
		"example.com/old/@v/v3.0.0+incompatible.mod": "module example.com/old\n",

		"example.com/!big/@v/list":           "v1.0.0\n",
		"example.com/!big/@v/v1.0.0.mod":     "module example.com/Big\n",
		"example.com/tides/v2/@v/list":       "v2.1.0\nv1.0.0\n",
		"example.com/tides/v2/@v/v2.1.0.mod": "module example.com/tides/v2\n",
	} {
		server.Go[name] = body
	}
	ask(t, r, registry.EcosystemGo, []question{
		{"example.com/tides", "latest", "v1.10.0"},         // 1.11.0 is retracted, 2.0.0 has no go.mod
		{"example.com/tides/cmd/tides-mcp", "", "v1.10.0"}, // the module is a prefix
		{"example.com/tides", "v1", "v1.10.0"},             // not v1.12.0-rc.1
		{"example.com/tides", "v1.3", "v1.3.0"},
		{"example.com/tides", "v1.3.0", "v1.3.0"},
		{"example.com/tides", "<v1.10.0", "v1.3.0"},
		{"example.com/tides", ">=v1.2.1", "v1.3.0"},
		{"example.com/tides", ">v1.10.0", "v1.12.0-rc.1"},
		{"example.com/tides", "main", "v1.11.1-0.20250101000000-0123456789ab"},
		{"example.com/tides", "v9", "!no version of the module example.com/tides satisfies \"v9\""},
		{"example.com/tides", "v1.9.9", "!the module proxies know no such version"},
		{"example.com/tides", "nosuchbranch", "!the module proxies know no such version"},
		{"example.com/tides", "a/b", "!no revision that a module proxy can be asked for"},
		{"example.com/tides/v2/cmd/x", "", "v2.1.0"},
		{"example.com/untagged", "", "v0.0.0-20250101000000-0123456789ab"},
		{"example.com/early", "", "v0.1.0-alpha.2"},
		{"example.com/old", "", "v3.0.0+incompatible"},
		{"example.com/Big", "", "v1.0.0"},
		{"example.com/none", "", "!the module proxies know no such version"},
		{"fmt", "", "!its path is none of a Go package that can be fetched"},
		{"./cmd/x", "", "!its path is none of a Go package"},
		{"example.com/" + strings.Repeat("a/", 50) + "a", "", "!its path is none of a Go package"},
	})
	if _, err := r.Resolve(t.Context(), registry.Package{Ecosystem: registry.EcosystemGo, Name: "example.com/tides", Spec: "evil"}); err == nil {
		t.Error("a version that is none was accepted")
	}
}

func TestGoProxyList(t *testing.T) {
	t.Parallel()
	one, _ := start(t)
	two, _ := start(t)
	two.Go["example.com/x/@v/list"] = "v1.0.0\n"
	two.Go["example.com/x/@v/v1.0.0.mod"] = "module example.com/x\n"
	dead := "http://127.0.0.1:1"
	for setting, want := range map[string]string{
		one.URL + "/go," + two.URL + "/go":      "v1.0.0",
		dead + "|" + two.URL + "/go":            "v1.0.0",
		one.URL + "/go,direct":                  "!the module proxies know no such version",
		"direct":                                "!the module proxies know no such version",
		"off":                                   "!GOPROXY=off",
		one.URL + "/go,off":                     "!GOPROXY=off",
		one.URL + "/go, " + two.URL + "/go,off": "v1.0.0",
	} {
		ask(t, resolvers(t, map[string]string{"GOPROXY": setting}), registry.EcosystemGo, []question{{"example.com/x", "", want}})
	}
	// After a comma, a proxy that fails is the end.
	r := resolvers(t, map[string]string{"GOPROXY": dead + "," + two.URL + "/go"})
	if v, err := r.Resolve(t.Context(), registry.Package{Ecosystem: registry.EcosystemGo, Name: "example.com/x"}); err == nil {
		t.Errorf("%s, want the failure of the first proxy", v)
	}
	before := len(two.Requests())
	ask(t, resolvers(t, map[string]string{"GOPROXY": two.URL + "/go", "GOPRIVATE": "example.com"}), registry.EcosystemGo,
		[]question{{"example.com/x", "", "!example.com/x is private"}})
	if asked := two.Requests()[before:]; len(asked) > 0 {
		t.Errorf("a proxy was asked for a private module: %q", asked)
	}
}
