package launch

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
)

// SplitWords splits a command line that was given as one text, at the white
// space of ECMAScript. Single quotes keep everything as it is; in double quotes
// a backslash escapes ", \, $ and ` only; outside quotes it keeps the next
// character. Adjacent parts join, and a pair of quotes with nothing in it is an
// empty word. It is no shell: nothing is looked up. A backslash at the very end
// stands for itself; a quote that nothing closes is an error.
func SplitWords(line string) ([]string, error) {
	var (
		words  []string
		word   strings.Builder
		inWord bool // also for the empty word
		quote  rune
	)
	for i := 0; i < len(line); {
		// Bytes that are no UTF-8 go over as they are.
		r, size := utf8.DecodeRuneInString(line[i:])
		part := line[i : i+size]
		i += size
		switch {
		case quote == '\'' && r != '\'', quote == '"' && r != '"' && r != '\\':
			word.WriteString(part)
		case r == '\\' && (quote == 0 && i < len(line) || quote == '"' && strings.ContainsAny(line[i:min(i+1, len(line))], "\"\\$`")):
			_, size := utf8.DecodeRuneInString(line[i:])
			word.WriteString(line[i : i+size])
			i += size
			inWord = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && linter.IsBlank(part):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteString(part)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quotation mark that opens is never closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
