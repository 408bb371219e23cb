package launch

import "slices"

// readCodex reads the tables mcp_servers of Codex's config.toml:
// https://developers.openai.com/codex/mcp.
func readCodex(r *reader, root *node) bool {
	entries := root.get("mcp_servers")
	if entries == nil {
		return false
	}
	r.list("codex", "", clientKeys().with(readers{
		"env":              looseEnv,
		"env_vars":         passedOn,
		"http_headers":     headers,
		"env_http_headers": headerEnv,
	}), entries)
	return true
}

// passedOn are names of variables that are handed on as they are. Other forms,
// which say from where, are left to the client.
func passedOn(s *Server, v *node) error {
	names := *v
	names.elements = slices.DeleteFunc(slices.Clone(v.elements), func(e *node) bool { return !e.is(aText) })
	return passEnv(s, &names)
}
