// Package sandbox runs a command that nobody trusts: without network, without
// the parent's secrets, with limits on everything it can use up, and with the
// whole tree of its processes ended at the end.
//
// The backend is bubblewrap on Linux. What it promises is what the tests of
// this package play out; a bug of the kernel breaks it. Nothing that must stay
// secret may be in a Spec: its paths, arguments and environment are readable
// by the command.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// Mode says what happens when a layer of the sandbox is missing.
type Mode string

// The modes.
const (
	// Require stops the work with the remedy when a namespace or limit is
	// missing: the default of `bot serve`.
	Require Mode = "require"
	// BestEffort runs with what there is and reports what is missing. Without
	// bubblewrap or user namespaces there is no sandbox, and it stops too.
	BestEffort Mode = "best-effort"
	// None runs the command as it is, in its own session, with the environment
	// of the Spec and one variable more ([RunVariable]), and with the limits
	// on time and output only.
	None Mode = "none"
)

// RunVariable is set in mode None on Linux: its value, different for every
// run, is how processes are found that left the group of the command. Inside
// the sandbox it is not needed and not set.
const RunVariable = "MCP_LINT_RUN"

// Where a command finds its things inside the sandbox, whatever they are
// called on the host.
const (
	TreePath = "/sandbox/tree" // the private copy of Spec.Tree
	HomePath = "/sandbox/home" // HOME, empty at the start
)

// Options are the settings of a Sandbox. The zero value is right nearly always.
type Options struct {
	// Bubblewrap is the path of bwrap; "" looks in the system's folders, never
	// in PATH, which a repository's tooling may have changed.
	Bubblewrap string
}

// Network is what a command may reach. The zero value is nothing at all: not
// even the host's loopback. (A later field will name granted hosts.)
type Network struct {
	// Host shares the host's network: only for our own package managers in
	// the fetch phase.
	Host bool
}

// Spec is one command to run. Paths are host paths unless said otherwise.
type Spec struct {
	// Argv is the command; Argv[0] is looked up in PATH of Env. In the
	// sandbox it is looked up there, and PATH defaults to the system's folders.
	Argv []string
	// Env is the whole environment, NAME=value. Nothing is inherited. In the
	// sandbox HOME and TMPDIR are replaced by the private ones.
	Env []string
	// Tree is copied into the sandbox's private working folder; the command
	// starts there (in Dir below it). Empty means an empty folder. In mode
	// None the command starts in Tree itself.
	Tree string
	// Dir is the working directory relative to Tree, "" for its root.
	Dir string
	// ReadOnly binds host folders or files read-only at the same path inside.
	ReadOnly []string
	// Writable binds host folders read-write at the same path: the fetch
	// phase's result. Never used in the run phase. A sandbox started by root
	// gives these folders, with all that is in them, to the run's user, and
	// leaves them so. What is written there is not limited in size.
	Writable []string
	Network  Network
	Limits   Limits
}

// Limits are ceilings; a zero field has the default of [DefaultLimits].
type Limits struct {
	Memory    int64         // bytes, all processes together
	Processes int           // processes and threads together
	CPU       time.Duration // CPU time of one process
	Wall      time.Duration // whole run
	FileSize  int64         // bytes of one file
	Scratch   int64         // bytes of home, /tmp and the private tree, each
	Files     int           // open files of one process
	Stdout    int64         // bytes of standard output
	Stderr    int64         // bytes of standard error that are kept; the rest is drained
}

// DefaultLimits let node, Python and Go servers start with room to spare.
func DefaultLimits() Limits {
	return Limits{
		Memory:    1 << 30,
		Processes: 256,
		CPU:       2 * time.Minute,
		Wall:      5 * time.Minute,
		FileSize:  256 << 20,
		Scratch:   256 << 20,
		Files:     1024,
		Stdout:    64 << 20,
		Stderr:    64 << 10,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Memory:    or(l.Memory, d.Memory),
		Processes: or(l.Processes, d.Processes),
		CPU:       or(l.CPU, d.CPU),
		Wall:      or(l.Wall, d.Wall),
		FileSize:  or(l.FileSize, d.FileSize),
		Scratch:   or(l.Scratch, d.Scratch),
		Files:     or(l.Files, d.Files),
		Stdout:    or(l.Stdout, d.Stdout),
		Stderr:    or(l.Stderr, d.Stderr),
	}
}

