package install

import (
	"slices"
	"strings"
)

// piece is one word that a splitter found.
type piece struct {
	text   string
	vague  bool
	quoted bool
}

// splitCommand is a command that a splitter found.
type splitCommand struct {
	pieces []piece
	piped  bool // takes the output of the one before
}

// splitScript splits a text for fish, PowerShell or cmd into its commands. clear
// is false when the text is more than a list of commands: then it is at most
// partly understood.
func splitScript(text string, language dialect) (commands []splitCommand, clear bool) {
	s := splitter{text: text, language: language, clear: true}
	s.run()
	return s.commands, s.clear
}

type splitter struct {
	text     string
	language dialect
	at       int

	commands []splitCommand
	current  splitCommand
	word     strings.Builder
	piece    piece
	inWord   bool
	clear    bool
}

func (s *splitter) endWord() {
	if s.inWord {
		s.piece.text = s.word.String()
		s.current.pieces = append(s.current.pieces, s.piece)
	}
	s.word.Reset()
	s.piece, s.inWord = piece{}, false
}

func (s *splitter) endCommand(piped bool) {
	s.endWord()
	if len(s.current.pieces) > 0 {
		s.commands = append(s.commands, s.current)
	}
	s.current = splitCommand{piped: piped}
}

func (s *splitter) put(c byte) {
	s.word.WriteByte(c)
	s.inWord = true
}

func (s *splitter) run() {
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			s.endWord()
		case c == '\n' || c == ';' && s.language != cmdShell:
			s.endCommand(false)
		case c == '&' && s.language == powerShell && !s.inWord && len(s.current.pieces) == 0 && !s.follows('&'):
			// The call operator.
		case c == '&':
			s.follows('&')
			s.endCommand(false)
		case c == '|':
			s.endCommand(!s.follows('|'))
		case c == '"':
			s.quotes('"')
		case c == '\'' && s.language != cmdShell:
			s.quotes('\'')
		case c == s.escape() && s.at < len(s.text):
			s.put(s.text[s.at])
			s.at++
		case strings.IndexByte("(){}", c) >= 0:
			s.clear = false
			s.endCommand(false)
		case c == '#' && !s.inWord && s.language != cmdShell:
			s.comment()
		case c == '>' || c == '<':
			s.redirect()
		default:
			s.lookedUp(c)
			s.put(c)
		}
	}
	s.endCommand(false)
	for _, c := range s.commands {
		if s.isKeyword(c.pieces[0]) {
			s.clear = false
		}
	}
}

// follows takes the next byte if it is c.
func (s *splitter) follows(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *splitter) escape() byte {
	switch s.language {
	case powerShell:
		return '`'
	case cmdShell:
		return '^'
	}
	return '\\'
}

// quotes reads up to the closing quotation mark.
func (s *splitter) quotes(mark byte) {
	s.inWord, s.piece.quoted = true, true
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == mark && s.language == powerShell && s.follows(mark): // "" is one
			s.put(mark)
		case c == mark:
			return
		case c == s.escape() && s.at < len(s.text) && s.language != cmdShell && (mark == '"' || s.language == fish):
			s.put(s.text[s.at])
			s.at++
		default:
			if mark == '"' {
				if s.lookedUp(c); c == '(' && s.piece.vague && s.language != cmdShell {
					s.clear = false
				}
			}
			s.put(c)
		}
	}
	s.clear = false // never closed
}

// lookedUp marks words in which something is looked up.
func (s *splitter) lookedUp(c byte) {
	if c == '$' && s.language != cmdShell || c == '%' && s.language == cmdShell || c == '*' && s.language == fish {
		s.piece.vague = true
	}
}

func (s *splitter) comment() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		s.at++
	}
}

// redirect reads over > FILE and 2>&1; the number before it is no word.
func (s *splitter) redirect() {
	if strings.Trim(s.word.String(), "0123456789*") == "" {
		s.word.Reset()
		s.inWord = false
	}
	s.endWord()
	for s.at < len(s.text) && strings.IndexByte(">&<", s.text[s.at]) >= 0 {
		s.at++
	}
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
	before := len(s.current.pieces)
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n;|&", s.text[s.at]) < 0 {
		s.at++
	}
	s.current.pieces = s.current.pieces[:before]
}

// isKeyword recognises words that begin more than a command.
func (s *splitter) isKeyword(p piece) bool {
	if p.quoted {
		return false
	}
	keywords := "for while if function begin switch"
	switch s.language {
	case powerShell:
		keywords = "for foreach while do if function filter switch try param begin process class"
	case cmdShell:
		keywords = "for if goto"
	}
	return has(keywords, strings.ToLower(p.text))
}

// splitCommands hands what a splitter found to do.
func (r *reader) splitCommands(commands []splitCommand, language dialect, depth int, do func([]word, int)) {
	fetched, downloading := "", false
	for _, c := range commands {
		pieces := c.pieces
		for language == fish && len(pieces) > 0 && !pieces[0].quoted && isAssignment(pieces[0].text) {
			pieces = pieces[1:]
		}
		if len(pieces) == 0 {
			continue
		}
		words := make([]word, len(pieces))
		for i, p := range pieces {
			words[i] = r.inShell(p.text, p.vague)
		}
		name := programName(strings.TrimPrefix(words[0].text, "@"))
		runs := isShell(name) || isScripted(name)
		if runs && (c.piped && downloading || language == powerShell && isShell(name) && hasDownload(commands)) {
			if fetched == "" {
				fetched = addressIn(allTexts(commands))
			}
			r.piped(fetched)
		} else if runs && c.piped && !hasScript(texts(words[1:])) {
			r.unclear(pipedCode)
		}
		if !c.piped {
			fetched, downloading = "", false
		}
		if isDownloader(name) {
			fetched, downloading = addressIn(texts(words)), true
		}
		if language == powerShell && strings.HasPrefix(words[0].text, "$") && len(words) > 1 && words[1].text == "=" {
			continue // $env:NAME = 'value'
		}
		if language == powerShell && words[0].vague && strings.Contains(words[0].text, "=") {
			continue
		}
		do(words, depth+1)
	}
}

func hasDownload(commands []splitCommand) bool {
	return slices.ContainsFunc(commands, func(c splitCommand) bool {
		return isDownloader(programName(c.pieces[0].text)) || strings.EqualFold(c.pieces[0].text, ".DownloadString")
	})
}

func allTexts(commands []splitCommand) []string {
	var all []string
	for _, c := range commands {
		for _, p := range c.pieces {
			all = append(all, p.text)
		}
	}
	return all
}
