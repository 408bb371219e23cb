package pin_test

import (
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/pin"
	"github.com/mcp-lint/mcp-lint/internal/registry"
	"github.com/mcp-lint/mcp-lint/internal/registry/registrytest"
)

const manifest = `{"schemaVersion": 2, "manifests": []}`

// start starts a server that has some of everything, and a pinner that asks it.
func start(t testing.TB) (*registrytest.Server, *pin.Pinner) {
	t.Helper()
	server := registrytest.Start()
	t.Cleanup(server.Close)
	server.NPM["tides"] = `{"dist-tags": {"latest": "1.4.0", "next": "2.0.0-rc.1"}, "versions": {"1.3.1": {}, "1.4.0": {}, "2.0.0-rc.1": {}}}`
	server.NPM["@harbor/berths"] = `{"dist-tags": {"latest": "0.3.0"}, "versions": {"0.3.0": {}}}`
	server.NPM["postmark-mcp"] = `{"dist-tags": {"latest": "1.0.16"}, "versions": {"1.0.12": {}, "1.0.16": {}}}`
	server.PyPI["orchard-mcp"] = `{"files": [{"filename": "orchard_mcp-0.9.2-py3-none-any.whl"}, {"filename": "orchard_mcp-1.0.0.tar.gz"}]}`
	server.PyPI["epochs"] = `{"files": [{"filename": "epochs-1!1.0.tar.gz"}]}`
	server.Go["example.com/tides/@v/list"] = "v1.2.0\n"
	server.Go["example.com/tides/@v/v1.2.0.mod"] = "module example.com/tides\n"
	server.Images["foundry/mcp:latest"] = manifest
	server.Images["foundry/mcp:2.0.1"] = manifest
	return server, pinner(t, server.Environment())
}

