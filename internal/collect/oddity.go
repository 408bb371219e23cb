package collect

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// The kinds of oddity are the IDs of the rules that report them.
const (
	StdoutNoise        = "server/stdout-noise"
	MalformedHTTP      = "server/malformed-http"
	BrokenPaging       = "server/broken-paging"
	MalformedHandshake = "server/malformed-handshake"
	ProtocolVersion    = "server/protocol-version"
	RefusedList        = "server/refused-list"
	UndeclaredRequest  = "server/undeclared-request"
	UnrequestedAnswer  = "server/unrequested-answer"
	UnstableList       = "server/unstable-list"
	RepeatedSecret     = "server/repeated-secret"
)

// Oddity is something that a server did and that clients stumble over, while
// its lists could be read all the same.
//
// What a server did is told only where the order of its messages proves it, so
// that the same server gives the same oddities again. What is a matter of time
// is none: how long it took, whether it had left when it was ended, and what it
// wrote after its last answer.
type Oddity struct {
	// Kind is one of the constants here.
	Kind string
	// Message says in one line what happened, with the server's own text made
	// visible and what it was handed masked; Fix, what its author should do.
	Message, Fix string
	// Entity is what it is about; the zero value is the server.
	Entity snapshot.Ref
	// Subject tells oddities of one kind and entity apart, from run to run.
	Subject string
}

// fixOf says what to do about a kind.
func fixOf(kind string) string {
	switch kind {
	case StdoutNoise:
		return "Write logs and banners to standard error; standard output belongs to the protocol."
	case MalformedHTTP:
		return "Answer requests with JSON or an event stream under its own Content-Type, and notifications with status 202."
	case BrokenPaging:
		return "Leave nextCursor out on the last page, and give each other page a cursor of its own."
	case MalformedHandshake:
		return "Send capabilities as an object of objects, serverInfo with the texts name and version, and instructions as a text or not at all."
	case ProtocolVersion:
		return "Answer initialize with the requested version if the server has it, else with the newest that it has."
	case RefusedList:
		return "Answer the list, empty if need be, or do not offer it in capabilities."
	case UndeclaredRequest:
		return "Look into the client's capabilities first, and go on without what it did not declare."
	case UnrequestedAnswer:
		return "Answer each request once, with its own id."
	case UnstableList:
		return "Send list_changed only when the list has changed."
	case RepeatedSecret:
		return "Keep credentials out of what the server says: every client and every model that it feeds gets to know them."
	}
	return ""
}

// oddities collects what a server did; it may be used concurrently.
type oddities struct {
	mu     sync.Mutex
	list   []Oddity
	staged []Oddity // seen since the last answer
}

// all returns what counts so far.
func (o *oddities) all() []Oddity {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

// add counts an oddity of the server, the first of each kind and subject.
// Foreign text among the arguments must be fit to be quoted.
func (o *oddities) add(kind, subject, format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = appendNew(o.list, newOddity(kind, subject, format, args...))
}

// addOn counts an oddity of an entity.
func (o *oddities) addOn(ref snapshot.Ref, kind, format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	odd := newOddity(kind, "", format, args...)
	odd.Entity = ref
	o.list = appendNew(o.list, odd)
}

// stage notes an oddity in what came from the server beside its answers. It
// counts when an answer follows it; what comes after the last one is seen or
// missed as chance has it.
func (o *oddities) stage(kind, subject, format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.staged = appendNew(o.staged, newOddity(kind, subject, format, args...))
}

// answered makes what was staged count.
func (o *oddities) answered() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, odd := range o.staged {
		o.list = appendNew(o.list, odd)
	}
	o.staged = nil
}

// unanswered is the message of a staged oddity of a kind, "" for none: what may
// explain that no answer comes.
func (o *oddities) unanswered(kind string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.staged {
		if s.Kind == kind {
			return s.Message
		}
	}
	return ""
}

func newOddity(kind, subject, format string, args ...any) Oddity {
	return Oddity{Kind: kind, Message: snapshot.Visible(fmt.Sprintf(format, args...)), Fix: fixOf(kind), Subject: subject}
}

func appendNew(list []Oddity, odd Oddity) []Oddity {
	known := slices.ContainsFunc(list, func(k Oddity) bool {
		return k.Kind == odd.Kind && k.Subject == odd.Subject && k.Entity == odd.Entity
	})
	if known || len(list) >= maxOdd {
		return list
	}
	return append(list, odd)
}
