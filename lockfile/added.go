package lockfile

import (
	"crypto/sha256"
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// addedAndRemoved reports what only one side has. A removed definition that is
// an added one but for the name makes a renaming: both are reported, and the
// added one says where it comes from (D48).
func (c *comparison) addedAndRemoved(k *kind, added, removed []*entry) {
	gone := map[[sha256.Size]byte][]*entry{}
	if len(added) > 0 {
		for _, e := range removed {
			sum := k.anonymous(e)
			gone[sum] = append(gone[sum], e)
		}
	}
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
		if len(gone) > 0 {
			sum := k.anonymous(e)
			if old := gone[sum]; len(old) > 0 {
				gone[sum] = old[1:]
				change.RenamedFrom = old[0].name
				change.Message += fmt.Sprintf("; but for its name it is %s, which is gone", named(old[0].name))
			}
		}
		if change.RenamedFrom == "" {
			change.Raw = c.lines(nil, e.node)
		}
		c.add(change)
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

// anonymous is the hash of a definition without its name.
func (k *kind) anonymous(e *entry) [sha256.Size]byte {
	return sha256.Sum256(k.canonical(nil, e.node, k.identity))
}
