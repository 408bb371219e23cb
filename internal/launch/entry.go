package launch

// clientKeys are the keys of an entry that most clients share.
func clientKeys() readers {
	return entryKeys().with(readers{
		"type":     transport,
		"disabled": func(s *Server, v *node) error { s.Disabled = v.kind == aBoolean && v.text == "true"; return nil },
		"enabled":  func(s *Server, v *node) error { s.Disabled = v.kind == aBoolean && v.text == "false"; return nil },
	})
}

// readClientEntry reads one entry of a client's file. Null stands for a key that
// is not there. The error says why the entry cannot be used.
func (s *Server) readClientEntry(keys readers, m member) error {
	if err := checkKey(m); err != nil {
		return err
	}
	members, err := m.value.asObject()
	if err != nil {
		return err
	}
	s.Twice = append(s.Twice, twice(members)...)
	last := make(map[string]int, len(members))
	for i, member := range members {
		last[member.name] = i
	}
	var broken error
	for i, member := range members {
		read, ok := keys[member.name]
		if !ok || last[member.name] != i || member.value.kind == aNull {
			continue
		}
		if err := read(s, member.value); err != nil && broken == nil {
			broken = err
		}
		s.Twice = append(s.Twice, twice(member.value.members)...)
	}
	switch {
	case broken != nil:
		return broken
	case s.Command == "" && s.URL == "":
		return m.value.errorf("expected command or url")
	case s.Command != "":
		// Clients start the command and never look at the url beside it.
		s.URL, s.Headers, s.SSE = "", nil, false
	default:
		s.Args, s.Words = nil, nil
	}
	return nil
}

// transport is what an entry says about how the server is reached.
func transport(s *Server, v *node) error {
	s.SSE = v.is(aText) && v.text == "sse"
	return nil
}

// looseEnv takes variables whose values may be numbers and booleans, as YAML has
// them without quotation marks, and null for one that is not set.
func looseEnv(s *Server, v *node) error {
	if err := v.expect(anObject); err != nil {
		return err
	}
	texts := *v
	texts.members = nil
	for _, m := range v.members {
		switch m.value.kind {
		case aNull:
			continue
		case aNumber, aBoolean:
			asText := *m.value
			asText.kind = aText
			m.value = &asText
		}
		texts.members = append(texts.members, m)
	}
	return env(s, &texts)
}

// approvals notes a list that approves every call: "*" among the names.
func approvals(name string) func(*Server, *node) error {
	return func(s *Server, v *node) error {
		for _, e := range v.elements {
			if e.is(aText) && e.text == "*" {
				s.Settings = append(s.Settings, Setting{Kind: Approval, Name: name, Word: e.word()})
				break
			}
		}
		return nil
	}
}

// trust notes a switch that approves every call.
func trust(name string) func(*Server, *node) error {
	return func(s *Server, v *node) error {
		if v.is(aBoolean) && v.text == "true" {
			s.Settings = append(s.Settings, Setting{Kind: Approval, Name: name, Word: v.word()})
		}
		return nil
	}
}