func pinner(t testing.TB, environment map[string]string) *pin.Pinner {
	t.Helper()
	settings, err := registry.FromEnvironment(func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	bad, err := advisory.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return &pin.Pinner{
		Registries: registry.Remember(registry.New(&http.Client{}, settings)), Bad: bad, Read: launch.ReadClientFile,
	}
}

// line is a command line as a list of JSON.
func line(words ...string) string {
	return `{"mcpServers": {"one": {"command": "` + words[0] + `", "args": ["` + strings.Join(words[1:], `", "`) + `"]}}}`
}

// Every way to name a package keeps its way.
func TestSpellings(t *testing.T) {
	t.Parallel()
	server, p := start(t)
	image := server.Host() + "/foundry/mcp"
	digest := "@" + registrytest.Digest(manifest)
	for _, tt := range []struct {
		words []string
		was   string // the package's word …
		want  string // … becomes this
	}{
		{[]string{"npx", "-y", "tides"}, "tides", "tides@1.4.0"},
		{[]string{"npx", "-y", "tides@latest"}, "tides@latest", "tides@1.4.0"},
		{[]string{"npx", "-y", "tides@next", "--port", "1"}, "tides@next", "tides@2.0.0-rc.1"},
		{[]string{"npx", "-y", "tides@^1.3.0"}, "tides@^1.3.0", "tides@1.4.0"},
		{[]string{"npx", "-y", "@harbor/berths"}, "@harbor/berths", "@harbor/berths@0.3.0"},
		{[]string{"npx", "--package=tides@1", "tides"}, "tides@1", "tides@1.4.0"},
		{[]string{"npx", "-p", "t@npm:tides@1", "tides"}, "t@npm:tides@1", "t@npm:tides@1.4.0"},
		{[]string{"cmd", "/c", "npx", "-y", "tides"}, "tides", "tides@1.4.0"},
		{[]string{"env", "A=1", "bunx", "tides"}, "tides", "tides@1.4.0"},
		{[]string{"uvx", "orchard-mcp"}, "orchard-mcp", "orchard-mcp==1.0.0"},
		{[]string{"uvx", "orchard-mcp@latest"}, "orchard-mcp@latest", "orchard-mcp@1.0.0"},
		{[]string{"uvx", "--from", "orchard-mcp[cli]<1", "orchard"}, "orchard-mcp[cli]<1", "orchard-mcp[cli]==0.9.2"},
		{[]string{"uvx", "--from=Orchard_MCP", "orchard"}, "Orchard_MCP", "Orchard_MCP==1.0.0"},
		{[]string{"pip", "install", "orchard-mcp >= 0.9 ; python_version > '3'"}, "orchard-mcp >= 0.9 ;", "orchard-mcp==1.0.0 ;"},
		{[]string{"uvx", "epochs"}, "epochs", "epochs==1!1.0"},
		{[]string{"docker", "run", "-i", "--rm", image}, image, image + digest},
		{[]string{"docker", "run", "-i", "--rm", image + ":2.0.1", "--stdio"}, image + ":2.0.1", image + ":2.0.1" + digest},
		{[]string{"bash", "-c", "cd x && npx -y tides@latest --name y"}, "tides@latest", "tides@1.4.0"},
		{[]string{"bash", "-c", "uvx 'orchard-mcp>=0.9' --x"}, "orchard-mcp>=0.9", "orchard-mcp==1.0.0"},
		{[]string{"sh", "-c", "docker run --rm " + image + ":2.0.1"}, image + ":2.0.1", image + ":2.0.1" + digest},
	} {
		before := line(tt.words...)
		result, err := p.File(t.Context(), "mcp.json", []byte(before))
		if err != nil || len(result.Left)+len(result.Failures) > 0 {
			t.Errorf("%q: %v, left %+v, failures %+v", tt.words, err, result.Left, result.Failures)
			continue
		}
		if want := strings.Replace(before, tt.was, tt.want, 1); string(result.Data) != want {
			t.Errorf("%q:\n%s, want\n%s", tt.words, result.Data, want)
		}
	}
}

// What is pinned already stays, and so does what starts nothing.
func TestNothingToDo(t *testing.T) {
	t.Parallel()
	server, p := start(t)
	for _, words := range [][]string{
		{"npx", "-y", "tides@1.3.1"},
		{"uvx", "orchard-mcp==0.9.2"},
		{"pip", "install", "orchard-mcp==0.9.2"},
		{"node", "dist/index.js"},
		{"uvx", "--from", ".", "x"},
		{"docker", "run", "foundry/mcp@sha256:" + strings.Repeat("4b", 32)},
	} {
		before := line(words...)
		result, err := p.File(t.Context(), "mcp.json", []byte(before))
		if err != nil || len(result.Changes)+len(result.Left)+len(result.Failures) > 0 || string(result.Data) != before {
			t.Errorf("%q: %+v, %v", words, result, err)
		}
	}
	remote := `{"mcpServers": {"far": {"url": "https://example.com/mcp"}}}`
	if result, err := p.File(t.Context(), "mcp.json", []byte(remote)); err != nil || len(result.Left) > 0 {
		t.Errorf("a remote server: %+v, %v", result, err)
	}
	if asked := server.Requests(); len(asked) > 0 {
		t.Errorf("registries were asked: %q", asked)
	}
}

// What cannot be pinned is named with the reason, and the rest is pinned.
func TestLeft(t *testing.T) {
	t.Parallel()
	server, p := start(t)
	for _, tt := range []struct {
		words     []string
		pkg, says string
	}{
		{[]string{"npx", "nosuch"}, "nosuch", "the npm registry has no package nosuch"},
		{[]string{"npx", "tides@>=7"}, "tides", "no version of tides"},
		{[]string{"npx", "tides@${VERSION}"}, "tides", "a variable is part of it"},
		{[]string{"npx", "postmark-mcp"}, "postmark-mcp", "the registry gives 1.0.16, which is known to be bad"},
		{[]string{"npx", "postmark-mcp@1.0.16"}, "postmark-mcp", "it is known to be bad, so no version is chosen"},
		{[]string{"bash", "-c", "echo tides; npx tides"}, "tides", "cannot be rewritten with certainty"},
		{[]string{"bash", "-c", "uvx epochs"}, "epochs", "might not take 1!1.0"},
		{[]string{"docker", "run", "foundry/mcp@sha256:4be14be1"}, "foundry/mcp", "a digest already, but not a whole one"},
		{[]string{"docker", "run", server.Host() + "/none"}, server.Host() + "/none", "the registry has no image"},
		{[]string{"uvx", "--from", "git+https://user:hunter22@git.example/x", "x"}, "git.example/x", "more than host and path"},
		{[]string{"npx", "git+ssh://git@git.example/x.git"}, "git.example/x", "reached by another way than http"},
		{[]string{"npx", "https://files.example/t/x.tgz"}, "files.example/…/x.tgz", "no registry is asked for packages of the kind url"},
		{[]string{"bash", "-c", "node x --key $(cat key)"}, "", ""},
	} {
		before := `{"mcpServers": {"left": {"command": "` + tt.words[0] + `", "args": ["` + strings.Join(tt.words[1:], `", "`) + `"]},
			"done": {"command": "npx", "args": ["@harbor/berths"]}}}`
		result, err := p.File(t.Context(), "mcp.json", []byte(before))
		if err != nil || len(result.Failures) > 0 {
			t.Errorf("%q: %v, %+v", tt.words, err, result.Failures)
			continue
		}
		if len(result.Left) != 1 || result.Left[0].Server != "left" || result.Left[0].Package != tt.pkg || !strings.Contains(result.Left[0].Reason, tt.says) {
			t.Errorf("%q: left %+v, want %s: %s", tt.words, result.Left, tt.pkg, tt.says)
		}
		if strings.Contains(strings.Join(reasons(result.Left), " "), "hunter22") {
			t.Errorf("a password is in %+v", result.Left)
		}
		if want := strings.Replace(before, `"@harbor/berths"`, `"@harbor/berths@0.3.0"`, 1); string(result.Data) != want {
			t.Errorf("%q: %s", tt.words, result.Data)
		}
	}
	result, err := p.File(t.Context(), "mcp.json", []byte(`{"mcpServers": {"broken": {"command": 7}}}`))
	if err != nil || len(result.Left) != 1 || !strings.Contains(result.Left[0].Reason, "the entry cannot be read") {
		t.Errorf("%+v, %v", result, err)
	}
}

func reasons(left []pin.Left) (all []string) {
	for _, l := range left {
		all = append(all, l.Server, l.Package, l.Reason)
	}
	return all
}

// Without an answer about one package a file stays as it is.
func TestNoAnswerNoChange(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	environment := server.Environment()
	environment["UV_DEFAULT_INDEX"] = "http://127.0.0.1:1"
	p := pinner(t, environment)
	before := `{"mcpServers": {"a": {"command": "npx", "args": ["tides"]}, "b": {"command": "uvx", "args": ["orchard-mcp"]}}}`
	result, err := p.File(t.Context(), "mcp.json", []byte(before))
	if err != nil || len(result.Failures) != 1 || result.Failures[0].Server != "b" || len(result.Changes) > 0 || string(result.Data) != before {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestGitSpellings(t *testing.T) {
	t.Parallel()
	server, p := start(t)
	repo, err := registrytest.NewRepository(t.TempDir())
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("git with its http-backend is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	server.Git = repo.Handler()
	sha, err := repo.Commit("tip", "refs/heads/main", "refs/heads/feature/x", "refs/tags/v1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	address := server.URL + "/git/served.git"
	for _, tt := range []struct{ program, option, was, want string }{
		{"npx", "-y", "git+" + address, "git+" + address + "#" + sha},
		{"npx", "-y", "git+" + address + "#main", "git+" + address + "#" + sha},
		{"npx", "-y", address + "#semver:^1.0", address + "#" + sha},
		{"npx", "-y", "tides@git+" + address + "#main", "tides@git+" + address + "#" + sha},
		{"uvx", "--from", "git+" + address, "git+" + address + "@" + sha},
		{"uvx", "--from", "git+" + address + "@main", "git+" + address + "@" + sha},
		{"uvx", "--from", "git+" + address + "@feature/x#subdirectory=a", "git+" + address + "@" + sha + "#subdirectory=a"},
		{"pip", "install", "x @ git+" + address + "@v1.2.0", "x @ git+" + address + "@" + sha},
	} {
		before := line(tt.program, tt.option, tt.was, "x")
		result, err := p.File(t.Context(), "mcp.json", []byte(before))
		if tt.program == "pip" {
			// "x" beside it is another package, which no index has.
			result.Left = nil
		}
		if err != nil || len(result.Left)+len(result.Failures) > 0 {
			t.Errorf("%s: %v, left %+v, failures %+v", tt.was, err, result.Left, result.Failures)
			continue
		}
		if diff := cmp.Diff(line(tt.program, tt.option, tt.want, "x"), string(result.Data)); diff != "" {
			t.Errorf("%s: %s", tt.was, diff)
		}
	}
}
