package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
)

// What is read of one command line is bounded: hostile ones are no longer than
// a pull request can write, but commands stand inside commands.
const (
	maxDepth    = 8         // commands inside commands
	maxCommands = 1_000     // of one argv
	maxText     = 256 << 10 // bytes of all words together
	maxFound    = 500       // packages that are listed, bad ones, and notes
)

// found is a package with what a message needs.
type found struct {
	Package
	// runner is the program that fetches it: npx, uv run …
	runner string
	// fix says how to write it.
	fix string
	// advisory and version say what is known to be bad.
	advisory *advisory.Advisory
	version  string
}

// shown is the name as messages have it.
func (f *found) shown() string { return shown(f.Name) }

// note is something about the command line that is about no single package.
type note struct {
	rule    string
	subject string // of the fingerprint
	pkg     string
	message string
	fix     string
}

// reader is one reading of a command line.
type reader struct {
	bad   *advisory.List
	found []found
	notes []note
	// words are all words, those of shell strings too; claimed are, by their id,
	// those of which it is known what they are.
	words    []word
	claimed  map[int]bool
	ids      int
	commands int
	badOnes  int
}

// read reads a whole command line.
func read(argv []string, bad *advisory.List) *reader {
	r := &reader{bad: bad, claimed: make(map[int]bool)}
	r.words, r.ids = wordsOf(argv), len(argv)
	readable := slices.Clone(r.words)
	if size := len(strings.Join(argv, "")); size > maxText {
		r.notUnderstood("size", fmt.Sprintf("the command line has %d bytes; at most %d are read", size, maxText))
		readable = cut(readable)
	}
	if len(readable) == 1 && isCommandText(argv) {
		r.script(readable[0], posix, 0)
	} else {
		r.command(readable, 0)
	}
	r.searchWords() // in all words
	return r
}

// cut keeps the beginning of an overlong command line.
func cut(words []word) []word {
	size := 0
	for i, w := range words {
		if size += len(w.text); size > maxText {
			return words[:i]
		}
	}
	return words
}

// isCommandText recognises a whole command in the place of the program, as some
// clients take it: "npx -y package". A path of Windows with blanks is none.
func isCommandText(argv []string) bool {
	if len(argv) != 1 || !strings.ContainsAny(strings.TrimSpace(argv[0]), " \t\n") {
		return false
	}
	text := argv[0]
	return len(text) < 3 || !isLetter(text[0]) || text[1] != ':' || text[2] != '\\' && text[2] != '/'
}

// command reads one command: a program and its arguments.
func (r *reader) command(words []word, depth int) {
	if len(words) == 0 {
		return
	}
	r.commands++
	if depth > maxDepth || r.commands > maxCommands {
		r.notUnderstood("depth", "commands stand in commands more deeply than is read")
		return
	}
	program := words[0]
	name := programName(program.text)
	if program.vague && strings.Contains(name, "$") {
		if r.noted(shellNote) {
			return // that says it
		}
		r.notUnderstood("variable", "the program is chosen by a variable, so what it fetches is not known")
		return
	}
	args := words[1:]
	if read := runnerOf(name); read != nil {
		read(r, args, depth)
		return
	}
	if w, ok := wrapperOf(name); ok {
		r.wrapper(name, w, args, depth)
		return
	}
	r.other(name, program.text, args)
}

// programName is the plain name of a program: without folder, and without the
// endings that Windows adds, in lower case. Versions of interpreters go too:
// python3.12 is python.
func programName(path string) string {
	name := path
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.ToLower(name)
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1", ".com"} {
		name = strings.TrimSuffix(name, ending)
	}
	for _, versioned := range []string{"python", "pip", "pypy"} {
		if rest, ok := strings.CutPrefix(name, versioned); ok && strings.Trim(rest, "0123456789.") == "" {
			return versioned
		}
	}
	return name
}

// add records a package.
func (r *reader) add(f found, w word) {
	f.Arg, f.Start, f.End = w.arg, w.start, w.end
	r.claimed[w.id] = true
	r.compare(&f, w)
	r.keep(f)
}

// keep lists a package. Bad ones are counted by themselves, so that many others
// hide none.
func (r *reader) keep(f found) {
	if f.Class == KnownBad {
		if r.badOnes++; r.badOnes > maxFound {
			return
		}
	} else if len(r.found)-r.badOnes >= maxFound {
		return
	}
	r.found = append(r.found, f)
}

// notUnderstood notes that something of the command line could not be judged.
func (r *reader) notUnderstood(subject, message string) {
	r.note(note{rule: unparsed, subject: subject, message: message,
		fix: "Start the package's own runner directly, with the package at an exact version."})
}

func (r *reader) unknownOption(program, name string) {
	name, _, _ = strings.Cut(name, "=")
	r.notUnderstood("option "+program, fmt.Sprintf("%s has an option that is not known here (%s), so its package may be another word than the one that was judged",
		program, shown(name)))
}

func (r *reader) note(n note) {
	same := func(o note) bool { return o.rule == n.rule && o.subject == n.subject }
	if len(r.notes) < maxFound && !slices.ContainsFunc(r.notes, same) {
		r.notes = append(r.notes, n)
	}
}

// shellNote is the subject of the note that a shell string is not clear.
const shellNote = "shell"

func (r *reader) noted(subject string) bool {
	return slices.ContainsFunc(r.notes, func(n note) bool { return n.subject == subject })
}
