package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// configFile is where findings without any other place point.
const configFile = ".mcp-lint.json"

// lintAnnotations are the new findings at their places, worst first. Known ones
// are no news and stay in the summary.
func (r *Review) lintAnnotations() []Annotation {
	var as []Annotation
	for i := range r.Report.Servers {
		for _, f := range r.findings(&r.Report.Servers[i]) {
			if f.Suppressed != nil || !f.New {
				continue
			}
			as = append(as, Annotation{
				Location: onLine(f.Location, configFile),
				Severity: f.Severity,
				Title:    f.Rule + " in " + entityText(f.Entity),
				Message:  findingText(&f),
			})
		}
	}
	return worstFirst(as)
}

// findingText is a finding as plain text on a few lines, hidden characters
// spelled out.
func findingText(f *linter.Finding) string {
	text := oneLine(f.Message)
	if items := itemsText(f, maxItems); items != "" {
		text += " " + items
	}
	if f.Fix != "" {
		text += "\nFix: " + oneLine(f.Fix)
	}
	return text
}

// unnamed are the members of a grouped finding that its message does not name.
// Known members beside new ones are only counted: the message does that.
func unnamed(f *linter.Finding) []linter.Item {
	someNew := slices.ContainsFunc(f.Items, func(it linter.Item) bool { return it.New })
	var items []linter.Item
	for _, it := range f.Items {
		if someNew && !it.New {
			continue
		}
		// A message may name a parameter by its way: "filter.owner", or the tool
		// whose parameter it is.
		tool, _ := memberTool(&it)
		named := tool != "" && strings.Contains(f.Message, `"`+tool+`"`) || it.Subject != "" && (strings.Contains(f.Message, `"`+it.Subject+`"`) || strings.Contains(f.Message, `.`+it.Subject+`"`))
		if !named {
			items = append(items, it)
		}
	}
	return items
}

// itemName names a member of a grouped finding, with its tool where the finding
// is on the server and the member is inside of a tool.
func itemName(it *linter.Item) string {
	if tool, inside := memberTool(it); inside != "" && tool != it.Subject {
		return tool + ": " + cmp.Or(it.Subject, inside)
	}
	return cmp.Or(it.Subject, it.Path)
}

// memberTool is the tool that a member of a finding on the server is about, and
// the pointer inside of it; "" for other members.
func memberTool(it *linter.Item) (tool, inside string) {
	if list, rest := snapshot.CutToken(it.Path); list == "tools" && rest != "" {
		return snapshot.CutToken(rest)
	}
	return "", ""
}

// itemsText lists the members of a grouped finding that its message does not
// name, as many as most: "(a, b and 3 more)".
func itemsText(f *linter.Finding, most int) string {
	items := unnamed(f)
	if len(items) == 0 {
		return ""
	}
	s := "("
	for i, it := range items[:min(len(items), most)] {
		if i > 0 {
			s += ", "
		}
		s += oneLine(shorten(itemName(&it), maxCode))
	}
	if more := max(len(items)-most, 0) + f.MoreItems; more > 0 {
		s += " and " + itoa(more) + " more"
	}
	return s + ")"
}

// lockAnnotations are the changes at the lines of the head's lock. What merging
// accepts fails nothing, so it is a warning at most.
func (r *Review) lockAnnotations(v *lockVerdict) []Annotation {
	if v.conclusion == Skipped || v.gone {
		return nil
	}
	var as []Annotation
	for _, key := range r.Lock.RemovedServers {
		as = append(as, Annotation{
			Location: onLine(snapshot.Location{}, r.lockFile()), Severity: severity.Error,
			Title: "locked server removed", Message: oneLine(key) + " is locked in the base, and the lock file of this pull request lacks it.",
		})
	}
	if r.Lock.Error != nil {
		as = append(as, Annotation{
			Location: onLine(snapshot.Location{}, r.lockFile()), Severity: severity.Error,
			Title: "lock file cannot be read", Message: oneLine(r.Lock.Error.Message),
		})
	}
	places := r.Lock.placeIndex()
	for i := range r.Report.Servers {
		s := &r.Report.Servers[i]
		if s.Lock == nil {
			continue
		}
		for j := range s.Lock.Changes {
			c := &s.Lock.Changes[j]
			as = append(as, Annotation{
				Location: onLine(places[placeKey{s.Key, c.Entity}], r.lockFile()),
				Severity: c.Severity,
				Title:    c.Kind + " in " + entityText(c.Entity),
				Message:  changeText(c),
			})
		}
	}
	for i := range r.Lock.Accepted {
		for j := range r.Lock.Accepted[i].Changes {
			c := &r.Lock.Accepted[i].Changes[j]
			as = append(as, Annotation{
				Location: onLine(c.Location, r.lockFile()),
				Severity: min(c.Severity, severity.Warning),
				Title:    "accepts " + c.Kind + " in " + entityText(c.Entity),
				Message:  changeText(&c.Change),
			})
		}
	}
	return worstFirst(as)
}

// changeText is a lock change as plain text, hidden characters spelled out.
func changeText(c *lockfile.Change) string {
	text := oneLine(c.Message)
	if c.RenamedFrom != "" {
		text += "\nRenamed from: " + oneLine(c.RenamedFrom)
	}
	if len(c.Text) > 0 {
		for _, l := range diffLines(textOf(c)) {
			text += "\n" + l.signed()
		}
		return text
	}
	if c.Before != "" {
		text += "\nBefore: " + oneLine(shorten(c.Before, maxExcerpt))
	}
	if c.After != "" {
		text += "\nAfter: " + oneLine(shorten(c.After, maxExcerpt))
	}
	return text
}

func (r *Review) lockFile() string { return cmp.Or(r.Lock.Path, configFile) }

// placeKey finds an entity of a server.
type placeKey struct {
	server string
	entity snapshot.Ref
}

// placeIndex finds entities in the head's lock: those listed as places, and
// those that carry one because this pull request changes them.
func (l *LockReview) placeIndex() map[placeKey]snapshot.Location {
	index := map[placeKey]snapshot.Location{}
	for i := range l.Accepted {
		for j := range l.Accepted[i].Changes {
			c := &l.Accepted[i].Changes[j]
			index[placeKey{l.Accepted[i].Key, c.Entity}] = c.Location
		}
	}
	for _, p := range l.Places {
		index[placeKey{p.Key, p.Entity}] = p.Location
	}
	return index
}

// onLine completes a location: GitHub needs a file and a line. A file whose
// name would have to be escaped cannot be named to GitHub as it is.
func onLine(l snapshot.Location, fallback string) snapshot.Location {
	if l.File == "" || oneLine(l.File) != l.File {
		return snapshot.Location{File: fallback, Line: 1}
	}
	l.Line = max(l.Line, 1)
	return l
}

func worstFirst(as []Annotation) []Annotation {
	slices.SortStableFunc(as, func(a, b Annotation) int { return cmp.Compare(b.Severity, a.Severity) })
	return as
}
