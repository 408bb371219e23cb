package lockfile

import (
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Encode returns the bytes of the file; see the package comment for the form.
func (f *File) Encode() []byte {
	w := &encoder{}
	w.object(func() {
		w.member("clientCapabilities", func() { w.object(func() {}) })
		w.member("lockfileVersion", func() { w.out = strconv.AppendInt(w.out, Version, 10) })
		w.member("servers", func() {
			w.object(func() {
				for _, key := range f.Keys() {
					w.member(key, func() { w.server(f.servers[key]) })
				}
			})
		})
	})
	return append(w.out, '\n')
}

type encoder struct {
	out   []byte
	level int
	empty bool // nothing was written into the innermost object or array yet
}

// server writes the members in sorted order. Lists other than tools are left
// out when they are empty, and so is what is unknown.
func (w *encoder) server(s *Server) {
	w.object(func() {
		w.text("instructions", s.Instructions)
		if s.Launch != (Launch{}) {
			w.member("launch", func() {
				w.object(func() {
					w.text("sha256", s.Launch.SHA256)
					w.text("transport", s.Launch.Transport)
				})
			})
		}
		w.text("profile", s.Profile)
		for _, i := range [...]int{1, 3, 2} { // prompts, resourceTemplates, resources
			if len(s.entries[i]) > 0 {
				w.list(kinds[i].list, s.entries[i])
			}
		}
		w.member("server", func() {
			w.object(func() {
				w.text("name", s.Name)
				w.text("version", s.Version)
			})
		})
		w.list(kinds[0].list, s.entries[0])
	})
}

func (w *encoder) list(name string, entries []*entry) {
	w.member(name, func() {
		w.object(func() {
			for _, e := range entries {
				w.member(e.name, func() {
					w.object(func() {
						w.member("definition", func() { w.definition(e) })
						w.text("sha256", e.sha256)
					})
				})
			}
		})
	})
}

func (w *encoder) definition(e *entry) {
	if e.node.Type() != snapshot.Object {
		w.value(e.node, nil, false)
		return
	}
	w.object(func() {
		for _, m := range sortedMembers(e.node) {
			if !e.kind.volatile(m.Name) {
				w.member(m.Name, func() { w.value(m.Value, e.kind.omitFrom(m.Name), isData(m)) })
			}
		}
	})
}

// value writes n without the members that omit names; data tells that it is below
// a member that [isData] tells.
func (w *encoder) value(n *snapshot.Node, omit func(string) bool, data bool) {
	switch n.Type() {
	case snapshot.Object:
		w.object(func() {
			for _, m := range sortedMembers(n) {
				if omit == nil || !omit(m.Name) {
					w.member(m.Name, func() { w.value(m.Value, nil, data || isData(m)) })
				}
			}
		})
	case snapshot.Array:
		w.open('[')
		for _, e := range n.Elements() {
			w.separate()
			w.value(e, nil, data)
			w.empty = false
		}
		w.close(']')
	case snapshot.String:
		s := n.Text()
		if !data {
			s = foldLines(s)
		}
		w.out = appendString(w.out, s, true)
	default:
		w.out = canonicalWriter{}.value(w.out, n)
	}
}

func (w *encoder) object(members func()) {
	w.open('{')
	members()
	w.close('}')
}

func (w *encoder) member(name string, value func()) {
	w.separate()
	w.out = append(appendString(w.out, name, true), ": "...)
	value()
	w.empty = false
}

// text writes a member unless it is empty.
func (w *encoder) text(name, value string) {
	if value != "" {
		w.member(name, func() { w.out = appendString(w.out, value, true) })
	}
}

func (w *encoder) open(bracket byte) {
	w.out = append(w.out, bracket)
	w.level++
	w.empty = true
}

func (w *encoder) close(bracket byte) {
	w.level--
	if !w.empty {
		w.line()
	}
	w.out = append(w.out, bracket)
	w.empty = false
}

func (w *encoder) separate() {
	if !w.empty {
		w.out = append(w.out, ',')
	}
	w.line()
}

func (w *encoder) line() {
	w.out = append(w.out, '\n')
	for range w.level {
		w.out = append(w.out, "  "...)
	}
}
