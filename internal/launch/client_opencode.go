package launch

// readOpencode reads the key mcp of opencode's configuration, whose entries are
// local with a command as one list, or remote: https://opencode.ai/docs/mcp-servers.
func readOpencode(r *reader, root *node) bool {
	entries := root.get("mcp")
	if !entries.is(anObject) {
		return false
	}
	found := false
	keys := clientKeys().with(readers{"command": commandLine, "environment": looseEnv})
	for _, m := range entries.members {
		kind := m.value.get("type")
		if !kind.is(aText) || kind.text != "local" && kind.text != "remote" {
			continue // a switch for a server that another file defines, or another client's
		}
		found = true
		r.add("opencode", "", keys, m)
	}
	return found
}

// commandLine is a command with its arguments in one list.
func commandLine(s *Server, v *node) error {
	words, err := v.asTexts()
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return v.errorf("expected a command: an array with at least one text")
	}
	s.Command, s.Args, s.Words = words[0], words[1:], nil
	for _, e := range v.elements {
		s.Words = append(s.Words, e.word())
	}
	return nil
}
