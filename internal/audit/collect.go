package audit

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/collect"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// collect returns what a server says, or why it could not be asked. A launch that
// fetches what is known to be bad is refused before anything starts.
func (e *Engine) collect(ctx context.Context, from checkout, s launch.Server) (*collect.Collected, *report.Error) {
	if s.Invalid == nil && s.Command != "" {
		if failure := e.refuse(s.Argv()); failure != nil {
			return nil, failure
		}
	}
	if reason := unsupported(s); reason != "" {
		return nil, &report.Error{Kind: report.ErrInput, Message: reason}
	}
	switch {
	case s.Invalid != nil:
		return nil, &report.Error{Kind: report.ErrInput, Message: s.Invalid.Error()}
	case s.From != "":
		return from.load(s.From)
	case s.URL != "":
		return e.ask(ctx, from, s)
	case from.static:
		return nil, &report.Error{Kind: report.ErrSandbox, Message: "not started: fork"}
	case e.NoSandbox != nil:
		return nil, &report.Error{Kind: report.ErrSandbox, Message: e.NoSandbox.Error()}
	}
	command, failure := from.lookups(e, s).command(s, from.dir)
	if failure == nil {
		failure = e.refuse(command.Argv) // with the values of its variables
	}
	if failure != nil {
		return nil, failure
	}
	if from.foreign && e.Sandbox.Mode() != sandbox.None {
		if failure := confined(command.Argv[0]); failure != nil {
			return nil, failure
		}
	}
	command.Tree = from.dir
	collected, err := collect.Stdio(ctx, command, e.collectOptions(s))
	if err != nil {
		return nil, asError(err)
	}
	return collected, nil
}

func (e *Engine) collectOptions(s launch.Server) collect.Options {
	return collect.Options{
		Sandbox:        e.Sandbox,
		Env:            e.Host,
		Cache:          e.Cache,
		StartTimeout:   s.StartTimeout,
		RequestTimeout: s.RequestTimeout,
		ClientVersion:  e.Version,
		Progress:       e.progress(s.Key),
	}
}

// load reads a saved snapshot of the tree.
func (t *tree) load(file string) (*collect.Collected, *report.Error) {
	data, err := t.read(path.Clean(file))
	if err == nil {
		var s *snapshot.Snapshot
		if s, err = snapshot.Parse(path.Clean(file), data); err == nil {
			return &collect.Collected{Snapshot: s}, nil
		}
	}
	return nil, &report.Error{Kind: report.ErrInput, Message: err.Error()}
}

// unsupported says, in words, what an entry asks for that is not done; "" when
// there is nothing. Such a server is not checked: leaving the wish out would
// judge another server than the one that runs.
func unsupported(s launch.Server) string {
	switch {
	case len(s.Prepare) > 0:
		return "the entry has build commands (\"prepare\"), which this version does not run"
	case len(s.Network) > 0:
		return "the entry asks for network access (\"network\"), which this version does not grant"
	}
	return ""
}

// command looks up every variable of an entry of the tree in dir.
func (l *lookups) command(s launch.Server, dir string) (collect.Command, *report.Error) {
	c := collect.Command{Env: make(map[string]string, len(s.Env)+len(s.PassEnv)), Dir: l.expand(s.Cwd)}
	l.root = upFrom(c.Dir)
	var failure *report.Error
	if c.Argv, failure = argv(s, filepath.Join(dir, c.Dir), l.expand); failure != nil {
		return c, failure
	}
	c.Secrets = collect.ArgvSecrets(c.Argv)
	for _, word := range c.Argv {
		c.Secrets = append(c.Secrets, launch.SecretsIn(word)...)
	}
	for name, value := range s.Env {
		before := len(l.found)
		c.Env[name] = l.expand(value)
		c.Secrets = append(c.Secrets, collect.PassedSecrets(name, c.Env[name], len(l.found) > before)...)
		c.Secrets = append(c.Secrets, launch.SecretsIn(c.Env[name])...)
	}
	for _, name := range s.PassEnv {
		c.Env[name] = l.variable(name)
	}
	for _, v := range l.found {
		c.Secrets = append(c.Secrets, collect.PassedSecrets(v.name, v.value, true)...)
	}
	return c, l.failure()
}

// upFrom leads from a folder of the tree to its root.
func upFrom(dir string) string {
	if dir = path.Clean(dir); dir == "." || path.IsAbs(dir) {
		return "."
	}
	return strings.Repeat("../", strings.Count(dir, "/")) + ".."
}

func (e *Engine) progress(key string) func(string) {
	if e.Progress == nil {
		return nil
	}
	prefix := ""
	if key != "" {
		prefix = snapshot.Visible(key) + ": "
	}
	return func(line string) { e.Progress(prefix + line) }
}

func asError(err error) *report.Error {
	var failure *collect.Failure
	if errors.As(err, &failure) {
		return &report.Error{Kind: report.ErrorKind(failure.Kind), Message: failure.Message}
	}
	return &report.Error{Kind: report.ErrStart, Message: err.Error()}
}
