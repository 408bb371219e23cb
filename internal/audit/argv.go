package audit

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// argv is the command line of an entry as the clients read it that the file is
// written for: a command with blanks and no arguments is a whole command line
// unless there is a file of that very name, and a leading ~ or $HOME is the
// user's home. expand looks up the variables of a word; dir is the folder that
// relative paths start from. What was typed on our own command line has been
// through a shell and stays as it is.
func argv(s launch.Server, dir string, expand func(string) string) ([]string, *report.Error) {
	words := s.Argv()
	if s.Literal {
		return words, nil
	}
	if whole := expand(atHome(s.Command)); len(s.Args) == 0 && strings.ContainsAny(whole, " \t") && !isFile(whole, dir) {
		split, err := launch.SplitWords(escaped(s.Command))
		if err != nil {
			return nil, &report.Error{Kind: report.ErrInput, Message: "the command is a command line that cannot be split: " + err.Error()}
		}
		if len(split) > 0 {
			words = split
		}
	}
	words[0] = atHome(words[0])
	for i, word := range words {
		words[i] = expand(word)
	}
	return words, nil
}

// atHome writes a leading ~ or $HOME as ${HOME}, which is looked up with the
// other variables; ~name, another user's home, stays.
func atHome(command string) string {
	home := "${HOME}"
	if runtime.GOOS == "windows" {
		home = "${USERPROFILE}"
	}
	for _, sign := range []string{"~", "$HOME"} {
		rest, found := strings.CutPrefix(command, sign)
		if found && rest != "" && os.IsPathSeparator(rest[0]) {
			return home + rest
		}
	}
	return command
}

// escaped keeps the backslashes of Windows paths through the splitting.
func escaped(command string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(command, `\`, `\\`)
	}
	return command
}

// isFile reports whether a command is a path and there is something.
func isFile(command, dir string) bool {
	if !strings.ContainsFunc(command, func(r rune) bool { return r == '/' || r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		return false
	}
	if !filepath.IsAbs(command) {
		command = filepath.Join(dir, command)
	}
	_, err := os.Stat(command)
	return err == nil
}
