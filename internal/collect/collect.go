// Package collect asks an MCP server what it tells a model and returns it as a
// snapshot, exactly as the server said it.
package collect

import (
	"crypto/x509"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Bounds on what a server may send. They are far above any real server (the
// largest of 119 known ones sends 2 MB) and keep the memory of a hostile one
// bounded.
const (
	maxLine   = 128 << 20 // bytes of one message
	maxOutput = 160 << 20 // bytes of standard output over the whole run
	maxPages  = 1000      // pages of one list
	maxLists  = 20        // request timeouts that a whole conversation may take
	maxOdd    = 20        // oddities kept
	// maxRestarts is how often a list is asked for again because the server
	// said, while it was being read, that it changed.
	maxRestarts = 3
)

// Default timeouts.
const (
	DefaultStartTimeout   = 120 * time.Second
	DefaultRequestTimeout = 30 * time.Second
	// leaveGrace is how long a server that answered may take to leave after its
	// standard input ends, and again after SIGTERM: it was only asked for lists
	// and has nothing to lose.
	leaveGrace = 50 * time.Millisecond
	// failedGrace is how long a server that went wrong may take to end by
	// itself, for its exit code and last words.
	failedGrace = time.Second
)

// Command is a stdio server to start. Environment look-ups are done.
type Command struct {
	Argv []string
	// Env is added to the minimal environment. Its values are taken for
	// secrets: they are masked in every message.
	Env map[string]string
	// Secrets are those of the values that are taken out of what the server
	// says, too: see [PassedSecrets].
	Secrets []string
	// Tree is the working tree of the server, "" for an empty one.
	Tree string
	// Dir is the working directory relative to Tree.
	Dir string
}

// Options steer a collection. Zero values have defaults.
type Options struct {
	// Sandbox runs the server; required for one that is started.
	Sandbox *sandbox.Sandbox
	// Env is the operator's environment, of which servers get PATH, HOME and
	// the like, and the fetch phase the registry, CA and proxy settings.
	Env func(string) (string, bool)
	// Cache is the folder of the fetch phase's results; "" uses the user's
	// cache folder.
	Cache          string
	StartTimeout   time.Duration // process start until initialize answers; 120 s
	RequestTimeout time.Duration // each request; 30 s
	ClientVersion  string
	Progress       func(string) // one line of what is going on; may be nil
	// Egress says where requests to remote servers may go.
	Egress Egress

	roots *x509.CertPool // of tests; nil stands for the system's
}

func (o Options) withDefaults() Options {
	if o.StartTimeout <= 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = DefaultRequestTimeout
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Env == nil {
		o.Env = func(string) (string, bool) { return "", false }
	}
	return o
}

// Collected is what came back.
type Collected struct {
	Snapshot *snapshot.Snapshot
	// Oddities are what the server did that clients stumble over, in the order
	// in which it was seen; one of each kind and subject.
	Oddities []Oddity
}

// noteRefusal notes that a server refused a version where it should have named
// its own. Stateless servers know no initialize: they did right.
func (c *Collected) noteRefusal(first *turnedAway) {
	if first.wanted != discoverVersion {
		c.Oddities = append(c.Oddities, newOddity(ProtocolVersion, "refused",
			"initialize with protocol version %s is refused, and not answered with a version that the server has", preferredVersion))
	}
}
