package linter

import (
	"time"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Config is what a user may change about linting. The zero value is the
// recommended preset with default options.
type Config struct {
	Preset Preset
	// Rules overrides severities by rule ID.
	Rules map[string]severity.Level
	// Options holds numbers by option name; absent names have the default.
	Options map[string]float64
	// IgnoreTools removes tools by name before any rule; * matches any run of
	// characters.
	IgnoreTools []string
	Suppress    []Suppression
	// Clients narrows what is said about clients to these; none means all.
	Clients []string
	// Today decides which suppressions have expired. The zero value means none.
	Today time.Time
}

// Suppression silences findings that match every field given.
type Suppression struct {
	Rule string // required
	// Server is a server key, "" for all.
	Server string
	// Entity is kind:name ("tool:export"), "" for all.
	Entity string
	// Path is a JSON pointer inside the entity, "" for all.
	Path string
	// TextSHA256 binds the suppression to the text it was written for: hex
	// SHA-256 of the text at the finding's path, or of the entity's description
	// (a server's instructions) where that is no text. A changed text brings
	// the finding back.
	TextSHA256 string
	Reason     string // required
	// Until is the last day on which it counts (YYYY-MM-DD), "" for good.
	Until string
}
