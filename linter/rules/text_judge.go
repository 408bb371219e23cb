package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/prose"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// judged is a text of an entity in which something was found. The rules on
// injection share it, so that one payload is one finding: the order that a text
// gives comes before the means by which it is hidden, and among orders the
// worst. Only what is spelled in invisible characters is another payload than
// what is written in visible ones.
type judged struct {
	text *linter.Text

	hidden    linter.Finding
	hasHidden bool
	order     prose.Match
	hasOrder  bool
	markup    markupFinding
	hasMarkup bool

	// For preset agents, which knows no precedence:
	reading prose.Reading
	secret  bool // it names a place of credentials

	// more is how many later texts, of very many, it stands for.
	more int
}

// mostJudged texts of an entity are kept; of the others the first of each kind,
// and how many there are.
const mostJudged = 1_000

// mostRead texts of an entity in which something is found are read; there may
// be millions, and what the others say changes nothing.
const mostRead = 100_000

// judgedKind is what decides which findings a text becomes.
type judgedKind struct {
	hasHidden, hasOrder, hasMarkup, secret bool
	hidden                                 severity.Level
	worst                                  prose.Intent
	orders                                 [len(judged{}.reading)]severity.Level
}

func (j *judged) kind() judgedKind {
	k := judgedKind{
		hasHidden: j.hasHidden, hasOrder: j.hasOrder, hasMarkup: j.hasMarkup, secret: j.secret,
		hidden: j.hidden.Severity, worst: j.order.Intent,
	}
	for i := range j.reading {
		k.orders[i] = j.reading[i].Level
	}
	if j.hasOrder {
		k.orders[j.order.Intent] = j.order.Level // settled
	}
	return k
}

// judgedList is what has been judged of an entity.
type judgedList struct {
	list  []*judged
	kinds map[judgedKind]*judged // of those that are not kept
	read  int                    // texts in which something was found
	left  int                    // texts that were not read
}

func (l *judgedList) add(found judged) {
	l.read++
	if len(l.list) >= mostJudged {
		kind := found.kind()
		if first := l.kinds[kind]; first != nil {
			first.more++
			return
		}
		if l.kinds == nil {
			l.kinds = map[judgedKind]*judged{}
		}
		j := found // only what is kept costs memory
		l.list = append(l.list, &j)
		l.kinds[kind] = &j
		return
	}
	j := found
	l.list = append(l.list, &j)
}

type (
	judgedKey struct{}
	quietKey  struct{}
)

// judge reads the texts of an entity, once for all rules. Each of them says when
// there were too many to read.
func judge(p *linter.Pass, e *linter.Entity) []*judged {
	read := readTexts(p, e)
	if read.left > 0 {
		p.Report(e, "", linter.Finding{
			Severity: severity.Error,
			Message:  fmt.Sprintf("%s not read, for %s before them give orders or hide something", wasOrWere(read.left, "text"), thousands(mostRead)),
			Fix:      "Take the others away first.",
			Subject:  "not read",
		})
	}
	return read.list
}

// wasOrWere counts things in the past.
func wasOrWere(n int, noun string) string {
	if n == 1 {
		return plural(n, noun) + " was"
	}
	return plural(n, noun) + " were"
}

// readTexts is the work behind judge.
func readTexts(p *linter.Pass, e *linter.Entity) judgedList {
	return e.Memo(judgedKey{}, func() any {
		quiet := p.Server().Memo(quietKey{}, func() any { return &prose.Quiet{} }).(*prose.Quiet)
		if e.PlainText() && len(e.Node().Raw()) < longDefinition && !quiet.SuspectJSON(e.Node().Raw()) {
			return judgedList{}
		}
		var found judgedList
		texts := e.Texts()
		names := knownNames(p, e)
		for i := range texts {
			if found.read == mostRead {
				found.left = len(texts) - i
				break
			}
			if j, ok := judgeText(p.Preset(), &texts[i], quiet, names); ok {
				found.add(j)
			}
		}
		return found
	}).(judgedList)
}

// longDefinition is the size of one, in bytes, in which hardly ever nothing is
// worth reading: it is not looked at as a whole before its texts are.
const longDefinition = 4096

