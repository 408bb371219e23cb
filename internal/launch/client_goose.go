package launch

// readGoose reads the extensions of Goose's config.yaml that are MCP servers:
// https://block.github.io/goose/docs/getting-started/using-extensions.
func readGoose(r *reader, root *node) bool {
	entries := root.get("extensions")
	if !entries.is(anObject) {
		return false
	}
	found := false
	keys := clientKeys().with(readers{"cmd": command, "uri": address, "envs": looseEnv, "env_keys": passedOn})
	for _, m := range entries.members {
		switch kind := m.value.get("type"); {
		case !kind.is(aText):
		case kind.text == "stdio", kind.text == "sse", kind.text == "streamable_http":
			r.add("goose", "", keys, m)
			found = true
		default:
			found = true // built into Goose: no command starts it
		}
	}
	return found
}
