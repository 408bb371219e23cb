package report

import (
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// Review is everything one pull request (or one `mcp-lint ci`) is told: the
// report on the head, and how the head's lock relates to the base's. It is
// pure data, crosses the pipe from `bot runner` as JSON, and both verdicts and
// every published text are functions of it.
type Review struct {
	Report Report `json:"report"`
	// Snapshots are what the servers of the report said, in its order and nil
	// where that is not known, for who asked for them; they are not part of the
	// document.
	Snapshots []*snapshot.Snapshot `json:"-"`
	// Empty is true when neither head nor base has a server, a config or a
	// lock: both checks are then skipped.
	Empty  bool       `json:"empty"`
	Limits Limits     `json:"limits"`
	Lock   LockReview `json:"lock"`
	// Pending lists, in words, what the head's config would change once merged
	// (the trusted config decides until then).
	Pending []string `json:"pending"`
	// Compared tells whether findings were compared with a base; when false
	// every finding counts as new.
	Compared bool `json:"compared"`
	// Growth has the servers of which is known what they said in the base.
	Growth []TokenGrowth `json:"growth"`
}

// Limits are the thresholds of the trusted config.
type Limits struct {
	FailOn     severity.Level `json:"failOn"`
	LockFailOn severity.Level `json:"lockFailOn"`
	MinScore   float64        `json:"minScore"`
	FailUnder  float64        `json:"failUnder"`
}

// LockReview is what the pull request does to the lock file.
type LockReview struct {
	// Path is the lock's path in the repository, with slashes.
	Path string `json:"path"`
	// InBase and InHead tell where a lock file exists.
	InBase bool `json:"inBase"`
	InHead bool `json:"inHead"`
	// Error says why the head's lock could not be read; nil when it could.
	Error *Error `json:"error"`
	// RemovedServers are keys locked in base, absent from the head's lock.
	RemovedServers []string `json:"removedServers"`
	// RenamedServers are keys under which the head's lock holds what the base's
	// holds under a key that the head's lock lacks. Neither counts as removed or
	// accepted.
	RenamedServers []RenamedServer `json:"renamedServers"`
	// MovedTo is the path under which the head's configuration looks for the lock,
	// where that is another one and there is a lock; "" otherwise.
	MovedTo string `json:"movedTo"`
	// MovedFrom is the path at which the base's configuration has the lock of the
	// base, where head and base differ in it and the head's configuration counts;
	// "" otherwise.
	MovedFrom string `json:"movedFrom"`
	// Accepted are the changes from the base's lock to the head's lock: what
	// merging accepts. Servers without changes are left out.
	Accepted []LockedChanges `json:"accepted"`
	// Places are the lines of the head's lock at which the servers' own changes
	// ([Lock.Changes]) are shown. A change without one is shown at line 1.
	Places []Place `json:"places"`
	// Refreshed is the head's lock with what the servers say now in it, byte for
	// byte what `mcp-lint lock --all --accept` writes there. It is "" when nobody
	// asked for it, when nothing differs, and when NoRefresh says why not.
	Refreshed string `json:"refreshed,omitempty"`
	// NoRefresh says in words why there are differences and no Refreshed.
	NoRefresh string `json:"noRefresh,omitempty"`
}

// RenamedServer is a server that is locked under another key than in the base.
type RenamedServer struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Place is where a lock file holds an entity of a server.
type Place struct {
	Key      string            `json:"key"`
	Entity   snapshot.Ref      `json:"entity"`
	Location snapshot.Location `json:"location"`
}

// LockedChanges are the changes of one server between two locks.
type LockedChanges struct {
	Key     string    `json:"key"`
	Changes []Located `json:"changes"`
}

// Located is a change with its place in the head's lock file.
type Located struct {
	lockfile.Change
	Location snapshot.Location `json:"location"`
}

// plain are the changes without their places.
func (l *LockedChanges) plain() []lockfile.Change {
	changes := make([]lockfile.Change, len(l.Changes))
	for i := range l.Changes {
		changes[i] = l.Changes[i].Change
	}
	return changes
}

// Conclusion is a check run's conclusion, in GitHub's words.
type Conclusion string

// The conclusions we use.
const (
	Success        Conclusion = "success"
	Failure        Conclusion = "failure"
	ActionRequired Conclusion = "action_required"
	Skipped        Conclusion = "skipped"
	Cancelled      Conclusion = "cancelled"
)

// The names of the check runs. They are what branch protection refers to and
// never change.
const (
	LintCheck = "mcp-lint"
	LockCheck = "mcp-lint lock"
)

// CheckRun is one verdict with its text, before GitHub's limits are applied
// (package checks does that; [Clip] cuts a Summary).
type CheckRun struct {
	Name        string
	Conclusion  Conclusion
	Title       string
	Summary     string // Markdown
	Annotations []Annotation
	// Actions are buttons on the check run.
	Actions []Action
}

// Action is a button on a check run.
type Action struct {
	Label       string
	Description string
	// Identifier comes back when the button is pressed.
	Identifier string
}

// Annotation is a finding or change at a line of the repository.
type Annotation struct {
	// Location always has a file and a line.
	Location snapshot.Location
	Severity severity.Level
	Title    string
	Message  string // plain text, foreign text already made visible
}
