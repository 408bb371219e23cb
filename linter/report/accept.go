package report

// Differs tells whether a live server says anything that the head's lock does
// not hold.
func (r *Review) Differs() bool {
	for i := range r.Report.Servers {
		if l := r.Report.Servers[i].Lock; l != nil && len(l.Changes) > 0 {
			return true
		}
	}
	return false
}

// AcceptText says, in Markdown, how the live servers' changes are accepted: with
// the button of the check run when against is empty, else with the command only,
// because of what stands against the button. It is empty when nothing differs.
func (r *Review) AcceptText(button, against string) string {
	if !r.Differs() {
		return ""
	}
	const command = "mcp-lint lock --all --accept"
	if against == "" {
		return "\n### Accepting\n\n**" + button + "** commits the lock as it was computed here, and nothing else, to the branch of this pull request. " +
			"Who presses it needs write access. " + code(command) + " on that branch writes the same bytes.\n"
	}
	return "\n### Accepting\n\n**" + button + "** is not offered here: " + prose(shorten(against, maxExcerpt)) + ". " +
		"Run " + code(command) + " on the branch instead, review what it changes, and commit " + code(r.Lock.Path) + ".\n"
}
