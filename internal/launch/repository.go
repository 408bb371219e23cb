package launch

import (
	"path"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
)

// RepositoryFile is a file of a repository in which a client, or the registry,
// looks for servers.
type RepositoryFile struct {
	// Path is relative to the root. Its last part may be a pattern of [path.Match].
	Path string
	// Shared: other programs have files of this name, or keep other settings in
	// it. One that is no client's configuration is not a fault.
	Shared bool
}

// RepositoryFiles are the files in which a repository's servers are discovered,
// in order. All of them start their servers for whoever opens the repository with
// that client, so all of them are checked. Files of a user's home are not among
// them, and neither is anything below the root that a client reads only where it
// is opened there (an app's own .mcp.json, what stands in node_modules).
func RepositoryFiles() []RepositoryFile {
	return []RepositoryFile{
		{Path: ".mcp.json"},
		{Path: ".vscode/mcp.json"},
		{Path: ".vscode/settings.json", Shared: true},
		{Path: ".cursor/mcp.json"},
		{Path: ".gemini/settings.json"},
		{Path: ".codex/config.toml"},
		{Path: "opencode.json"},
		{Path: "opencode.jsonc"},
		{Path: ".continue/mcpServers/*.yaml"},
		{Path: ".continue/mcpServers/*.yml"},
		{Path: ".continue/mcpServers/*.json"},
		{Path: ".zed/settings.json", Shared: true},
		{Path: ".roo/mcp.json"},
		{Path: ".amazonq/mcp.json"},
		{Path: ".kiro/settings/mcp.json"},
		{Path: "server.json", Shared: true},
		{Path: "manifest.json", Shared: true},
	}
}

// InRepository is the server as a repository may start it: a folder outside the
// repository makes it invalid, for it is there on nobody else's machine.
func (s Server) InRepository() Server {
	cwd := strings.TrimPrefix(strings.TrimPrefix(s.Cwd, "${workspaceFolder}"), "${__dirname}")
	if cwd != s.Cwd {
		cwd = "." + cwd
	}
	if clean := path.Clean(slashed(cwd)); s.Invalid == nil && (path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../")) {
		s.Invalid = &jsonc.Error{Location: s.Location, Path: s.Key + ".cwd",
			Message: "expected a folder of the repository, relative to its root"}
	}
	return s
}

// IsRootFolder tells the variables that stand for the folder that is open in a
// client, or that a bundle was unpacked to: for a file of a repository its root.
func IsRootFolder(name string) bool { return name == "workspaceFolder" || name == "__dirname" }

// SameLaunch tells whether two entries start the same thing, however each client
// writes a variable.
func SameLaunch(a, b Server) bool {
	if (a.Invalid == nil) != (b.Invalid == nil) || len(a.Args) != len(b.Args) || len(a.Env) != len(b.Env) || len(a.Headers) != len(b.Headers) {
		return false
	}
	same := func(a, b string) bool { return a == b || plainVariables(a) == plainVariables(b) }
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i]) {
			return false
		}
	}
	for _, values := range [][2]map[string]string{{a.Env, b.Env}, {a.Headers, b.Headers}} {
		for name, value := range values[0] {
			if other, ok := values[1][name]; !ok || !same(value, other) {
				return false
			}
		}
	}
	return same(a.Command, b.Command) && same(a.Cwd, b.Cwd) && same(a.URL, b.URL) && a.From == b.From
}

// plainVariables writes ${env:NAME} and {env:NAME} as ${NAME}.
func plainVariables(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "${env:", "${"), "{env:", "${")
}
