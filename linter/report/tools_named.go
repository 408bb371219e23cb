package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// toolsNamed yields the tools that a finding is about: its entity, or on the
// server those that its members are about, which have /tools/NAME in their path.
func toolsNamed(f *linter.Finding) func(yield func(name string) bool) {
	return func(yield func(string) bool) {
		if f.Entity.Kind == snapshot.KindTool {
			yield(f.Entity.Name)
			return
		}
		if f.Entity.Kind != snapshot.KindServer {
			return
		}
		unescape := strings.NewReplacer("~1", "/", "~0", "~")
		for i := range f.Items {
			rest, ok := strings.CutPrefix(f.Items[i].Path, "/tools/")
			if !ok {
				continue
			}
			token, _, _ := strings.Cut(rest, "/")
			if !yield(unescape.Replace(token)) {
				return
			}
		}
	}
}

// namesAllTools is false for a finding that is about more tools than it lists.
func namesAllTools(f *linter.Finding) bool {
	return f.More == 0 && (f.MoreItems == 0 || f.Entity.Kind != snapshot.KindServer)
}
