package report

import "strings"

// The headings of the two kinds of change that a review tells. They never share
// a section: the one is what merging approves, the other what a stale lock or a
// changed server does. All formats have the same words.
const (
	acceptsTitle = "Merging accepts"
	liveTitle    = "Live servers differ from the lock"
)

// lockSection is one of the two.
type lockSection struct {
	Title   string
	Lead    string
	Servers []lockedServer
}

// lockedServer are the changes of one server in a section.
type lockedServer struct {
	Key string
	// Command accepts the changes, "" where merging does.
	Command string
	Diff    *serverDiff
}

// lockSections are the sections that have something to tell. Made once, they
// are written down in every format and every amount of detail.
func (r *Review) lockSections(v *lockVerdict) []lockSection {
	var sections []lockSection
	if v.accepted.total() > 0 {
		s := lockSection{Title: acceptsTitle, Lead: "The lock file of this pull request " + acceptsText(v.accepted) +
			" against the lock file of its base. Merging says that they are wanted."}
		for i := range r.Lock.Accepted {
			l := &r.Lock.Accepted[i]
			s.Servers = append(s.Servers, lockedServer{Key: l.Key, Diff: newServerDiff(l.plain())})
		}
		sections = append(sections, s)
	}
	if v.live.total() > 0 {
		s := lockSection{Title: liveTitle, Lead: "What the servers of this pull request say is not what its lock file holds: " +
			changesText(v.live) + ". Review the changes; if they are wanted, refresh the lock and commit it."}
		for i := range r.Report.Servers {
			live := &r.Report.Servers[i]
			if live.Lock != nil && len(live.Lock.Changes) > 0 {
				s.Servers = append(s.Servers, lockedServer{live.Key, lockCommand(live.Key, " --accept"), newServerDiff(live.Lock.Changes)})
			}
		}
		sections = append(sections, s)
	}
	return sections
}

// lockNote is what a pull request does to the lock as a whole: in bold what it
// does, then the rest, then the servers that it does it to.
type lockNote struct {
	Bold, Rest string // names in them stand between backticks
	Items      []string
	Fault      bool
}

// lockNotes says that the lock is gone, moved or unreadable, and which servers
// are gone from it or renamed in it.
func (r *Review) lockNotes(v *lockVerdict) []lockNote {
	l := &r.Lock
	path := quotedName(l.Path)
	var notes []lockNote
	switch {
	case v.gone && l.MovedTo != "":
		notes = append(notes, lockNote{Bold: "This pull request moves the lock file", Fault: true,
			Rest: " from " + path + " to " + quotedName(l.MovedTo) + ". The configuration that counts until it is merged names the old path, where nothing is left to check against."})
	case v.gone:
		return []lockNote{{Bold: "This pull request removes the lock file", Fault: true,
			Rest: " " + path + ". After merging, nothing would notice a change of the tools."}}
	case l.MovedTo != "":
		notes = append(notes, lockNote{Bold: "This pull request names another lock file",
			Rest: ": " + quotedName(l.MovedTo) + " in the place of " + path + ", once it is merged."})
	}
	if l.MovedFrom != "" {
		notes = append(notes, lockNote{Bold: "This pull request moves the lock file", Rest: " from " + quotedName(l.MovedFrom) + " to " + path + "."})
	}
	if l.Error != nil {
		notes = append(notes, lockNote{Bold: "The lock file cannot be read", Rest: ": " + shorten(l.Error.Message, maxExcerpt), Fault: true})
	}
	if len(l.RenamedServers) > 0 {
		n := lockNote{Bold: "This pull request renames locked servers", Rest: " in " + path + ". What is locked under the new name is what was locked under the old one:"}
		for _, renamed := range l.RenamedServers {
			n.Items = append(n.Items, quotedName(renamed.From)+" is now "+quotedName(renamed.To))
		}
		notes = append(notes, n)
	}
	if len(l.RemovedServers) > 0 {
		n := lockNote{Bold: "This pull request removes locked servers", Rest: " from " + path + ":", Fault: true}
		for _, key := range l.RemovedServers {
			n.Items = append(n.Items, quotedName(key))
		}
		notes = append(notes, n)
	}
	return notes
}

// quotedName is a name for a sentence: between backticks, which it must not have
// itself.
func quotedName(s string) string {
	return "`" + strings.ReplaceAll(oneLine(shorten(s, maxCode)), "`", `\u{60}`) + "`"
}

// markdownNotes writes notes.
func markdownNotes(b *strings.Builder, notes []lockNote) {
	for _, n := range notes {
		b.WriteString("**" + n.Bold + "**" + noteRest(n.Rest) + "\n\n")
		for _, item := range n.Items {
			b.WriteString("- " + message(item) + "\n")
		}
		if len(n.Items) > 0 {
			b.WriteByte('\n')
		}
	}
}

// noteRest is what follows the bold words.
func noteRest(rest string) string {
	if text, ok := strings.CutPrefix(rest, " "); ok {
		return " " + message(text)
	}
	return ": " + message(strings.TrimPrefix(rest, ": "))
}

// leftOut says what a text lacks that would have been over its limit.
func (d diffDetail) leftOut() string {
	switch d {
	case diffTexts:
		return "The raw diffs of schemas are left out"
	case diffPerEntity:
		return "Only the number of changes of each tool is shown"
	case diffCounts:
		return "Only the number of changes is shown"
	}
	return ""
}

// markdownSections writes sections.
func markdownSections(b *strings.Builder, sections []lockSection, detail diffDetail) {
	if left := detail.leftOut(); left != "" && len(sections) > 0 {
		b.WriteString("_" + left + ": all of it is over the size limit of this page. `mcp-lint ci` shows it._\n\n")
	}
	for _, s := range sections {
		b.WriteString("### " + s.Title + "\n\n" + s.Lead + "\n\n")
		if detail == diffCounts {
			continue
		}
		for _, server := range s.Servers {
			b.WriteString("#### " + code(server.Key) + "\n\n")
			if server.Command != "" {
				b.WriteString("To accept: " + code(server.Command) + "\n\n")
			}
			server.Diff.markdown(b, detail)
		}
	}
}