// judgeText judges a text; ok is false when there is nothing to say about it,
// as of nearly all.
func judgeText(preset linter.Preset, text *linter.Text, quiet *prose.Quiet, names prose.Names) (j judged, ok bool) {
	value := text.Value
	if preset != linter.Agents && (len(value) < prose.Shortest && isASCII(value) || quiet.Has(value)) {
		return j, false
	}
	ascii := isASCII(value)
	secret := preset == linter.Agents && sensitive(value) != ""
	more := !ascii || secret // there is more to judge than what it says
	if !more && (len(value) < prose.Shortest || !quiet.Suspect(value)) {
		return j, false
	}
	if ascii && len(value) <= longestName && !strings.ContainsAny(value, " ./+=0123456789") {
		// The words of an identifier, so that it can be read.
		value = strings.Join(linter.Words(value), " ")
	}
	reading, suspect := prose.Judge(value, names)
	if !suspect && !more {
		return j, false
	}
	j = judged{text: text, reading: reading, secret: secret}
	if !ascii {
		j.hidden, j.hasHidden = describeHidden(preset, findHidden(value), names)
	}
	j.order, j.hasOrder = j.reading.Worst()
	j.markup, j.hasMarkup = findMarkup(preset, value)
	if preset == linter.Recommended {
		j.settle()
	}
	return j, j.hasHidden || j.hasOrder || j.hasMarkup || secret
}

// settle leaves one finding for each payload.
func (j *judged) settle() {
	if j.hasOrder && j.hasMarkup && strings.Contains(j.markup.content, j.order.Excerpt) {
		j.order.Disguise = "markup that is not shown"
		j.order.Level = min(j.order.Level+1, severity.Error)
	}
	if j.hasOrder && j.hasMarkup {
		if j.order.Level >= severity.Warning {
			j.hasMarkup = false
		} else {
			j.hasOrder = false
		}
	}
	if !j.hasHidden || strings.Contains(j.hidden.Message, decodedMark) {
		return
	}
	if level := j.hidden.Severity; j.hasOrder && level < severity.Error {
		j.hasHidden = false
	} else if j.hasOrder && j.order.Level < severity.Error {
		j.hasOrder = false
	}
	if j.hasHidden {
		j.hasMarkup = false
	}
}

// onOthers makes a check of a tool one of the server and of all entities that
// are no tools.
func onOthers(check func(*linter.Pass, *linter.Entity)) func(*linter.Pass) {
	return func(p *linter.Pass) {
		check(p, p.Server())
		for _, e := range p.Entities() {
			if e.Ref.Kind != snapshot.KindTool {
				check(p, e)
			}
		}
	}
}

type (
	namesKey struct{}
	wordsKey struct{}
)

// knownNames tells which names a text of e may call its own: those of the
// server's tools and prompts, and the words of e itself. Both lists are made
// when a text first names something.
func knownNames(p *linter.Pass, e *linter.Entity) prose.Names {
	return func(name string) bool {
		own := p.Server().Memo(namesKey{}, func() any { return serverNames(p) }).(ownNames)
		plain := plainName(name)
		if own.names[plain] {
			return true
		}
		if words := linter.Words(name); own.prefix != "" && len(words) > 1 && words[0] == own.prefix {
			return true
		}
		return e.Memo(wordsKey{}, func() any { return wordsOf(e) }).(map[string]bool)[lowerASCII(name)]
	}
}

// ownNames are the names of a server's tools and prompts and their short forms.
type ownNames struct {
	names map[string]bool
	// prefix is the first word of most tools' names: what begins with it is of
	// this server, even when it is switched off.
	prefix string
}

// fewTools have no common prefix.
const fewTools = 4

func serverNames(p *linter.Pass) ownNames {
	own := ownNames{names: map[string]bool{}}
	firsts := map[string]int{}
	for _, e := range p.Entities() {
		if kind := e.Ref.Kind; kind != snapshot.KindTool && kind != snapshot.KindPrompt || len(e.Ref.Name) > longestName {
			continue
		}
		words := e.Words()
		addName(own.names, e.Ref.Name, words)
		if len(words) > 1 {
			firsts[words[0]]++
		}
	}
	for word, n := range firsts {
		if n >= fewTools && n*2 > len(p.Tools()) {
			own.prefix = word
		}
	}
	return own
}

// wordsOf has what an entity itself calls something: parameters and values.
func wordsOf(e *linter.Entity) map[string]bool {
	names := map[string]bool{}
	for _, text := range e.Texts() {
		if len(text.Value) <= longestName && !strings.Contains(text.Value, " ") {
			names[lowerASCII(text.Value)] = true
		}
	}
	return names
}

const (
	longestName = 128
	mostWords   = 12 // of a name, that short forms are made of
)

// addName adds a name and what is left of it without its first or last words:
// people leave out a service's prefix.
func addName(names map[string]bool, name string, words []string) {
	names[plainName(name)] = true
	words = words[:min(len(words), mostWords)]
	for i := range words {
		names[strings.Join(words[i:], "")] = true
		names[strings.Join(words[:i+1], "")] = true
	}
}

// plainName is a name without what spellings differ in.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 0x80:
			return r
		}
		return -1
	}, name)
}
