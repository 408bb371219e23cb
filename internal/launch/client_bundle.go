package launch

import "strings"

// readBundle reads the manifest of an MCP bundle, which starts its own files:
// https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md. The
// manifest's version tells it from other files of that name.
func readBundle(r *reader, root *node) bool {
	isBundle := root.get("manifest_version") != nil || root.get("mcpb_version") != nil || root.get("dxt_version") != nil
	config := root.get("server").get("mcp_config")
	if !isBundle || config == nil {
		return false
	}
	key := member{name: "server", at: config.at, places: config.places, value: config}
	if name := root.get("name"); name.is(aText) && strings.TrimSpace(name.text) != "" {
		key.name = name.text
	}
	r.add("bundle", "", clientKeys().with(readers{"env": looseEnv}), key)
	return true
}
