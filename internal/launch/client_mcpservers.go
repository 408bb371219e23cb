package launch

import (
	"path"
	"slices"
	"strings"
)

// mcpServersKeys are what the clients with the key mcpServers write in an
// entry: Claude Desktop and Claude Code (https://code.claude.com/docs/en/mcp),
// Cursor (https://cursor.com/docs/context/mcp), Windsurf with serverUrl
// (https://docs.windsurf.com/windsurf/cascade/mcp), Cline and Roo Code with
// autoApprove and alwaysAllow (https://docs.cline.bot/mcp/adding-and-configuring-servers),
// Gemini CLI with httpUrl and trust
// (https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md).
func mcpServersKeys() readers {
	return clientKeys().with(readers{
		"env":         looseEnv,
		"serverUrl":   address,
		"httpUrl":     address,
		"autoApprove": approvals("autoApprove"),
		"alwaysAllow": approvals("alwaysAllow"),
		"trust":       trust("trust"),
	})
}

// readMCPServers reads the key mcpServers of an object, which most clients use.
func readMCPServers(r *reader, root *node) bool {
	return r.mcpServers(mcpServersClient(r.file), "", root)
}

// mcpServers adds the servers of one scope.
func (r *reader) mcpServers(client, scope string, from *node) bool {
	found, from0 := false, len(r.servers)
	for _, m := range from.members {
		if m.name != "mcpServers" || m.value.is(anArray) && client == "" { // a list is Continue's
			continue
		}
		found = true
		if m.value.is(aNull) {
			continue
		}
		keys := mcpServersKeys()
		if client == "gemini" {
			// Its url is the address of the older transport, httpUrl that of the newer.
			keys["url"] = func(s *Server, v *node) error { s.SSE = true; return address(s, v) }
			keys["httpUrl"] = func(s *Server, v *node) error { s.SSE = false; return address(s, v) }
		}
		r.list(client, scope, keys, m.value)
	}
	if names := from.get("disabledMcpServers"); names.is(anArray) {
		for i := from0; i < len(r.servers); i++ {
			s := &r.servers[i]
			s.Disabled = s.Disabled || slices.ContainsFunc(names.elements, func(e *node) bool { return e.is(aText) && e.text == s.Key })
		}
	}
	for _, t := range twice(from.members) {
		if t.Name == "mcpServers" && len(r.servers) > from0 {
			last := &r.servers[len(r.servers)-1]
			last.Twice = append(last.Twice, t)
		}
	}
	return found
}

// mcpServersClient tells by the file's name whose it is, "" where several
// clients use the name.
func mcpServersClient(file string) string {
	file = slashed(file)
	switch base := path.Base(file); {
	case base == "claude_desktop_config.json":
		return "claude-desktop"
	case base == ".mcp.json", base == ".claude.json", strings.HasPrefix(base, "managed-mcp"):
		return "claude-code"
	case inFolder(file, ".cursor"):
		return "cursor"
	case inFolder(file, ".gemini"), base == "gemini-extension.json":
		return "gemini"
	case inFolder(file, "windsurf"), inFolder(file, ".windsurf"), base == "mcp_config.json":
		return "windsurf"
	case base == "cline_mcp_settings.json":
		return "cline"
	case inFolder(file, ".roo"):
		return "roo"
	case inFolder(file, ".amazonq"):
		return "amazon-q"
	}
	return ""
}

// readProjects reads Claude Code's file of a user, which has servers for each
// project beside those for all: projects.<folder>.mcpServers.
func readProjects(r *reader, root *node) bool {
	projects := root.get("projects")
	if !projects.is(anObject) {
		return false
	}
	found := false
	for _, project := range projects.members {
		if project.value.is(anObject) && project.value.get("mcpServers") != nil {
			found = r.mcpServers("claude-code", project.name, project.value) || found
		}
	}
	return found
}
