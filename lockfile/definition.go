package lockfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// difference compares two definitions of one entity whose hashes differ.
type difference struct {
	*comparison
	kind     *kind
	ref      snapshot.Ref
	old, new *snapshot.Node
	// argumentOf is the argument of a prompt whose members are compared.
	argumentOf sides
}

// report adds a change of this entity. base is the kind as it is called for a
// tool.
func (d *difference) report(base string, class Class, level severity.Level, c Change) {
	c.Kind, c.Class, c.Severity, c.Entity = d.kind.changeKind(base), class, level, d.ref
	d.add(c)
}

// definition goes through the members of both sides. Every member has its row;
// what has none is an unknown one.
func (d *difference) definition() {
	if d.old.Type() != snapshot.Object || d.new.Type() != snapshot.Object {
		d.member("", d.old, d.new)
		return
	}
	if !d.ignores("annotations") {
		d.annotations()
	}
	d.meta()
	for _, name := range memberNames(d.old, d.new) {
		old, new := d.old.Get(name), d.new.Get(name)
		if name == d.kind.identity || d.kind.volatile(name) || d.ignores(name) || optional(name) {
			continue
		}
		isTool := d.kind.kind == snapshot.KindTool
		switch {
		case name == "inputSchema" && isTool, name == "outputSchema" && isTool:
			d.schema(name, old, new)
		case same(old, new):
		case name == "description":
			d.text(KindDescriptionChanged, name, old, new)
		case name == "title", name == "name":
			d.text(KindTitleChanged, name, old, new)
		case name == "arguments" && d.kind.kind == snapshot.KindPrompt:
			d.arguments(old, new)
		default:
			d.member(name, old, new)
		}
	}
}

// optional tells members whose empty value means the same as none, and which
// have rows of their own.
func optional(name string) bool {
	switch name {
	case "annotations", "_meta", "icons", "execution":
		return true
	}
	return false
}

// member reports a difference that no other row explains.
func (d *difference) member(name string, old, new *snapshot.Node) {
	what := "the definition"
	path := ""
	if name != "" {
		what, path = named(name), pointer([]string{name})
	}
	d.report(KindDefinitionChanged, Risk, severity.Warning, Change{
		Path: path, Before: valueExcerpt(old), After: valueExcerpt(new), Raw: d.lines(old, new),
		Message: fmt.Sprintf("%s %s; no rule says what that means", what, changed(old, new)),
	})
}

// memberNames returns the names of both objects in canonical order.
func memberNames(old, new *snapshot.Node) []string {
	var names []string
	for _, m := range old.Members() {
		names = append(names, m.Name)
	}
	for _, m := range new.Members() {
		names = append(names, m.Name)
	}
	slices.SortFunc(names, compareUTF16)
	return slices.Compact(names)
}

// changed says in words what became of a value.
func changed(old, new *snapshot.Node) string {
	switch {
	case old == nil:
		return fmt.Sprintf("was added: %s", literal(new))
	case new == nil:
		return fmt.Sprintf("was removed; it was %s", literal(old))
	}
	return fmt.Sprintf("is now %s; it was %s", literal(new), literal(old))
}

// meta reports members that hosts act on but models do not read, in one change
// that names them.
func (d *difference) meta() {
	var names []string
	class := Additive
	for _, name := range [...]string{"_meta", "icons", "execution"} {
		if d.ignores(name) || sameOrEmpty(said(name, d.old), said(name, d.new)) {
			continue
		}
		names = append(names, name)
		switch name {
		case "_meta":
			class = Risk
		case "execution":
			if class == Additive {
				class = Breaking
			}
		}
	}
	if names == nil {
		return
	}
	c := Change{Message: fmt.Sprintf("%s changed: hosts act on it", strings.Join(names, ", "))}
	if len(names) == 1 {
		old, new := d.old.Get(names[0]), d.new.Get(names[0])
		c.Path = pointer(names)
		c.Before, c.After = valueExcerpt(old), valueExcerpt(new)
	}
	for _, name := range names {
		c.Raw = append(c.Raw, d.lines(d.old.Get(name), d.new.Get(name))...)
	}
	d.report(KindMetaChanged, class, severity.Warning, c)
}

// said returns a member of a definition, nil where it says no more than its
// absence: MCP 2025-11-25 gives execution.taskSupport the default "forbidden",
// which SDKs write out.
func said(name string, definition *snapshot.Node) *snapshot.Node {
	n := definition.Get(name)
	if name == "execution" && n.Len() == 1 && n.Get("taskSupport").Text() == "forbidden" {
		return nil
	}
	return n
}

// sameOrEmpty is same, except that an empty object or array is as good as none
// (D13).
func sameOrEmpty(a, b *snapshot.Node) bool { return empty(a) && empty(b) || same(a, b) }

func empty(n *snapshot.Node) bool {
	switch n.Type() {
	case snapshot.Missing:
		return true
	case snapshot.Object, snapshot.Array:
		return n.Len() == 0
	}
	return false
}