func or[T int | int64 | time.Duration](value, fallback T) T {
	if value > 0 {
		return value
	}
	return fallback
}

// Class says how a run ended. It is a value, not an error.
type Class string

// The classes.
const (
	Exited  Class = "exited"  // by itself; see Exit and Signal
	Stopped Class = "stopped" // by Stop or the context, as wished
	Timeout Class = "timeout" // Limits.Wall or the context's deadline
	Memory  Class = "memory"  // the kernel ended a process for Limits.Memory
	PIDs    Class = "pids"    // a process was refused for Limits.Processes
	Output  Class = "output"  // more than Limits.Stdout
	Denied  Class = "denied-syscall"
)

// Result is what is known after the end.
type Result struct {
	Class Class
	Exit  int // exit status, -1 when signalled
	// Signal is the name of the signal that ended the command, "" when none.
	// In the sandbox a status of 128+n counts as signal n, as in a shell.
	Signal string
	Stderr string // kept part (the last bytes), raw: escape it before showing
	// StdoutBytes and StderrBytes count everything that was read, also what
	// was not kept.
	StdoutBytes, StderrBytes int64
}

// Unavailable is the error of New and Start when the host lacks something that
// the mode requires.
type Unavailable struct {
	What   string // what is missing, one line
	Remedy string // how to get it, one line
	Err    error  // the cause, may be nil
}

func (e *Unavailable) Error() string {
	return fmt.Sprintf("sandbox unavailable: %s; %s", e.What, e.Remedy)
}

// Unwrap gives the cause.
func (e *Unavailable) Unwrap() error { return e.Err }

// ErrOutput is what reading Process.Stdout gives after Limits.Stdout bytes.
var ErrOutput = errors.New("the command wrote more to standard output than it may")

// Process is a running command. Stdin and Stdout are its pipes; standard error
// is captured into the Result. Stdout gives [ErrOutput] after Limits.Stdout
// bytes, and io.EOF soon after the end even if some process keeps the pipe.
type Process struct {
	Stdin  io.WriteCloser
	Stdout io.Reader

	run
}

// Sandbox starts commands. Its methods may be called concurrently.
type Sandbox struct {
	mode    Mode
	missing []string
	host    // what the platform knows
}

// New prepares a sandbox. It tries it out once (about 20 ms), so that a host
// that cannot do it says so here: the error is then an [*Unavailable]. It also
// removes what dead runs of killed processes left behind.
func New(mode Mode, o Options) (*Sandbox, error) {
	s := &Sandbox{mode: mode}
	switch mode {
	case None:
		return s, nil
	case Require, BestEffort:
		if err := s.prepare(o); err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, fmt.Errorf("sandbox: unknown mode %q: expected require, best-effort or none", string(mode))
}

// Mode is the mode that was given to New.
func (s *Sandbox) Mode() Mode { return s.mode }

// Missing lists the limits that are not enforced here, in words. In mode None
// that is all of them but time and output.
func (s *Sandbox) Missing() []string {
	if s.mode == None {
		return []string{"everything: the command runs outside any sandbox"}
	}
	return append([]string(nil), s.missing...)
}

// Start starts the command. The error is an [*Unavailable] when the sandbox
// could not be built. When ctx ends, so does the run: Timeout for its
// deadline, otherwise Stopped. The caller must call Stop or Wait.
func (s *Sandbox) Start(ctx context.Context, spec Spec) (*Process, error) {
	if len(spec.Argv) == 0 || spec.Argv[0] == "" {
		return nil, errors.New("sandbox: no command: expected at least one argument")
	}
	if spec.Dir != "" && !filepath.IsLocal(spec.Dir) {
		return nil, fmt.Errorf("sandbox: working directory %q leaves the tree: expected a path below it", spec.Dir)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("sandbox: start: %w", err)
	}
	limits := spec.Limits.withDefaults()
	if s.mode == None {
		return startBare(ctx, spec, limits)
	}
	return s.startIsolated(ctx, spec, limits)
}
