package install

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// dialect is the language of a shell string.
type dialect int

// The dialects. The first four are parsed by mvdan.cc/sh; for the others there
// are careful word splitters.
const (
	posix dialect = iota
	bash
	ksh
	zsh
	fish
	powerShell
	cmdShell
)

// shellProgram reads a shell: -c takes a text; a file is local.
func (r *reader) shellProgram(name string, args []word, depth int) {
	if name == "busybox" {
		r.command(args, depth+1)
		return
	}
	language := map[string]dialect{"bash": bash, "ksh": ksh, "mksh": ksh, "zsh": zsh, "fish": fish}[name]
	for len(args) > 0 {
		text := args[0].text
		value, joined := strings.CutPrefix(text, "--command=")
		switch {
		case joined:
			r.script(args[0].from(len(text)-len(value)), language, depth)
			return
		case isShellC(text):
			if len(args) > 1 {
				rest := args[1:]
				for len(rest) > 1 && strings.HasPrefix(rest[0].text, "-") {
					rest = rest[1:] // sh -c -e TEXT
				}
				r.script(rest[0], language, depth)
			}
			return
		case has("-o +o -O +O --rcfile --init-file -C --init-command", text):
			args = args[1:]
		case !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+"):
			return // a file of this machine
		}
		args = args[min(1, len(args)):]
	}
}

// isShellC recognises -c, also joined with others: -lc.
func isShellC(text string) bool {
	if text == "--command" {
		return true
	}
	return len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.Contains(text, "c") &&
		strings.Trim(text[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// script reads a text that a shell runs.
func (r *reader) script(w word, language dialect, depth int) {
	if r.shellText(w.text, language, depth, r.command) {
		r.claimed[w.id] = true
	}
}

// shellText reads a text that a shell runs and hands every command to do. It
// reports whether all of it was understood; what was not is noted.
func (r *reader) shellText(text string, language dialect, depth int, do func(words []word, depth int)) bool {
	if depth >= maxDepth {
		r.notUnderstood("depth", "commands stand in commands more deeply than is read")
		return false
	}
	switch language {
	case fish, powerShell, cmdShell:
		commands, clear := splitScript(text, language)
		if !clear {
			r.unclear("a text for " + languageName(language) + " that is more than a list of commands")
		}
		r.splitCommands(commands, language, depth, do)
		return clear
	}
	file, ok := parse(text, language)
	if !ok {
		r.unclear("a shell text that cannot be split into commands")
		return false
	}
	s := script{reader: r, depth: depth, do: do, clear: true}
	s.statements(file.Stmts)
	return s.clear
}

func languageName(language dialect) string {
	return map[dialect]string{fish: "fish", powerShell: "PowerShell", cmdShell: "cmd"}[language]
}

// unclear notes that a shell string was not understood as a whole.
func (r *reader) unclear(what string) {
	r.note(note{rule: unparsed, subject: shellNote, message: "the command line holds " + what + ", so what it fetches may be more than what was judged",
		fix: "Write the program and its arguments without a shell, with values from env or passEnv instead of substitutions."})
}

// The parser's time grows with the square of how deeply a text is nested.
const (
	maxScript  = 32 << 10 // bytes
	maxNesting = 100
)

// nesting is how many brackets of a text are open at once, at most.
func nesting(text string) int {
	open, deepest := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			open++
			deepest = max(deepest, open)
		case ')', '}', ']':
			open--
		}
	}
	return deepest
}

// parse parses a text in its language, else as bash, which most texts are.
func parse(text string, language dialect) (*syntax.File, bool) {
	if len(text) > maxScript || nesting(text) > maxNesting {
		return nil, false
	}
	variants := []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX}
	switch language {
	case posix:
		slices.Reverse(variants)
	case ksh:
		variants = []syntax.LangVariant{syntax.LangMirBSDKorn, syntax.LangBash}
	case zsh:
		variants = []syntax.LangVariant{syntax.LangZsh, syntax.LangBash}
	}
	for _, variant := range variants {
		file, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(text), "")
		if err == nil {
			return file, true
		}
	}
	return nil, false
}
