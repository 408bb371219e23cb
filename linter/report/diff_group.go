package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// groupKeyOf is what changes have in common that one line tells.
type groupKeyOf struct {
	kind, path, message, before, after, renamed, whole string
	level                                              severity.Level
	entity                                             snapshot.Kind
}

func keyOf(c *lockfile.Change) groupKeyOf {
	k := groupKeyOf{c.Kind, c.Path, c.Message, c.Before, c.After, c.RenamedFrom, wholeOf(c), c.Severity, c.Entity.Kind}
	if toolKind(c.Kind) == lockfile.KindAnnotationsChanged && !strings.Contains(c.Message, "…") {
		k.before, k.after = "", "" // all of the annotations; the message says what of them differs
	}
	if words := wordsOf(c.Text); words != "" {
		k.message, k.before, k.after, k.whole = words, "", "", "" // the same words in texts that differ otherwise
	}
	return k
}

// wholeOf is what the excerpts of a change are of, "" where they are all of it:
// what begins in the same way may end in another. Where nobody knows the end, it
// is the entity, which shares its row with no other.
func wholeOf(c *lockfile.Change) string {
	parts := c.Text
	if parts == nil {
		if !strings.HasSuffix(c.Before, "…") && !strings.HasSuffix(c.After, "…") {
			return ""
		}
		parts = c.Raw
	}
	if parts == nil {
		return c.Entity.Name
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Op == lockfile.Skipped && p.Text != "" {
			return c.Entity.Name
		}
		if p.Op != lockfile.Same {
			b.WriteString(string(p.Op) + "\x00" + p.Text + "\x00")
		}
	}
	return b.String()
}

// wordsOf are the words that are gone and new in a text that has others too, ""
// where they are not all known.
func wordsOf(parts []lockfile.Part) string {
	var b strings.Builder
	kept := false
	for i, p := range parts {
		switch p.Op {
		case lockfile.Same:
			kept = true
		case lockfile.Skipped:
			if i > 0 && parts[i-1].Op != lockfile.Same {
				return ""
			}
		default:
			b.WriteString(string(p.Op) + " " + strings.TrimSpace(p.Text) + "\n")
		}
	}
	if !kept {
		return ""
	}
	return b.String()
}

// sameWords says what became of several texts in which the same words changed.
func sameWords(parts []lockfile.Part) string {
	var said []string
	for _, p := range parts {
		if text := strings.TrimSpace(p.Text); text != "" && (p.Op == lockfile.Removed || p.Op == lockfile.Added) {
			said = append(said, string(p.Op)+" “"+shorten(strings.ReplaceAll(text, "\n", `\n`), maxCode)+"”")
		}
	}
	if said == nil {
		return "the same change of blanks in each"
	}
	return "the same words in each: " + strings.Join(said, ", ")
}

// textOf is the comparison of a change's texts; for a change that has none, of
// a report that was written elsewhere, its excerpts.
func textOf(c *lockfile.Change) []lockfile.Part {
	if len(c.Text) == 1 && c.Text[0].Op == lockfile.Added && len(c.Text[0].Text) < maxSaid && strings.Contains(c.Message, c.Text[0].Text) {
		return nil // the message quotes all of it
	}
	if c.Text != nil || c.Raw != nil || strings.Contains(c.Message, c.Before) && strings.Contains(c.Message, c.After) {
		return c.Text
	}
	var parts []lockfile.Part
	for _, side := range []lockfile.Part{{Op: lockfile.Removed, Text: c.Before}, {Op: lockfile.Added, Text: c.After}} {
		if side.Text != "" {
			side.Text = shorten(side.Text, maxExcerpt)
			parts = append(parts, side)
		}
	}
	return parts
}
