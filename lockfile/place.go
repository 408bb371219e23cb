package lockfile

import (
	"bytes"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// ChangedAt returns the place in the file as read of a change between base, what
// was locked before, and the server of that key. It is a line that a comparison
// of the two files line by line shows as changed, wherever there is one: the
// first one inside of what the change is about, or the entity's hash when a part
// of the entity is gone. A removed entity has no line any more; its place is
// where it was. base is nil for a new server, and comes from [Read].
func (f *File) ChangedAt(key string, base *Server, c Change) snapshot.Location {
	at := f.Location(key, c.Entity)
	s := f.servers[key]
	if s == nil || s.node == nil || base == nil || base.node == nil {
		return at
	}
	if offset := changedAt(s, base, c); offset > 0 {
		at.Line, at.Column = f.position(offset)
	}
	return at
}

// changedAt is the offset of the change in the source, 0 for that of the entity.
func changedAt(s, base *Server, c Change) int {
	if c.Entity.Kind == snapshot.KindServer {
		members := []string{"server", "launch"}
		if c.Kind != KindServerChanged {
			members = []string{"instructions"}
		}
		for _, name := range members {
			if at := firstOther(s.node.Get(name), base.node.Get(name)); at > 0 {
				return at
			}
		}
		return 0
	}
	now, before := s.find(c.Entity), base.find(c.Entity)
	switch {
	case now == nil && before != nil:
		return s.gap(before)
	case now == nil || before == nil || now.whole == nil || before.whole == nil:
		return 0
	}
	if at := firstOther(now.node.At(c.Path), before.node.At(c.Path)); at > 0 {
		return at
	}
	return firstOther(now.whole.Get("sha256"), before.whole.Get("sha256"))
}

// firstOther is the offset of the first value in now that is not what before
// has at its place, 0 when there is none: something may be gone all the same.
func firstOther(now, before *snapshot.Node) int {
	switch {
	case now == nil || before != nil && bytes.Equal(now.Raw(), before.Raw()):
		return 0
	case before == nil || now.Type() != before.Type():
		return now.Start()
	}
	switch now.Type() {
	case snapshot.Object:
		for _, m := range now.Members() {
			if at := firstOther(m.Value, before.Get(m.Name)); at > 0 {
				return at
			}
		}
		return 0
	case snapshot.Array:
		old := before.Elements()
		for i, e := range now.Elements() {
			if i >= len(old) {
				return e.Start()
			}
			if at := firstOther(e, old[i]); at > 0 {
				return at
			}
		}
		return 0
	}
	return now.Start()
}

// gap is where a removed entry was: the entry after it, else the end of the one
// before it, whose comma went, else the list.
func (s *Server) gap(removed *entry) int {
	for i := range kinds {
		if &kinds[i] != removed.kind {
			continue
		}
		entries := s.entries[i]
		at, _ := slices.BinarySearchFunc(entries, removed.name, func(e *entry, name string) int {
			return compareUTF16(e.name, name)
		})
		switch list := s.node.Get(kinds[i].list); {
		case at < len(entries):
			return entries[at].offset
		case at > 0 && entries[at-1].whole != nil:
			return entries[at-1].whole.End() - 1
		case list != nil:
			return list.Start()
		}
	}
	return 0
}
