package fetch_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/sandbox/fetch"
)

// operator is an environment with the programs of this machine and the
// registry of a test.
func operator(r *registry, more ...string) func(string) (string, bool) {
	env := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": "/nonexistent",
		"npm_config_registry": r.url + "/", "UV_DEFAULT_INDEX": r.url + "/simple", "PIP_INDEX_URL": r.url + "/simple",
		"npm_config_fetch_retries": "0",
	}
	for _, v := range more {
		name, value, _ := strings.Cut(v, "=")
		env[name] = value
	}
	return func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("skipped: %s is not installed", p)
		}
	}
}

// Packages may fill the cache, never the disk.
func TestNothingIsFetchedOntoAFullDisk(t *testing.T) {
	plan, _, err := fetch.Parse([]string{"npx", "-y", "tides@1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	needs(t, "node", "npm")
	full := func(string) (int64, bool) { return 1 << 20, true }
	_, err = fetch.Fetch(t.Context(), plan, fetch.Options{Sandbox: isolated(t), Cache: t.TempDir(), Env: os.LookupEnv, Free: full})
	var failure *fetch.Failure
	if !errors.As(err, &failure) || failure.Kind != fetch.TooLarge || !strings.Contains(failure.Message, "less than 2 GB are free") {
		t.Errorf("%v, want the full disk", err)
	}
}

// run fetches a command line and plays what comes of it, without network.
func run(t *testing.T, o fetch.Options, argv ...string) (string, *fetch.Fetched, error) {
	t.Helper()
	plan, ok, err := fetch.Parse(argv)
	if !ok || err != nil {
		t.Fatalf("%v: %v, %v", argv, ok, err)
	}
	got, err := fetch.Fetch(t.Context(), plan, o)
	if err != nil {
		return "", nil, err
	}
	c := got.Command()
	p, err := o.Sandbox.Start(t.Context(), sandbox.Spec{Argv: c.Argv, Env: c.Env, ReadOnly: c.ReadOnly, Limits: sandbox.Limits{Wall: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	p.Stdin.Close()
	out, _ := io.ReadAll(p.Stdout)
	if r := p.Wait(); r.Exit != 0 {
		t.Errorf("%v ended as %+v", argv, r)
	}
	return string(out), got, nil
}

func npmPackages() map[string]map[string]files {
	server := func(version string) files {
		return files{
			"package.json": `{"name":"@test/server","version":"` + version + `","bin":{"server":"main.js"},"dependencies":{"scripted":"1.0.0"}}`,
			"main.js":      "#!/usr/bin/env -S node --no-warnings\nconsole.log('server', '" + version + "', require('scripted'), process.argv.slice(2).join(' '))\n",
		}
	}
	return map[string]map[string]files{
		"@test/server": {"1.0.0": server("1.0.0"), "1.1.0": server("1.1.0")},
		"scripted": {"1.0.0": {
			"package.json": `{"name":"scripted","version":"1.0.0","main":"i.js","scripts":{"postinstall":"echo ran > ran"}}`,
			"i.js":         "module.exports = require('fs').existsSync(__dirname + '/ran') ? 'script ran' : 'script did not run'",
		}},
		"two":     {"1.0.0": {"package.json": `{"name":"two","version":"1.0.0","bin":{"a":"a.js","b":"b.js"}}`, "a.js": "console.log('a')", "b.js": "console.log('b')"}},
		"outside": {"1.0.0": {"package.json": `{"name":"outside","version":"1.0.0","bin":"../../../../etc/passwd"}`}},
	}
}

func TestNPM(t *testing.T) {
	needs(t, "node", "npm")
	box := isolated(t)
	r := newRegistry(t, npmPackages(), nil)
	o := fetch.Options{Sandbox: box, Cache: cacheFolder(t), Env: operator(r)}

	out, got, err := run(t, o, "npx", "-y", "@test/server@1.0.0", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if want := "server 1.0.0 script did not run a b\n"; out != want {
		t.Errorf("said %q, want %q", out, want)
	}
	if got.Resolved != "@test/server@1.0.0" || len(got.NeedsScripts) != 1 || got.NeedsScripts[0] != "scripted" {
		t.Errorf("%+v", got)
	}
	filepath.WalkDir(o.Cache, func(name string, d fs.DirEntry, err error) error {
		info, _ := d.Info()
		if name != o.Cache && d.Type()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o222 != 0 {
			t.Errorf("%s is writable: %v", name, info.Mode())
		}
		return nil
	})

	t.Run("the cache answers for an exact version", func(t *testing.T) {
		before := r.requests.Load()
		if _, _, err := run(t, o, "npx", "@test/server@1.0.0"); err != nil || r.requests.Load() != before {
			t.Errorf("%v, %d requests", err, r.requests.Load()-before)
		}
	})
	t.Run("any other is resolved anew", func(t *testing.T) {
		out, got, err := run(t, o, "npx", "@test/server")
		if err != nil || got.Resolved != "@test/server@1.1.0" || !strings.HasPrefix(out, "server 1.1.0") {
			t.Errorf("%q %+v %v", out, got, err)
		}
		before := r.requests.Load()
		if _, _, err := run(t, o, "npx", "@test/server@1.1.0"); err != nil || r.requests.Load() != before {
			t.Errorf("the exact version was asked for again: %v", err)
		}
	})
	t.Run("a program by name", func(t *testing.T) {
		if out, _, err := run(t, o, "npx", "-p", "two@1.0.0", "b"); err != nil || out != "b\n" {
			t.Errorf("%q, %v", out, err)
		}
	})
	for name, c := range map[string]struct {
		argv []string
		kind fetch.Kind
	}{
		"no such package":      {[]string{"npx", "missing@1.0.0"}, fetch.NotFound},
		"no such version":      {[]string{"npx", "@test/server@9.9.9"}, fetch.NotFound},
		"no program":           {[]string{"npx", "scripted@1.0.0"}, fetch.NoCommand},
		"several programs":     {[]string{"npx", "two@1.0.0"}, fetch.NoCommand},
		"a program elsewhere":  {[]string{"npx", "outside@1.0.0"}, fetch.NoCommand},
		"a wrong program name": {[]string{"npx", "-p", "two@1.0.0", "../../x"}, fetch.NoCommand},
	} {
		t.Run(name, func(t *testing.T) { wantFailure(t, o, c.kind, c.argv...) })
	}
	t.Run("registry away", func(t *testing.T) {
		away := o
		away.Env = operator(&registry{url: "http://127.0.0.1:9"})
		wantFailure(t, away, fetch.Unreachable, "npx", "@test/server@1.0.0")
	})
	t.Run("node away", func(t *testing.T) {
		away := o
		away.Env = operator(r, "PATH=/nonexistent")
		wantFailure(t, away, fetch.NoTool, "npx", "@test/server@1.0.0")
	})
	if left, _ := filepath.Glob(filepath.Join(o.Cache, "work-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func wantFailure(t *testing.T, o fetch.Options, kind fetch.Kind, argv ...string) {
	t.Helper()
	_, _, err := run(t, o, argv...)
	var failure *fetch.Failure
	if !errors.As(err, &failure) || failure.Kind != kind || strings.Contains(failure.Message, "\n") {
		t.Errorf("%v: %v, want kind %s", argv, err, kind)
	}
}

func TestConcurrentFetchesOfOneKey(t *testing.T) {
	needs(t, "node", "npm")
	r := newRegistry(t, npmPackages(), nil)
	o := fetch.Options{Sandbox: isolated(t), Cache: cacheFolder(t), Env: operator(r)}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if out, _, err := run(t, o, "npx", "-p", "two@1.0.0", "a"); err != nil || out != "a\n" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
	group.Wait()
	if entries, _ := os.ReadDir(o.Cache); len(entries) != 1 {
		t.Errorf("the cache holds %v", entries)
	}
}

func TestPyPI(t *testing.T) {
	needs(t, "python3")
	box := isolated(t)
	code := "import sys, os\ndef main():\n    print('tool', os.path.basename(sys.prefix) != 'usr', *sys.argv[1:])\n"
	r := newRegistry(t, nil, map[string]files{
		"my_tool-1.0-py3-none-any.whl": wheel("my-tool", "1.0", "my-tool", code, nil),
		// Code that would run at the start of the environment's Python.
		"pth_tool-1.0-py3-none-any.whl": wheel("pth-tool", "1.0", "pth-tool", code, files{"evil.pth": "import os, sys; open(os.path.join(sys.prefix, 'ran'), 'w')\n"}),
		"source_only-1.0.tar.gz":        {},
	})
	for name, path := range map[string]string{"uv or pip": os.Getenv("PATH"), "the system's Python": "/usr/bin:/bin"} {
		t.Run(name, func(t *testing.T) {
			o := fetch.Options{Sandbox: box, Cache: cacheFolder(t), Env: operator(r, "PATH="+path)}
			out, got, err := run(t, o, "uvx", "my-tool==1.0", "a")
			var failure *fetch.Failure
			if errors.As(err, &failure) && failure.Kind == fetch.NoTool {
				t.Skipf("skipped: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if out != "tool True a\n" || got.Resolved != "my-tool@1.0" {
				t.Errorf("%q %+v", out, got)
			}
			before := r.requests.Load()
			if _, _, err := run(t, o, "uvx", "my-tool@1.0"); err != nil || r.requests.Load() != before {
				t.Errorf("the cache was not used: %v", err)
			}
			if _, _, err := run(t, o, "uvx", "pth-tool"); err != nil {
				t.Error(err)
			}
			if ran, _ := filepath.Glob(filepath.Join(o.Cache, "*", "ran")); len(ran) > 0 {
				t.Error("code of the package ran while it was fetched")
			}
			if out, _, err := run(t, o, "uvx", "--from", "my-tool", "my-tool"); err != nil || out != "tool True\n" {
				t.Errorf("%q, %v", out, err)
			}
			wantFailure(t, o, fetch.NoCommand, "uvx", "--from", "my-tool==1.0", "other")
			wantFailure(t, o, fetch.NotFound, "uvx", "missing-tool==1.0")
			wantFailure(t, o, fetch.NotFound, "uvx", "my-tool==9.9")
			noWheel := fetch.NoWheel
			if _, _, err := sandbox.Toolchain("uv", path); err != nil {
				noWheel = fetch.NotFound // pip does not tell the two apart
			}
			wantFailure(t, o, noWheel, "uvx", "source-only==1.0")
			o.Env = operator(&registry{url: "http://127.0.0.1:9"}, "PATH="+path, "UV_HTTP_RETRIES=0", "PIP_RETRIES=1")
			wantFailure(t, o, fetch.Unreachable, "uvx", "my-tool==1.0")
		})
	}
}
