package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// sort puts the worst rows first: by severity, then by what a reviewer must not
// overlook, then the odd one out before what many share.
func (d *serverDiff) sort() {
	slices.SortStableFunc(d.Groups, func(a, b *changeGroup) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.urgency, b.urgency),
			cmp.Compare(len(a.entities), len(b.entities)),
		)
	})
}

// urgencyOf orders changes of one severity, 0 first: what hides, what is new to
// be called, what is said to be safe, what more is let in, then words.
func urgencyOf(c *lockfile.Change) int {
	switch kind := toolKind(c.Kind); {
	case hides(c.Text):
		return 0
	case strings.HasPrefix(kind, "duplicate_"), strings.HasSuffix(kind, "added") && c.RenamedFrom == "":
		return 1
	case kind == lockfile.KindAnnotationsChanged && c.Class == lockfile.Risk:
		return 2
	case c.Class == lockfile.Risk:
		return 3
	case kind == lockfile.KindSchemaWidened:
		return 4
	case kind == lockfile.KindInstructionsChanged:
		return 5
	case kind == lockfile.KindDescriptionChanged:
		return 6
	case kind == lockfile.KindTitleChanged, kind == lockfile.KindAnnotationsChanged:
		return 8
	}
	return 7
}

// hides reports whether new words have characters that nobody sees.
func hides(parts []lockfile.Part) bool {
	hidden := false
	for _, p := range parts {
		if p.Op == lockfile.Added {
			for line := range strings.Lines(p.Text) {
				spelledPieces(strings.TrimSuffix(line, "\n"), func(_ string, is bool) { hidden = hidden || is })
			}
		}
	}
	return hidden
}
