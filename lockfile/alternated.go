package lockfile

import (
	"slices"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// alternated compares a schema with a union that has taken its place, or the
// other way round, as what it is: a union of one member and another union. It
// reports false where the two are no such pair.
//
// A schema and the union of nothing but it accept the same, so the comparison
// is as strict as that of two unions. It needs a plain schema (see [plain]):
// elsewhere it matters how deep a keyword stands. A union where anything was
// accepted is one narrowing. A oneOf that ends is left to
// the rows of its keyword, for what fitted two of its members was refused.
func (w *schemaWalk) alternated(old, new *snapshot.Node, sc *scope) bool {
	before, after := soleUnion(old), soleUnion(new)
	switch {
	case after != "" && free(old) && simple(new.Get(after)) && w.proof.able():
		w.narrowed(old, new, "%s accepts less: it is limited to the alternatives of `%s` now: %s", w.subject(), after, alternativeNames(new.Get(after), ", "))
		w.texts(old, new)
		return true
	case after != "" && isAlternative(old) && w.proof.able():
		w.becameUnion(after, old, new, sc)
		return true
	case before == "anyOf" && isAlternative(new) && w.proof.able():
		return w.leftUnion(old, new, sc)
	}
	return false
}

// soleUnion returns the keyword of a schema that is a union and nothing else
// but its texts, "" for any other schema.
func soleUnion(n *snapshot.Node) string {
	if n.Type() != snapshot.Object {
		return ""
	}
	keyword := onlyKeyword(n)
	if keyword != "anyOf" && keyword != "oneOf" || n.Get(keyword).Type() != snapshot.Array || n.Get(keyword).Len() == 0 {
		return ""
	}
	return keyword
}

// isAlternative reports whether a schema limits values and is no union itself.
func isAlternative(n *snapshot.Node) bool {
	return n.Type() == snapshot.Object && !n.Has("anyOf") && !n.Has("oneOf") && onlyKeyword(n) != ""
}

// free reports whether a schema limits no value.
func free(n *snapshot.Node) bool {
	return anything(n) || n.Type() == snapshot.Object && onlyKeyword(n) == ""
}

// simple reports whether all members of a union have a type, and nothing but
// values and limits of it: new parameters, references and conditions have rows
// of their own.
func simple(members *snapshot.Node) bool {
	ok := true
	for _, n := range members.Elements() {
		ok = ok && n.Has("type")
		n.Walk(func(_ func() string, n *snapshot.Node) bool {
			for _, m := range n.Members() {
				bits, _ := appliesTo(m.Name)
				switch class := classOf(m.Name); {
				case class == textKeyword, class == typeKeyword, class == valuesKeyword, class == factKeyword, m.Name == "items":
				case class == limitKeyword && bits&objectType == 0:
				default:
					ok = false
				}
			}
			return ok
		})
	}
	return ok
}

// becameUnion compares a schema with a union.
func (w *schemaWalk) becameUnion(keyword string, old, new *snapshot.Node, sc *scope) {
	members := new.Get(keyword).Elements()
	kept := memberLike(members, w.proof.new, old, w.proof.old)
	if kept < 0 {
		w.widened(old, new, "%s now accepts %s; it accepted %s", w.subject(), alternativeNames(new.Get(keyword), " or "), accepts(old))
		w.texts(old, new)
		return
	}
	for i, n := range members {
		w.in(keyword, func() {
			w.in(strconv.Itoa(i), func() {
				if i == kept {
					w.asMember(old, n, nil, new, sc)
					return
				}
				w.widened(nil, n, "%s now accepts %s too: one more alternative in `%s`", w.subject(), accepts(n), keyword)
				w.newTexts(n)
			})
		})
	}
	w.besides(old, new, new)
}

// leftUnion compares an anyOf with the one of its members that has stayed; false
// where none has.
func (w *schemaWalk) leftUnion(old, new *snapshot.Node, sc *scope) bool {
	members := old.Get("anyOf").Elements()
	kept := memberLike(members, w.proof.old, new, w.proof.new)
	if kept < 0 {
		return false
	}
	w.asMember(members[kept], new, old, nil, sc)
	for i, o := range members {
		if i == kept {
			continue
		}
		w.in("anyOf", func() {
			w.in(strconv.Itoa(i), func() {
				w.narrowed(o, nil, "%s accepts less: %s is no longer among the alternatives of `anyOf`", w.subject(), accepts(o))
			})
		})
	}
	w.besides(old, new, old)
	return true
}

// memberLike returns which member of a union a schema is: one of the same
// meaning, else the first object among them of the same type, -1 for none.
func memberLike(members []*snapshot.Node, ofMembers *meaning, other *snapshot.Node, ofOther *meaning) int {
	values := ofOther.values(other)
	types, ok := typeSet(other.Get("type"))
	alike := -1
	for i, m := range members {
		if m.Type() != snapshot.Object {
			continue
		}
		if ofMembers.values(m) == values {
			return i
		}
		if t, known := typeSet(m.Get("type")); alike < 0 && ok && known && slices.Equal(t, types) {
			alike = i
		}
	}
	return alike
}

// asMember compares a schema with a member of a union, of which one side is
// given. What both the union and the schema say besides limiting values is
// compared with [schemaWalk.besides].
func (w *schemaWalk) asMember(old, new, oldUnion, newUnion *snapshot.Node, sc *scope) {
	shared := func(name string) bool {
		return silent(name) && (oldUnion.Has(name) && new.Has(name) || newUnion.Has(name) && old.Has(name))
	}
	names := memberNames(old, new)
	if !slices.ContainsFunc(names, shared) {
		w.schema(old, new, sc)
		return
	}
	defer func(at int) { w.at = at }(w.at)
	w.at = len(w.path)
	for _, name := range names {
		o, n := old, new
		switch {
		case !shared(name):
		case newUnion != nil:
			o = nil
		default:
			n = nil
		}
		w.in(name, func() { w.keyword(name, o, n, sc) })
	}
}

// besides compares what a union says besides limiting values with what the
// schema on the other side says.
func (w *schemaWalk) besides(old, new, union *snapshot.Node) {
	for _, m := range sortedMembers(union) {
		if silent(m.Name) {
			w.in(m.Name, func() { w.keyword(m.Name, old, new, nil) })
		}
	}
}
