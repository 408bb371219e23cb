package fetch

import "fmt"

// Kind says why a package could not be fetched.
type Kind string

// The kinds.
const (
	// Unsupported is a command line that we do not follow: packages from
	// elsewhere than a registry, options that choose a registry.
	Unsupported Kind = "unsupported"
	NotFound    Kind = "not-found"    // no such package or version in the registry
	NoWheel     Kind = "no-wheel"     // only as source, which would have to be built
	NoCommand   Kind = "no-command"   // installed, but it has no such program
	WrongPython Kind = "wrong-python" // made for another version of Python
	Unreachable Kind = "unreachable"  // network, proxy, certificate, log-in
	TooLarge    Kind = "too-large"
	NoTool      Kind = "no-tool" // node, npm or Python is missing here
	Failed      Kind = "failed"  // the package manager failed otherwise
)

// Failure is an outcome of Fetch or Parse: why, in one line. The message holds
// names from the command line, as written there, and nothing that a package or
// a registry said.
type Failure struct {
	Kind    Kind
	Message string
	Err     error
}

func (f *Failure) Error() string { return f.Message }

// Unwrap gives the cause, nil when the message says it all.
func (f *Failure) Unwrap() error { return f.Err }

func failuref(kind Kind, err error, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Message: fmt.Sprintf(format, args...), Err: err}
}
