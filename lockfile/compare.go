package lockfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Options is what a user may change about comparing.
type Options struct {
	// LockIgnore names members of a definition (icons, _meta) whose changes do
	// not count.
	LockIgnore []string
}

// Compare returns what differs between a locked server and a live one (or that
// of another lock), in a fixed order: the server, then tools, prompts,
// resources and templates by name. It takes time in proportion to the size of
// both. Either side may be nil, which stands for a server without anything.
func Compare(locked, live *Server, o Options) []Change {
	c := &comparison{ignore: o.LockIgnore, room: maxAllParts, work: maxAllCompared}
	if locked == nil {
		locked = &Server{InstructionsKnown: true}
	}
	if live == nil {
		live = &Server{InstructionsKnown: true}
	}
	c.service = serviceOf(live.entries[0])
	c.server(locked, live)
	c.instructions(locked, live)
	for i := range kinds {
		c.entries(&kinds[i], locked.entries[i], live.entries[i])
	}
	return c.changes
}

// comparison collects changes.
type comparison struct {
	ignore  []string
	changes []Change
	buffer  []byte // for canonical forms
	service string // see serviceOf
	room    int    // bytes that the parts of further changes may have
	work    int    // bytes that may be read for them
}

const (
	// maxAllParts bounds the parts of all changes of one comparison, in bytes, and
	// maxAllCompared what is read to make them: of thousands of changed tools the
	// last ones have excerpts only.
	maxAllParts, maxAllCompared = 4 << 20, 32 << 20
	// partOverhead is what a part takes besides its text.
	partOverhead = 32
)

// words is [wordDiff] as long as there is room.
func (c *comparison) words(old, new string) []Part {
	return c.take(len(old)+len(new), func() []Part { return wordDiff(old, new) })
}

// lines is [lineDiff] as long as there is room.
func (c *comparison) lines(old, new *snapshot.Node) []Part {
	return c.take(len(old.Raw())+len(new.Raw()), func() []Part { return lineDiff(old, new) })
}

func (c *comparison) take(size int, compare func() []Part) []Part {
	if c.room <= 0 || c.work < size {
		return nil
	}
	c.work -= size
	parts := compare()
	for _, p := range parts {
		c.room -= len(p.Text) + partOverhead
	}
	return parts
}

func (c *comparison) add(change Change) { c.changes = append(c.changes, change) }

func (c *comparison) ignores(member string) bool { return slices.Contains(c.ignore, member) }

// server compares what both sides know (D16, D17).
func (c *comparison) server(locked, live *Server) {
	var what []string
	var before, after []string
	differ := func(name, old, new string) {
		if old != "" && new != "" && old != new {
			what = append(what, fmt.Sprintf("%s was %s, is %s", name, named(old), named(new)))
			before, after = append(before, excerpt(old)), append(after, excerpt(new))
		}
	}
	differ("name", locked.Name, live.Name)
	differ("version", locked.Version, live.Version)
	differ("transport", locked.Launch.Transport, live.Launch.Transport)
	if l, n := locked.Launch.SHA256, live.Launch.SHA256; l != "" && n != "" && l != n && locked.Launch.Transport == live.Launch.Transport {
		what = append(what, "it is started by another command or from another address")
	}
	if what == nil {
		return
	}
	c.add(Change{
		Kind: KindServerChanged, Class: Additive, Severity: severity.Info,
		Entity:  serverRef(locked, live),
		Message: "server changed: " + strings.Join(what, "; "),
		Before:  strings.Join(before, " "), After: strings.Join(after, " "),
	})
}

func serverRef(locked, live *Server) snapshot.Ref {
	name := live.Name
	if name == "" {
		name = locked.Name
	}
	return snapshot.Ref{Kind: snapshot.KindServer, Name: name}
}

func (c *comparison) instructions(locked, live *Server) {
	old, new := locked.Instructions, live.Instructions
	change := Change{
		Kind: KindInstructionsChanged, Class: Text, Severity: severity.Error,
		Entity: serverRef(locked, live), Path: "/instructions",
	}
	switch {
	case !live.InstructionsKnown && old != "":
		change.Kind, change.Severity, change.Path = KindInstructionsUnchecked, severity.Warning, ""
		change.Message = "instructions not checked: the lock has some, and what it was compared with does not say whether there are any"
		change.Before = excerpt(old)
	case !live.InstructionsKnown || old == new:
		return
	case new == "":
		change.Severity = severity.Info
		change.Message = "the server's instructions are gone"
		change.Before = excerpt(old)
	case old == "":
		change.Message = fmt.Sprintf("the server has instructions that are not in the lock: “%s”", excerpt(new))
		change.After = excerpt(new)
	default:
		change.Before, change.After = stretch(new, old), stretch(old, new)
		change.Message = fmt.Sprintf("the server's instructions changed; they now read “%s”", change.After)
	}
	if live.InstructionsKnown {
		change.Text = c.words(old, new)
	}
	if old != "" && new != "" {
		change.Message += goneWords(change.Text)
	}
	c.add(change)
}

