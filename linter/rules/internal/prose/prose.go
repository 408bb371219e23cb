// Package prose reads the texts of a server for orders that honest texts do
// not give: to drop earlier instructions, to keep something from the user, to
// change how the tools of others are used, to hand out secrets.
//
// A text is looked at in three steps, each for what the one before let
// through: one pass over the bytes for words that may matter, undoing of
// disguises, and matchers over the words of single sentences. A match needs
// several words in their places, not one word anywhere.
package prose

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Intent is what a text wants.
type Intent uint8

// The intents.
const (
	DropInstructions Intent = iota
	HideFromUser
	PlayRole
	LeakPrompt
	SendData
	SteerTools
	ReplaceTools
	ReadSecret
	intents = iota
)

var intentWords = [...]string{
	DropInstructions: "tells the model to drop its earlier instructions",
	HideFromUser:     "tells the model to keep something from the user",
	PlayRole:         "changes the role of the model",
	LeakPrompt:       "asks the model for its own instructions",
	SendData:         "tells the model to hand on what it was told in confidence",
	SteerTools:       "changes how the model uses a tool that is not of this server",
	ReplaceTools:     "claims to stand in for the tools of other servers",
	ReadSecret:       "sends the model for a file of credentials",
}

// String says what the text does, as a predicate.
func (i Intent) String() string { return intentWords[i] }

// Match is what one text says that it should not.
type Match struct {
	Intent Intent
	Level  severity.Level
	// Excerpt is the sentence, or the part of it that matters, as a reader who
	// sees through the disguise would read it.
	Excerpt string
	// Disguise says how it was hidden, "" when it was not.
	Disguise string

	foreign bool // in another language, which is no disguise
}

// Names tells whether a tool of the server has a name, or one that people
// would shorten to it. nil knows none.
type Names func(name string) bool

func (n Names) has(name string) bool { return n != nil && n(name) }

// Reading is what a text says that it should not: of each intent the worst
// match, with severity Off where there is none.
type Reading [intents]Match

// Judge reads a text. suspect is false when it has none of the words and ways
// to write that are looked for: most texts have none.
func Judge(text string, know Names) (reading Reading, suspect bool) {
	shown := ""
	suspect = views(text, func(view, disguise string, where []stretch) {
		for i, m := range judgeView(view, where, know) {
			hidden := min(m.Level+1, severity.Error)
			if m.Level == severity.Off || hidden <= reading[i].Level {
				continue
			}
			if shown == "" {
				shown = foldPunctuation(text)
			}
			if !strings.Contains(shown, m.Excerpt) && !m.foreign {
				m.Disguise = disguise
				m.Level = hidden // that it is hidden is a signal as well
			}
			if m.Level > reading[i].Level {
				reading[i] = m
			}
		}
	})
	return reading, suspect
}

// Worst returns the match that says most about what would happen; ok is false
// when there is none.
func (r *Reading) Worst() (worst Match, ok bool) {
	for _, m := range r {
		if m.Level != severity.Off && (!ok || worse(m, worst)) {
			worst, ok = m, true
		}
	}
	return worst, ok
}

// worse: orders about tools come first among equals, as they say most about
// what would happen.
func worse(a, b Match) bool {
	if a.Level != b.Level {
		return a.Level > b.Level
	}
	return rank(a.Intent) > rank(b.Intent)
}

func rank(i Intent) int {
	switch i {
	case SteerTools, ReplaceTools:
		return 2
	case ReadSecret:
		return 0
	}
	return 1
}

// judgeView reads a text in which nothing is disguised any more. It returns the
// worst match of each intent.
func judgeView(view string, where []stretch, know Names) (best Reading) {
	r := newReader(view, know)
	var done [len(matchers)]bool // these have found the worst that they can
	for _, part := range where {
		r.sentences(part.from, part.to, func(s *sentence) (more bool) {
			for i := range matchers {
				if part.about&matchers[i].about == 0 || done[i] {
					continue
				}
				more = true
				if m, ok := matchers[i].match(s); ok && m.Level > best[m.Intent].Level {
					best[m.Intent] = m
					done[i] = m.Level == severity.Error
				}
			}
			return more
		})
	}
	return combine(best)
}

var matchers = [...]struct {
	about topics
	match func(*sentence) (Match, bool)
}{
	{drop, matchDrop},
	{conceal, matchConceal},
	{role, matchRole},
	{leak, matchLeak},
	{otherTool, matchSteer},
	{otherTool, matchReplace},
	{secret | transfer, matchSecret},
	{transfer, matchTransfer},
	{foreign, matchForeign},
}

// combine makes two different signals in one text an error.
func combine(best Reading) Reading {
	signals := 0
	for i := range best {
		if best[i].Level >= severity.Warning {
			signals++
		}
	}
	for i := range best {
		if signals > 1 && best[i].Level == severity.Warning {
			best[i].Level = severity.Error
		}
	}
	return best
}
