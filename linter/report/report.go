// Package report holds what is said about one or several servers, and writes
// it in every format: one file a format.
package report

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// FormatVersion is the version of the JSON report.
const FormatVersion = 1

// Report is the result of a run, in the shape of the published JSON format.
type Report struct {
	Version int      `json:"version"`
	Tool    Tool     `json:"tool"`
	Servers []Server `json:"servers"`
	Summary Summary  `json:"summary"`
	// Baseline is nil unless the findings were compared with earlier ones.
	Baseline *Baseline `json:"baseline"`
}

// Baseline is the comparison with an earlier report or tree.
type Baseline struct {
	// Source says what it was: the file, or the revision.
	Source string `json:"source"`
	// Known counts the findings that were there before.
	Known int `json:"known"`
	// Fixed are the findings of the baseline that are gone.
	Fixed []FixedFinding `json:"fixed"`
}

// FixedFinding is a finding of the baseline that is gone.
type FixedFinding struct {
	Key         string         `json:"key"` // of the server
	Rule        string         `json:"rule"`
	Severity    severity.Level `json:"severity"`
	Entity      snapshot.Ref   `json:"entity"`
	Path        string         `json:"path"`
	Message     string         `json:"message"`
	Fingerprint string         `json:"fingerprint"`
}

// Tool names this program.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Server is everything known about one server.
type Server struct {
	Key      string           `json:"key"`
	Server   ServerInfo       `json:"server"`
	Counts   Counts           `json:"counts"`
	Findings []linter.Finding `json:"findings"`
	Scores   *Scores          `json:"scores"` // nil when the server was not linted
	Probes   []Probe          `json:"probes"`
	Lock     *Lock            `json:"lock"`  // nil when no lock was consulted
	Error    *Error           `json:"error"` // nil when the server was collected
	// Entry is nil but for an entry of a configuration file that was judged by
	// itself: the server was not asked, so counts and scores say nothing.
	Entry *Entry `json:"entry,omitempty"`
}

// Entry is an entry of a client's configuration file.
type Entry struct {
	Client string `json:"client"` // whose file it is (vscode); "" where several clients use such a file
	// Scope is the project that the entry is for, "" for all.
	Scope    string `json:"scope"`
	Disabled bool   `json:"disabled"`
	// Remote: it starts nothing here, so no command was judged. Address is the
	// scheme and host that it reaches, "" where they cannot be told.
	Remote  bool   `json:"remote"`
	Address string `json:"address"`
}

// ServerInfo identifies the server and how it was reached.
type ServerInfo struct {
	Name            string `json:"name"`
	Version         string `json:"version"`
	Transport       string `json:"transport"` // stdio, streamable-http, file
	CommandSHA256   string `json:"commandSha256"`
	ProtocolVersion string `json:"protocolVersion"`
}

// Counts is the inventory.
type Counts struct {
	Tools             int `json:"tools"`
	Prompts           int `json:"prompts"`
	Resources         int `json:"resources"`
	ResourceTemplates int `json:"resourceTemplates"`
}

// Scores holds both scores.
type Scores struct {
	Quality linter.Quality `json:"quality"`
	Tokens  linter.Tokens  `json:"tokens"`
}

// Probe is one real call of a tool.
type Probe struct {
	Tool   string `json:"tool"`
	Label  string `json:"label"`
	Status string `json:"status"`
	Tokens int    `json:"tokens"`
}

// Lock is the comparison with the lock file.
type Lock struct {
	InstructionsKnown bool              `json:"instructionsKnown"`
	Changes           []lockfile.Change `json:"changes"`
}

// ErrorKind says why a server could not be checked.
type ErrorKind string

// The kinds of failure.
const (
	ErrStart              ErrorKind = "start"
	ErrCrash              ErrorKind = "crash"
	ErrTimeout            ErrorKind = "timeout"
	ErrProtocol           ErrorKind = "protocol"
	ErrNeedsAuthorization ErrorKind = "needs-authorization"
	ErrNeedsSecret        ErrorKind = "needs-secret"
	ErrSandbox            ErrorKind = "sandbox"
	ErrInput              ErrorKind = "input"
	// ErrRefused: it would fetch what is known to be bad, so it was not started.
	// That is no want of a check but its result: it fails a run by itself.
	ErrRefused ErrorKind = "refused"
)

// Error says why a server could not be checked. A server with an error is
// never clean.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
}

// Summary counts over all servers; suppressed findings are left out.
type Summary struct {
	Errors     int  `json:"errors"`
	Warnings   int  `json:"warnings"`
	Infos      int  `json:"infos"`
	NotChecked int  `json:"notChecked"`
	Passed     bool `json:"passed"`
}
