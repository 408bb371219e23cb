package pin

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
)

// errOverlap is two changes that both want the same bytes in different words.
var errOverlap = errors.New("two entries share a text of the file, and would need different ones")

// apply writes the words anew, and proves that nothing else changed.
func (p *Pinner) apply(file string, data []byte, servers []launch.Server, edits []*target, result Result) (Result, error) {
	words, err := rewritten(edits)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", file, err)
	}
	var b bytes.Buffer
	at := 0
	for _, w := range words {
		b.Write(data[at:w.Start])
		b.WriteString(literal(w.Style, w.Text))
		at = w.End
	}
	b.Write(data[at:])
	result.Data = b.Bytes()
	if err := p.verify(file, result.Data, servers, edits, words); err != nil {
		return Result{}, fmt.Errorf("%s: it would not say what it should once it is pinned, so it stays as it is: %w", file, err)
	}
	for _, t := range edits {
		result.Changes = append(result.Changes, Change{
			Server: t.server.Key, Location: t.server.Words[t.arg].Location, Ecosystem: string(t.pkg.Ecosystem),
			Before: t.before(), After: t.after(),
		})
	}
	return result, nil
}

// rewritten are the words of the file that change, with their new texts, in the
// order of the file. Several packages may stand in one word, and one word of the
// file in several entries (an anchor of YAML).
func rewritten(edits []*target) ([]launch.Word, error) {
	type occurrence struct {
		server *launch.Server
		arg    int
	}
	byWord := make(map[occurrence][]*target)
	for _, t := range edits {
		o := occurrence{t.server, t.arg}
		byWord[o] = append(byWord[o], t)
	}
	byPlace := make(map[int]launch.Word)
	for o, targets := range byWord {
		w := o.server.Words[o.arg]
		w.Text = withPackages(w.Text, targets)
		if other, twice := byPlace[w.Start]; twice && other.Text != w.Text {
			return nil, errOverlap
		}
		byPlace[w.Start] = w
	}
	words := make([]launch.Word, 0, len(byPlace))
	for _, w := range byPlace {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b launch.Word) int { return a.Start - b.Start })
	return words, nil
}

// withPackages is a word's text with its packages written anew.
func withPackages(text string, targets []*target) string {
	slices.SortFunc(targets, func(a, b *target) int { return a.start - b.start })
	var b bytes.Buffer
	at := 0
	for _, t := range targets {
		b.WriteString(text[at:t.start])
		b.WriteString(t.after())
		at = t.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// verify reads the changed file again: every entry must be what it was, but for
// the words that changed, and each package that was to be pinned must be read as
// pinned.
func (p *Pinner) verify(file string, data []byte, before []launch.Server, edits []*target, words []launch.Word) error {
	after, err := p.Read(file, data)
	if err != nil {
		return err
	}
	if len(after) != len(before) {
		return fmt.Errorf("it would have %d entries instead of %d", len(after), len(before))
	}
	for i := range before {
		want := withoutPlaces(before[i])
		for n, w := range before[i].Words {
			if at := slices.IndexFunc(words, func(o launch.Word) bool { return o.Start == w.Start && w.Spelled() }); at >= 0 {
				setWord(&want, n, words[at].Text)
			}
		}
		if got := withoutPlaces(after[i]); !reflect.DeepEqual(got, want) {
			return fmt.Errorf("the entry on line %d would change in more than its packages", before[i].Location.Line)
		}
		if err := p.verifyPackages(&before[i], &after[i], edits); err != nil {
			return err
		}
	}
	return nil
}

// withoutPlaces is an entry without what depends on where it stands.
func withoutPlaces(s launch.Server) launch.Server {
	c := s
	c.Location.Line, c.Location.Column = 0, 0
	c.Args = slices.Clone(s.Args)
	c.Words = nil
	for _, w := range s.Words {
		c.Words = append(c.Words, launch.Word{Text: w.Text})
	}
	c.Settings = nil
	for _, setting := range s.Settings {
		setting.Word = launch.Word{Text: setting.Text}
		c.Settings = append(c.Settings, setting)
	}
	c.Twice = nil
	for _, t := range s.Twice {
		c.Twice = append(c.Twice, launch.Twice{Name: t.Name})
	}
	if s.Invalid != nil {
		c.Invalid = errors.New("invalid") // its text names a place
	}
	return c
}

// setWord changes one word of the command line.
func setWord(s *launch.Server, n int, text string) {
	s.Words[n].Text = text
	if n == 0 {
		s.Command = text
	} else {
		s.Args[n-1] = text
	}
}

// verifyPackages compares what an entry fetches before and after.
func (p *Pinner) verifyPackages(before, after *launch.Server, edits []*target) error {
	was, is := install.Packages(before.Argv(), p.Bad), install.Packages(after.Argv(), p.Bad)
	if len(was) != len(is) {
		return fmt.Errorf("the entry on line %d would fetch other packages", before.Location.Line)
	}
	for i := range was {
		changed := slices.ContainsFunc(edits, func(t *target) bool { return t.server == before && t.pkg == was[i] })
		same := was[i].Ecosystem == is[i].Ecosystem && was[i].Name == is[i].Name && was[i].Arg == is[i].Arg
		pinned := is[i].Class == install.Fine || is[i].Class == install.NoHashes
		if !same || changed && !pinned || !changed && (was[i].Spec != is[i].Spec || was[i].Class != is[i].Class) {
			return fmt.Errorf("the entry on line %d would not fetch what it should", before.Location.Line)
		}
	}
	return nil
}
