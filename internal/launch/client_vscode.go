package launch

import (
	"path"
	"strings"
)

// readVSCode reads VS Code's own file (.vscode/mcp.json, with the key servers,
// and inputs that are asked for), and its settings, workspaces and development
// containers, in which that object is the setting mcp:
// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration. Visual
// Studio reads the key servers in .mcp.json as well.
func readVSCode(r *reader, root *node) bool {
	found := false
	keys := clientKeys().with(readers{"env": looseEnv})
	read := func(servers *node) {
		if servers != nil {
			found = true
			r.list("vscode", "", keys, servers)
		}
	}
	if servers := root.get("servers"); servers != nil && isVSCodeFile(r.file, root, servers) {
		for _, m := range root.members {
			if m.name == "servers" {
				read(m.value.orNil())
			}
		}
	}
	for _, settings := range []*node{root, root.get("settings"), root.get("customizations").get("vscode"), root.get("customizations").get("vscode").get("settings")} {
		read(settings.get("mcp.servers"))
		// A client whose list is the key mcp itself may have a server of that name.
		if servers := settings.get("mcp").get("servers"); servers.is(anObject) && !servers.get("type").is(aText) {
			read(servers)
		}
	}
	return found
}

// isVSCodeFile tells a list of MCP servers from whatever else calls itself
// servers: by the file's name, or else by what every entry looks like.
func isVSCodeFile(file string, root, servers *node) bool {
	base := path.Base(slashed(file))
	if base == "mcp.json" || strings.HasSuffix(base, ".mcp.json") {
		return true
	}
	if !servers.is(anObject) || len(servers.members) == 0 || root.get("name") != nil || base == "package.json" {
		return false
	}
	for _, m := range servers.members {
		if !m.value.get("command").is(aText) && !m.value.get("url").is(aText) {
			return false
		}
	}
	return true
}
