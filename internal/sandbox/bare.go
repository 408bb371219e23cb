package sandbox

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// startBare starts the command of mode None.
func startBare(ctx context.Context, spec Spec, limits Limits) (*Process, error) {
	path, err := lookPath(spec.Argv[0], variable(spec.Env, "PATH"))
	if err != nil {
		return nil, err
	}
	p, theirs, err := newProcess(limits)
	if err != nil {
		return nil, fmt.Errorf("sandbox: pipes: %w", err)
	}
	defer theirs.close()

	mark := newMark()
	cmd := &exec.Cmd{
		Path: path,
		Args: spec.Argv,
		// Never nil: a nil Env would inherit ours.
		Env:         append(append([]string{}, spec.Env...), mark...),
		Stdin:       theirs.stdin,
		Stdout:      theirs.stdout,
		Stderr:      theirs.stderr,
		SysProcAttr: bareAttributes(),
	}
	if spec.Tree != "" {
		cmd.Dir = filepath.Join(spec.Tree, spec.Dir)
	}
	exited, err := startOnThread(cmd, nil)
	if err != nil {
		p.discard()
		return nil, fmt.Errorf("sandbox: start: %w", err)
	}
	p.family = newBareFamily(cmd, mark)
	p.watch(ctx, cmd, exited, limits.Wall)
	return p, nil
}

// lookPath finds a command in the folders of path, a list as in $PATH. Names
// with a separator are taken as they are. Relative folders are left out: they
// would mean another folder for us than for the command.
func lookPath(name, path string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		if filepath.IsAbs(name) {
			// npx.cmd where npx is written, on Windows.
			if found, err := exec.LookPath(name); err == nil {
				return found, nil
			}
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		// exec.LookPath also knows the extensions of Windows.
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("sandbox: command %q is in no folder of PATH: %w", name, exec.ErrNotFound)
}

// variable is the last value of a variable in an environment.
func variable(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(env[i], "="); ok && key == name {
			return value
		}
	}
	return ""
}
