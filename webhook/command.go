package webhook

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/mcp-lint/mcp-lint/internal/queue"
)

// commandWord starts every command in a comment.
const commandWord = "/mcp-lint"

// maxCommented is the longest comment that is read for commands, in bytes. GitHub
// takes 65,536 characters.
const maxCommented = 8 << 10

// nested finds a line that opens fifty quotes and lists, which nobody writes. They
// take the parser time that grows with the square of their number: 0.3 s for 8 KB.
var nested = regexp.MustCompile(`(?m)^(?:[ \t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])[ \t])){50}`)

// command is what a comment asks for; the zero value is nothing.
type command struct {
	what   string // one of queue's constants
	commit string // "" for none
}

// commandIn returns the first command of a comment. A command is a line of its
// own, from its first column, in a paragraph that stands in no quote, list, code
// block or HTML: what somebody cites or shows is no order. The words are exact;
// unknown ones are nobody's.
func commandIn(comment string) command {
	// Nearly every comment ends here, before anything is parsed.
	if len(comment) > maxCommented || !strings.HasPrefix(comment, commandWord) && !strings.Contains(comment, "\n"+commandWord) {
		return command{}
	}
	if nested.MatchString(comment) {
		return command{}
	}
	source := []byte(strings.ReplaceAll(comment, "\r\n", "\n"))
	// Blocks are all that matters, so no inline parser takes part.
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	document := blocks.Parse(text.NewReader(source))
	for block := document.FirstChild(); block != nil; block = block.NextSibling() {
		if block.Kind() != ast.KindParagraph {
			continue
		}
		lines := block.Lines()
		for i := range lines.Len() {
			at := lines.At(i)
			if at.Start > 0 && source[at.Start-1] != '\n' {
				continue // indented
			}
			if c := parseCommand(string(util.TrimRightSpace(at.Value(source)))); c.what != "" {
				return c
			}
		}
	}
	return command{}
}

func parseCommand(line string) command {
	words := strings.Split(line, " ")
	if words[0] != commandWord {
		return command{}
	}
	switch {
	case len(words) == 2 && words[1] == queue.Recheck, len(words) == 2 && words[1] == queue.Run:
		return command{what: words[1]}
	case len(words) == 3 && words[1] == queue.Run && commitName(words[2]):
		return command{what: queue.Run, commit: words[2]}
	}
	return command{}
}

// commitName tells whether a word is a commit's name, or its first seven
// characters at least.
func commitName(s string) bool {
	return len(s) >= 7 && len(s) <= 40 && strings.Trim(s, "0123456789abcdef") == ""
}
