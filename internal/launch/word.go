package launch

import "github.com/mcp-lint/mcp-lint/linter/snapshot"

// Word is one word of a command line with its place in the file that holds it.
type Word struct {
	// Text is what the word says: escapes are resolved, ${NAME} is not looked up.
	Text string
	// Location is where the literal starts: line and column count from 1, columns
	// in UTF-16 units, as editors count them.
	Location snapshot.Location
	// Start and End are the bytes of the literal in the file as it was read,
	// quotation marks included: data[Start:End]. They are equal for a word that no
	// single literal spells, like one that an entry only implies or a text over
	// several lines of YAML: such a word can be shown, but not be written anew.
	Start, End int
	// Style says how the literal is written, so that another text can be written
	// in its place.
	Style Style
}

// Spelled reports whether one literal of the file spells the word.
func (w Word) Spelled() bool { return w.End > w.Start }

// Style is a way to write a text in a configuration file. The zero value is that
// of a word that no literal spells.
type Style int

// The styles.
const (
	Unspelled   Style = iota
	JSON              // "…" with JSON's escapes
	YAMLPlain         // … without quotation marks
	YAMLSingle        // '…', in which '' stands for '
	YAMLDouble        // "…" with YAML's escapes
	TOMLBasic         // "…" with TOML's escapes
	TOMLLiteral       // '…' without escapes
)
