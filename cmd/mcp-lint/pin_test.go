package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcp-lint/mcp-lint/internal/registry/registrytest"
)

// startRegistries starts a registry of every ecosystem on loopback, and says to
// scripts where it is: REGISTRY and REGISTRY_HOST, the digest of its images
// (DIGEST) and the commit of its repository's main branch (COMMIT), "" where git
// cannot serve one.
func startRegistries(t *testing.T) map[string]string {
	t.Helper()
	server := registrytest.Start()
	server.NPM["tides"] = `{"dist-tags": {"latest": "1.4.0"}, "versions": {"1.3.1": {}, "1.4.0": {}, "1.5.0-rc.1": {}}}`
	server.NPM["@harbor/berths"] = `{"dist-tags": {"latest": "0.3.0"}, "versions": {"0.3.0": {}}}`
	server.NPM["postmark-mcp"] = `{"dist-tags": {"latest": "1.0.16"}, "versions": {"1.0.16": {}}}`
	server.PyPI["orchard-mcp"] = `{"files": [{"filename": "orchard_mcp-0.9.2-py3-none-any.whl"}, {"filename": "orchard_mcp-1.0.0.tar.gz"}]}`
	server.Go["example.com/kiln/@v/list"] = "v1.1.0\nv1.2.0\n"
	server.Go["example.com/kiln/@v/v1.2.0.mod"] = "module example.com/kiln\n"
	const manifest = `{"schemaVersion": 2, "manifests": []}`
	server.Images["foundry/mcp:2.0"] = manifest
	commit := ""
	repo, err := registrytest.NewRepository(t.TempDir())
	switch {
	case err == nil:
		if commit, err = repo.Commit("tip", "refs/heads/main"); err != nil {
			t.Fatal(err)
		}
		server.Git = repo.Handler()
	case !errors.Is(err, exec.ErrNotFound):
		t.Fatal(err)
	}
	// The scripts are subtests that run when this function has returned.
	t.Cleanup(server.Close)
	return map[string]string{
		"REGISTRY": server.URL, "REGISTRY_HOST": server.Host(), "DIGEST": registrytest.Digest(manifest), "COMMIT": commit,
	}
}

// expand writes files with their variables looked up; CRLF and byte order marks
// stay.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE…")
	}
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
}

// A file that somebody else writes while the registries are asked stays theirs.
func TestPinLosesNoChange(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mcp.json")
	const before, theirs = `{"mcpServers": {"a": {"command": "npx", "args": ["tides"]}}}`, `{"mcpServers": {}}`
	server := registrytest.Start()
	defer server.Close()
	server.NPM["tides"] = `{"dist-tags": {"latest": "1.4.0"}, "versions": {"1.4.0": {}}}`
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := os.WriteFile(file, []byte(theirs), 0o666); err != nil {
			t.Error(err)
		}
		http.Redirect(w, r, server.URL+"/npm"+r.URL.Path, http.StatusFound)
	}))
	defer between.Close()
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, env: func(name string) (string, bool) {
		return between.URL, name == "npm_config_registry"
	}}
	code := a.run(t.Context(), []string{"pin", file})
	after, err := os.ReadFile(file)
	if err != nil || code != exitError || string(after) != theirs || !bytes.Contains(stderr.Bytes(), []byte("changed by somebody else")) {
		t.Errorf("exit %d, %v\n%s%s\n%s", code, err, &stdout, &stderr, after)
	}
}
