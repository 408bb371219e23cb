package launch

import "github.com/mcp-lint/mcp-lint/linter/snapshot"

// Setting is a text of an entry beside its command line.
type Setting struct {
	Kind SettingKind
	// Name is the variable's or header's name, or the entry's key.
	Name string
	Word
}

// SettingKind says what a setting is for.
type SettingKind int

// The kinds of settings.
const (
	Variable SettingKind = iota // of the server's environment
	Header                      // of requests to a remote server
	Address                     // the URL of a remote server
	Approval                    // every call is approved without a question
)

// Twice is a name that a file has twice on one level. The last one counts: that
// is what most parsers keep.
type Twice struct {
	Name         string
	First, Again snapshot.Location
}
