package lockfile

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// addedAndRemoved reports what only one side has. A removed definition that is
// an added one but for the name makes a renaming: both are reported, and the
// added one says where it comes from (D48). One with more differences than its
// name's spelling is compared as well, or they would hide behind the two.
func (c *comparison) addedAndRemoved(k *kind, added, removed []*entry) {
	origins := k.origins(added, removed)
	class := Risk
	switch k.prefix {
	case "prompt":
		class = Text
	case "resource", "resource_template":
		class = Additive
	}
	for _, e := range added {
		change := Change{
			Kind: k.changeKind(KindToolAdded), Class: class, Severity: severity.Error, Entity: e.ref(),
			Message: fmt.Sprintf("%s added without a description", k.noun),
		}
		if text := foldLines(e.node.Get("description").Text()); text != "" {
			change.After = excerpt(text)
			change.Message = fmt.Sprintf("%s added: “%s”", k.noun, change.After)
			change.Text = c.words("", text)
		}
		was := origins[e]
		switch {
		case was.respelled:
			change.RenamedFrom = was.name
			change.Message += fmt.Sprintf("; it has the name of %s, which is gone, in another spelling", named(was.name))
		case was.entry != nil:
			change.RenamedFrom = was.name
			change.Message += fmt.Sprintf("; but for its name it is %s, which is gone", named(was.name))
		}
		if change.RenamedFrom == "" {
			change.Message += k.takes(e.node)
			change.Raw = c.lines(nil, e.node)
		}
		c.add(change)
		if was.respelled {
			d := &difference{comparison: c, kind: k, ref: e.ref(), old: was.node, new: e.node}
			d.definition()
		}
	}
	for _, e := range removed {
		text := foldLines(e.node.Get("description").Text())
		c.add(Change{
			Kind: k.changeKind(KindToolRemoved), Class: Breaking, Severity: severity.Info, Entity: e.ref(),
			Message: fmt.Sprintf("%s removed: the server no longer lists it", k.noun),
			Before:  excerpt(text), Text: c.words(text, ""),
		})
	}
}