// entries merges both sides of one list by name.
func (c *comparison) entries(k *kind, locked, live []*entry) {
	var added, removed []*entry
	for len(locked) > 0 || len(live) > 0 {
		switch order := mergeOrder(locked, live); {
		case order < 0:
			removed = append(removed, locked[0])
			locked = locked[1:]
		case order > 0:
			added = append(added, live[0])
			live = c.skipTwins(live)
		default:
			c.entry(k, locked[0], live[0])
			locked, live = locked[1:], c.skipTwins(live)
		}
	}
	c.addedAndRemoved(k, added, removed)
}

// mergeOrder tells which side has the next name: <0 locked, >0 live, 0 both.
func mergeOrder(locked, live []*entry) int {
	switch {
	case len(live) == 0:
		return -1
	case len(locked) == 0:
		return 1
	}
	return compareUTF16(locked[0].name, live[0].name)
}

// skipTwins returns what follows the first live entry and all of its name,
// which are one change (D18).
func (c *comparison) skipTwins(live []*entry) []*entry {
	first, n := live[0], 1
	for n < len(live) && live[n].name == first.name {
		n++
	}
	if n > 1 {
		c.add(Change{
			Kind: first.kind.changeKind(KindDuplicateTool), Class: Risk, Severity: severity.Error, Entity: first.ref(),
			Message: fmt.Sprintf("the server lists %d %ss named %s; only the first was compared, a client may use any", n, first.kind.noun, named(first.name)),
		})
	}
	return live[n:]
}

// entry compares two definitions of one name.
func (c *comparison) entry(k *kind, locked, live *entry) {
	before := len(c.changes)
	oldSum, newSum := c.sum(locked), c.sum(live)
	differs := oldSum != newSum
	if differs {
		d := &difference{comparison: c, kind: k, ref: live.ref(), old: locked.node, new: live.node}
		d.definition()
	}
	if live.twice != nil {
		c.add(Change{
			Kind: k.changeKind(KindDefinitionChanged), Class: Risk, Severity: severity.Warning,
			Entity: live.ref(), Path: live.twice.Pointer,
			Message: fmt.Sprintf("the key %s occurs more than once in one object; the last was compared, but clients disagree which one counts", named(live.twice.Detail)),
		})
	}
	damaged := c.damaged(locked, oldSum)
	if !damaged || live.sha256 != locked.sha256 {
		damaged = c.damaged(live, newSum) || damaged
	}
	if differs && !damaged && len(c.changes) == before {
		c.unexplained(k, locked, live)
	}
}

// sum returns the true hash of a definition.
func (c *comparison) sum(e *entry) string {
	if !e.read {
		return e.sha256
	}
	var sum string
	sum, c.buffer = e.kind.hash(c.buffer, e.node)
	return sum
}

// damaged reports a stored hash that is not that of the definition beside it
// (D19).
func (c *comparison) damaged(e *entry, sum string) bool {
	if sum == e.sha256 {
		return false
	}
	c.add(Change{
		Kind: e.kind.changeKind(KindDefinitionChanged), Class: Risk, Severity: severity.Warning, Entity: e.ref(),
		Message: "the hash in the lock is not that of the definition beside it: the lock was damaged or edited by hand; review the definition and lock again",
		Before:  excerpt(e.sha256), After: sum,
	})
	return true
}

// unexplained is the net below all rows of the table: definitions that differ
// in more than order and emptiness without any row saying so.
func (c *comparison) unexplained(k *kind, locked, live *entry) {
	w := canonicalWriter{anyOrder: true, inner: k.omitFrom}
	w.omit = func(name string) bool { return k.volatile(name) || c.ignores(name) || optional(name) }
	if bytes.Equal(w.value(nil, locked.node), w.value(nil, live.node)) {
		return
	}
	c.add(Change{
		Kind: k.changeKind(KindDefinitionChanged), Class: Risk, Severity: severity.Warning, Entity: live.ref(),
		Message: "the definition differs from the locked one in a way that no rule describes; review the diff of the lock",
	})
}
