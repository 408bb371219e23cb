package fetch

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

type npm struct{}

func (npm) install(ctx context.Context, in *installation, dir, scratch string) error {
	argv := append([]string{
		in.tools.runtime, in.tools.manager, "install", "--prefix", dir, "--cache", filepath.Join(scratch, "npm"),
		// Files that do not exist: npm refuses one name for both.
		"--userconfig", filepath.Join(scratch, "user.npmrc"), "--globalconfig", filepath.Join(scratch, "global.npmrc"),
		"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--omit", "dev", "--no-progress", "--logs-max", "0", "--",
	}, in.plan.Packages...)
	result, err := in.run(ctx, step{argv: argv, env: []string{"CI=true"}, online: true}, filepath.Dir(dir))
	if err != nil || result.Exit == 0 {
		return err
	}
	return npmFailure(in.plan.Packages[0], result.Stderr)
}

// npmFailure reads the code that npm prints: "npm error code E404" (npm 10 and
// later) or "npm ERR! code E404".
func npmFailure(name, stderr string) error {
	code := ""
	if m := regexp.MustCompile(`(?m)^npm (?:error|ERR!) code (\w+)`).FindStringSubmatch(stderr); m != nil {
		code = m[1]
	}
	switch {
	case code == "E404":
		return failuref(NotFound, nil, "package %s is not in the npm registry", name)
	case code == "ETARGET" || code == "ENOVERSIONS":
		return failuref(NotFound, nil, "the npm registry has no such version: %s", name)
	case code == "E401" || code == "E403":
		return failuref(Unreachable, nil, "the npm registry refuses %s (%s): check the operator's registry settings", name, code)
	case strings.Contains(code, "CERT") || strings.HasPrefix(code, "UNABLE_TO_"):
		return failuref(Unreachable, nil, "the npm registry's certificate is not trusted (%s): set NODE_EXTRA_CA_CERTS or npm's cafile", code)
	case slices.Contains([]string{"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ERR_SOCKET_TIMEOUT", "ENETUNREACH", "EHOSTUNREACH", "EPROTO"}, code) || strings.HasPrefix(code, "E5"):
		return failuref(Unreachable, nil, "the npm registry cannot be reached (%s): check registry and proxy settings", code)
	case code == "":
		return failuref(Failed, nil, "npm could not install %s", name)
	}
	return failuref(Failed, nil, "npm could not install %s (%s)", name, code)
}

// hiddenLock is what npm writes to node_modules/.package-lock.json.
type hiddenLock struct {
	Packages map[string]struct {
		Version          string `json:"version"`
		HasInstallScript bool   `json:"hasInstallScript"`
	} `json:"packages"`
}

func (npm) describe(in *installation, dir string) (entry, error) {
	name, _ := splitNPM(in.plan.Packages[0])
	var lock hiddenLock
	if err := readJSON(dir, "node_modules/.package-lock.json", &lock); err != nil {
		return entry{}, failuref(Failed, err, "npm installed %s without saying what", name)
	}
	e := entry{}
	for place, p := range lock.Packages {
		if place == "node_modules/"+name {
			e.Resolved = name + "@" + p.Version
			e.Requirement = e.Resolved
		}
		if p.HasInstallScript {
			e.NeedsScripts = append(e.NeedsScripts, place[strings.LastIndex(place, "node_modules/")+len("node_modules/"):])
		}
	}
	if e.Resolved == "" {
		return entry{}, failuref(Failed, nil, "npm did not install %s", name)
	}
	slices.Sort(e.NeedsScripts)
	return e, nil
}

// command does what npx does, without it: npx asks the registry first and
// hangs without network.
func (npm) command(in *installation, dir string) (Command, error) {
	name, _ := splitNPM(in.plan.Packages[0])
	modules := filepath.Join(dir, "node_modules")
	program := filepath.Join(modules, ".bin", in.plan.Program)
	if in.plan.Program == "" {
		file, err := ownProgram(dir, name)
		if err != nil {
			return Command{}, err
		}
		program = filepath.Join(modules, filepath.FromSlash(name), filepath.FromSlash(file))
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil || !strings.HasPrefix(real, modules+string(filepath.Separator)) {
		return Command{}, failuref(NoCommand, err, "package %s has no program %q", name, filepath.Base(program))
	}
	return Command{
		Argv: append(interpreted(in.tools.runtime, real), in.plan.Args...),
		Env:  []string{"PATH=" + in.tools.path(filepath.Join(modules, ".bin"))},
	}, nil
}

// ownProgram picks from a package's "bin" as npx does: the only file, or the
// one with the package's name.
func ownProgram(dir, name string) (string, error) {
	var manifest struct {
		Bin json.RawMessage `json:"bin"`
	}
	if err := readJSON(dir, path.Join("node_modules", name, "package.json"), &manifest); err != nil {
		return "", failuref(NoCommand, err, "package %s has no readable package.json", name)
	}
	var one string
	var many map[string]string
	if json.Unmarshal(manifest.Bin, &one) != nil {
		json.Unmarshal(manifest.Bin, &many) // anything else is no program
	}
	files := map[string]bool{}
	for _, file := range many {
		files[file] = true
		one = file
	}
	if len(files) > 1 {
		one = many[path.Base(name)]
	}
	if one == "" || !filepath.IsLocal(filepath.FromSlash(one)) {
		return "", failuref(NoCommand, nil, "package %s has no program to run, or several and none of its own name", name)
	}
	return one, nil
}

// interpreted is the command for a script: a shebang's node becomes ours, with
// the options given there; other programs are started as they are.
func interpreted(node, file string) []string {
	f, err := os.Open(file)
	if err != nil {
		return []string{file}
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n')
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if !strings.HasPrefix(line, "#!") {
		switch filepath.Ext(file) {
		case ".js", ".mjs", ".cjs":
			return []string{node, file}
		}
		return []string{file}
	}
	for i, word := range words {
		if path.Base(word) == "node" {
			return append(append([]string{node}, words[i+1:]...), file)
		}
	}
	return []string{file}
}

// readJSON reads a file of an installation; nothing a package put there leads
// out of dir.
func readJSON(dir, name string, into any) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewDecoder(io.LimitReader(f, 32<<20)).Decode(into)
}
