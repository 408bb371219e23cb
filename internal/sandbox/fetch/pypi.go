package fetch

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type pypi struct{}

// install makes a virtual environment and installs wheels into it, with uv
// where there is one, else with pip. Nothing of a package runs: its first code
// could run when the environment's Python starts, and after the installation
// only the outer Python does.
func (pypi) install(ctx context.Context, in *installation, dir, scratch string) error {
	work := filepath.Dir(dir)
	python := filepath.Join(dir, "bin", "python")
	result, err := in.run(ctx, step{argv: []string{in.tools.runtime, "-I", "-m", "venv", "--without-pip", dir}}, work)
	if err != nil {
		return err
	}
	if result.Exit != 0 {
		return failuref(NoTool, nil, "Python cannot make virtual environments: install its module venv")
	}
	env := []string{"PIP_CONFIG_FILE=" + os.DevNull, "UV_CACHE_DIR=" + filepath.Join(scratch, "uv"), "PIP_CACHE_DIR=" + filepath.Join(scratch, "pip")}
	argv := []string{in.tools.manager, "pip", "install", "--no-config", "--no-python-downloads", "--no-progress", "--python", python, "--only-binary", ":all:", "--"}
	if in.tools.manager == "" {
		argv = []string{in.tools.runtime, "-m", "pip", "--no-input", "--disable-pip-version-check", "--python", python, "install", "--only-binary", ":all:", "--no-compile", "--"}
	}
	if result, err = in.run(ctx, step{argv: append(argv, in.plan.Packages...), env: env, online: true}, work); err != nil {
		return err
	}
	if result.Exit != 0 {
		return pypiFailure(in.plan.Packages[0], result.Stderr)
	}
	// Compiled now, once, and not at every start from a read-only folder. The
	// outer Python does it and imports nothing of it. Files that cannot be
	// compiled are no failure.
	_, err = in.run(ctx, step{argv: []string{in.tools.runtime, "-I", "-m", "compileall", "-q", "-j", "0", dir}}, work)
	return err
}

// pypiFailure reads what uv or pip said. Both have no codes; the words are
// those of uv 0.4 to 0.13 and pip 22 to 25.
func pypiFailure(name, stderr string) error {
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(stderr, w) {
				return true
			}
		}
		return false
	}
	switch {
	case says("nvalid peer certificate", "CERTIFICATE_VERIFY_FAILED", "UnknownIssuer", "self-signed certificate"):
		return failuref(Unreachable, nil, "the Python index's certificate is not trusted: set SSL_CERT_FILE or PIP_CERT")
	case says("401 Unauthorized", "403 Forbidden"):
		return failuref(Unreachable, nil, "the Python index refuses %s: check the operator's index settings", name)
	case says("Failed to fetch", "error sending request", "dns error", "NewConnectionError", "ConnectTimeoutError", "Temporary failure in name resolution", "Connection refused"):
		return failuref(Unreachable, nil, "the Python index cannot be reached: check index and proxy settings")
	case says("no usable wheels", "has no wheels", "has no usable wheels", "no wheels with a matching", "building source distributions is disabled", "Building source distributions", "no-build", "only-binary"):
		return failuref(NoWheel, nil, "%s, or a package that it needs, has no wheel for this machine: it would have to be built, which needs its code to run", name)
	case says("does not satisfy Python", "Requires-Python", "requires-python", "requires a different Python", "current Python version"):
		return failuref(WrongPython, nil, "%s needs another version of Python than the one here", name)
	case says("was not found in the package registry", "No matching distribution found", "Could not find a version", "there is no version of", "there are no versions of", "not found in the"):
		if says("No matching distribution found") { // pip says the same of both
			return failuref(NotFound, nil, "the Python index has no %s, or no wheel of it for this machine", name)
		}
		return failuref(NotFound, nil, "the Python index has no %s", name)
	}
	return failuref(Failed, nil, "%s could not be installed with pip or uv", name)
}

func (pypi) describe(in *installation, dir string) (entry, error) {
	name := regexp.MustCompile(`^[A-Za-z0-9._-]+`).FindString(in.plan.Packages[0])
	// PEP 427: NAME-VERSION.dist-info, with _ for every run of separators.
	found, _ := filepath.Glob(filepath.Join(dir, "lib", "python*", "site-packages", "*.dist-info"))
	for _, info := range found {
		installed, version, ok := strings.Cut(strings.TrimSuffix(filepath.Base(info), ".dist-info"), "-")
		if !ok || normal(installed) != normal(name) {
			continue
		}
		extras := regexp.MustCompile(`\[[^\]]*\]`).FindString(in.plan.Packages[0])
		return entry{Resolved: name + "@" + version, Requirement: name + extras + "==" + version}, nil
	}
	return entry{}, failuref(Failed, nil, "%s was not installed", name)
}

// normal is a name as PEP 503 compares it.
func normal(name string) string {
	return strings.ToLower(regexp.MustCompile(`[-_.]+`).ReplaceAllString(name, "-"))
}

func (pypi) command(in *installation, dir string) (Command, error) {
	bin := filepath.Join(dir, "bin")
	program := in.plan.Program
	if program != filepath.Base(program) || program == "." || program == ".." {
		return Command{}, failuref(NoCommand, nil, "%q is no program's name", program)
	}
	script := filepath.Join(bin, program)
	info, err := os.Stat(script)
	if err != nil || !info.Mode().IsRegular() {
		return Command{}, failuref(NoCommand, nil, "%s has no program %q: name it with --from PACKAGE PROGRAM", in.plan.Packages[0], program)
	}
	argv := []string{script}
	if pythonScript(script) {
		// The script's own first line names the folder of the installation,
		// which has moved since.
		argv = []string{filepath.Join(bin, "python"), script}
	}
	return Command{
		Argv: append(argv, in.plan.Args...),
		Env:  []string{"PATH=" + in.tools.path(bin), "VIRTUAL_ENV=" + dir, "PYTHONDONTWRITEBYTECODE=1"},
	}, nil
}

// pythonScript says whether a file's first lines start Python: directly, or
// through sh where the path was too long for one line.
func pythonScript(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewReader(io.LimitReader(f, 4096))
	line, _ := lines.ReadString('\n')
	if !strings.HasPrefix(line, "#!") {
		return false
	}
	next, _ := lines.ReadString('\n')
	return strings.Contains(line, "python") || strings.HasPrefix(next, "'''exec'") || strings.HasPrefix(next, "'''exec ")
}
