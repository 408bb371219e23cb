package lockfile

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// arguments compares the arguments of a prompt by name: a new or newly
// required one and every text are errors, like their counterparts in the schema
// of a tool; the rest is a warning.
func (d *difference) arguments(old, new *snapshot.Node) {
	olds, ok := namedArguments(old)
	news, ok2 := namedArguments(new)
	if !ok || !ok2 {
		d.argument("", Risk, severity.Error, old, new, "the arguments "+changed(old, new))
		return
	}
	for i, n := range new.Elements() {
		name := n.Get("name").Text()
		path := fmt.Sprintf("/arguments/%d", i)
		o := olds[name]
		switch {
		case o == nil && truthy(n.Get("required")):
			d.argument(path, Risk, severity.Error, nil, n, fmt.Sprintf("new required argument `%s`", excerpt(name)))
		case o == nil:
			d.argument(path, Risk, severity.Error, nil, n, fmt.Sprintf("new argument `%s`", excerpt(name)))
		default:
			d.argumentMembers(path, name, o, n)
		}
	}
	for i, o := range old.Elements() {
		if name := o.Get("name").Text(); news[name] == nil {
			d.argument(fmt.Sprintf("/arguments/%d", i), Breaking, severity.Warning, o, nil, fmt.Sprintf("argument `%s` is gone", excerpt(name)))
		}
	}
}

func (d *difference) argumentMembers(path, name string, old, new *snapshot.Node) {
	defer func(outer sides) { d.argumentOf = outer }(d.argumentOf)
	d.argumentOf = sides{old, new}
	for _, member := range memberNames(old, new) {
		o, n := old.Get(member), new.Get(member)
		if same(o, n) {
			continue
		}
		at := path + pointer([]string{member})
		words := fmt.Sprintf("%s of the argument `%s` %s", named(member), excerpt(name), changed(o, n))
		switch {
		case member == "required" && truthy(n) && !truthy(o):
			d.argument(at, Risk, severity.Error, o, n, fmt.Sprintf("argument `%s` is now required", excerpt(name)))
		case member == "required":
			d.argument(at, Additive, severity.Warning, o, n, words)
		case o.IsText() || n.IsText():
			d.argument(at, Text, severity.Error, o, n, words)
		default:
			d.argument(at, Breaking, severity.Warning, o, n, words)
		}
	}
}

func (d *difference) argument(path string, class Class, level severity.Level, old, new *snapshot.Node, message string) {
	if path == "" {
		path = "/arguments"
	}
	c := Change{Path: path, Message: message, Before: valueExcerpt(old), After: valueExcerpt(new)}
	d.compareTexts(&c, old, new)
	if c.Text == nil && d.argumentOf != (sides{}) {
		c.Raw = d.lines(d.argumentOf.old, d.argumentOf.new)
	}
	d.report(KindArgumentsChanged, class, level, c)
}

// namedArguments returns the arguments by name, and false when the value is no
// list of objects with different names. An absent list is an empty one.
func namedArguments(n *snapshot.Node) (map[string]*snapshot.Node, bool) {
	if n != nil && n.Type() != snapshot.Array {
		return nil, false
	}
	byName := map[string]*snapshot.Node{}
	for _, a := range n.Elements() {
		name := a.Get("name")
		if !name.IsText() || byName[name.Text()] != nil {
			return nil, false
		}
		byName[name.Text()] = a
	}
	return byName, true
}
