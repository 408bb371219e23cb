package launch

// readContinue reads the list mcpServers of Continue's YAML files, whose
// elements carry their names: https://docs.continue.dev/reference#mcpservers.
func readContinue(r *reader, root *node) bool {
	entries := root.get("mcpServers")
	if !entries.is(anArray) {
		return false
	}
	keys := clientKeys().with(readers{"env": looseEnv, "requestOptions": requestOptions})
	for _, e := range entries.elements {
		m := member{name: e.path, at: e.at, places: e.places, value: e}
		switch name := e.get("name"); {
		case name.is(aText):
			m.name, m.at = name.text, name.at
		case e.get("uses") != nil:
			continue // a block of the hub, which no command starts
		}
		r.add("continue", "", keys, m)
	}
	return true
}

func requestOptions(s *Server, v *node) error {
	if h := v.get("headers"); h != nil {
		return headers(s, h)
	}
	return nil
}
