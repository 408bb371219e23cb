package launch

// readZed reads the key context_servers of Zed's settings, in the flat form and
// the older one whose command is an object with path, args and env:
// https://zed.dev/docs/ai/mcp.
func readZed(r *reader, root *node) bool {
	entries := root.get("context_servers")
	if entries == nil {
		return false
	}
	keys := clientKeys().with(readers{"env": looseEnv, "command": zedCommand})
	members, err := entries.asObject()
	if err != nil {
		r.fail(err)
		return true
	}
	for _, m := range members {
		if m.value.is(anObject) && m.value.get("command") == nil && m.value.get("url") == nil &&
			(m.value.get("source").is(aText) && m.value.get("source").text == "extension" || m.value.get("settings") != nil) {
			continue // settings of an installed extension, which brings the command
		}
		r.add("zed", "", keys, m)
	}
	return true
}

func zedCommand(s *Server, v *node) error {
	if !v.is(anObject) {
		return command(s, v)
	}
	for _, part := range []struct {
		name string
		read func(*Server, *node) error
	}{{"args", arguments}, {"path", command}, {"env", looseEnv}} {
		if inner := v.get(part.name); inner != nil {
			if err := part.read(s, inner); err != nil {
				return err
			}
		}
	}
	return nil
}
