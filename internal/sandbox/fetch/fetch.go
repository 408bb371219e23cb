// Package fetch is the phase before a server from a registry is run: it
// recognises command lines of npx and uvx, installs what they name with our own
// npm, uv or pip commands, and says how to start the result without network.
//
// The installation runs in the sandbox, with network, in an empty folder. No
// code of the packages runs there: no install scripts, no builds, wheels only.
// Settings for registry, certificates and proxy come from the operator; those
// of the repository that asks for the server are never read.
package fetch

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// Ecosystem is where packages come from.
type Ecosystem string

// The ecosystems.
const (
	NPM  Ecosystem = "npm"
	PyPI Ecosystem = "pypi"
)

// Options of Fetch.
type Options struct {
	Sandbox *sandbox.Sandbox // required
	// Cache is the folder of the results, "" for "mcp-lint/packages" in the
	// user's cache folder. Its entries are read-only and never expire; it may
	// be shared by processes and removed when none runs.
	Cache string
	// Env is the operator's environment: PATH, HOME and the settings listed in
	// settings.go. Nil means empty.
	Env func(string) (string, bool)
	// Progress gets a line when something is downloaded; may be nil.
	Progress func(string)

	// Free says how many bytes may still be written below a folder; nil asks
	// the system.
	Free func(dir string) (bytes int64, ok bool)
}

// Fetched is an installed package.
type Fetched struct {
	// Resolved is name@version of the first package of the plan.
	Resolved string
	// NeedsScripts names packages that declare install scripts, which were not
	// run: a server that fails now may fail for that.
	NeedsScripts []string

	command Command
}

// Command is how to start an installed server; no network is needed.
type Command struct {
	Argv []string
	// Env is to be added to the server's environment, and wins over it.
	Env []string
	// ReadOnly is for sandbox.Spec.
	ReadOnly []string
}

// Command says how to start the server.
func (f *Fetched) Command() Command { return f.command }

// installation is a plan with all that decides its result.
type installation struct {
	plan     Plan
	options  Options
	settings settings
	tools    tools
}

// installer is one ecosystem's way to install and to start.
type installer interface {
	// install fills dir; scratch is for caches and goes away.
	install(ctx context.Context, in *installation, dir, scratch string) error
	// describe reads what was installed.
	describe(in *installation, dir string) (entry, error)
	// command finds how to start it. dir is its final place.
	command(in *installation, dir string) (Command, error)
}

// Fetch installs what a plan names, or finds it in the cache. The error is a
// [*Failure] when a package or a registry is the reason.
//
// A plan whose first package has an exact version is found in the cache without
// asking the registry. Any other one is installed anew every time, and then kept
// under the version it resolved to. Versions of dependencies are those of the
// first installation.
func Fetch(ctx context.Context, plan Plan, o Options) (*Fetched, error) {
	if o.Env == nil {
		o.Env = func(string) (string, bool) { return "", false }
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Free == nil {
		o.Free = freeSpace
	}
	cache, err := openCache(o.Cache)
	if err != nil {
		return nil, err
	}
	in := &installation{plan: plan, options: o}
	var how installer
	switch plan.Ecosystem {
	case NPM:
		how = npm{}
		in.settings, err = npmSettings(o.Env)
	default:
		how = pypi{}
		in.settings, err = pypiSettings(o.Env)
	}
	if err != nil {
		return nil, err
	}
	if in.tools, err = findTools(plan.Ecosystem, o.Env); err != nil {
		return nil, err
	}

	if plan.pinned() {
		if dir, e, ok := cache.find(in.key(plan.Packages)); ok {
			return in.fetched(how, dir, e)
		}
	}
	// A pull request can name package after package: they may fill the cache,
	// never the disk.
	if free, ok := o.Free(cache.dir); ok && free < minFree {
		return nil, failuref(TooLarge, nil, "less than %d GB are free for packages; empty the package cache", minFree>>30)
	}
	o.Progress("fetching " + plan.Packages[0])
	work, err := cache.work()
	if err != nil {
		return nil, err
	}
	defer removeAll(work)
	fresh, scratch := filepath.Join(work, "result"), filepath.Join(work, "scratch")
	for _, dir := range []string{fresh, scratch} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := how.install(ctx, in, fresh, scratch); err != nil {
		return nil, err
	}
	e, err := how.describe(in, fresh)
	if err != nil {
		return nil, err
	}
	dir, err := cache.keep(fresh, in.key(e.pinnedPackages(plan)), e)
	if err != nil {
		return nil, err
	}
	return in.fetched(how, dir, e)
}

func (in *installation) fetched(how installer, dir string, e entry) (*Fetched, error) {
	command, err := how.command(in, dir)
	if err != nil {
		return nil, err
	}
	command.ReadOnly = append(append([]string{dir}, in.tools.binds...), command.ReadOnly...)
	return &Fetched{Resolved: e.Resolved, NeedsScripts: e.NeedsScripts, command: command}, nil
}

// Ceilings of an installation.
const (
	maxInstalled = 1 << 30 // bytes on disk, caches included
	minFree      = 2 << 30 // bytes that must be free before one starts
	maxTime      = 5 * time.Minute
)

// step is one of our own commands.
type step struct {
	argv   []string
	env    []string
	online bool // with network, and the operator's settings in env
}

// run runs a step in the sandbox. work is the folder it may write to.
func (in *installation) run(ctx context.Context, s step, work string) (sandbox.Result, error) {
	spec := sandbox.Spec{
		Argv:     s.argv,
		Env:      append([]string{"PATH=" + in.tools.path()}, s.env...),
		ReadOnly: in.tools.binds,
		Writable: []string{work},
		Network:  sandbox.Network{Host: s.online},
		Limits: sandbox.Limits{
			Memory: 2 << 30, Processes: 512, CPU: maxTime, Wall: maxTime,
			FileSize: 512 << 20, Files: 8192, Stdout: 4 << 20, Stderr: 256 << 10,
		},
	}
	if s.online {
		spec.Env = append(spec.Env, in.settings.env...)
		spec.ReadOnly = append(append([]string{}, spec.ReadOnly...), in.settings.files...)
	}
	p, err := in.options.Sandbox.Start(ctx, spec)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer p.Stop(0)
	p.Stdin.Close()
	tooLarge := make(chan bool, 1)
	go func() { tooLarge <- watchSize(p.Done(), work, func() { p.Stop(0) }) }()
	io.Copy(io.Discard, p.Stdout) // how it ended is in the result
	result := p.Wait()
	if <-tooLarge {
		return result, failuref(TooLarge, nil, "%s needs more than %d MB on disk", in.plan.Packages[0], maxInstalled>>20)
	}
	if err := ctx.Err(); err != nil {
		return result, failuref(Unreachable, err, "fetching %s took too long", in.plan.Packages[0])
	}
	if result.Class == sandbox.Timeout {
		return result, failuref(Unreachable, nil, "fetching %s took longer than %v", in.plan.Packages[0], maxTime)
	}
	return result, nil
}
