package launch

import (
	"path"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
)

// MaxServers is how many servers one file may launch. A pull request cannot buy
// more work with a larger file.
const MaxServers = 200

// ClientFiles are the client configuration files in which a repository's
// servers are discovered, relative to its root, in order.
func ClientFiles() []string { return []string{".mcp.json"} }

// ReadClientFile reads the servers of a client configuration file: an object
// with mcpServers. Keys that only the client knows are left alone. The error is
// a *jsonc.Error; an entry that cannot be used keeps its place in the list with
// the reason in Invalid, so that no server is silently left out and none hides
// the others.
func ReadClientFile(file string, data []byte) ([]Server, error) {
	root, err := jsonc.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if !root.IsObject() {
		return nil, root.Errorf("expected an object with the key mcpServers")
	}
	entries := root.Get("mcpServers")
	if !entries.Present() {
		return nil, root.Errorf("expected the key mcpServers")
	}
	members, err := entries.Object()
	if err != nil {
		return nil, err
	}
	if len(members) > MaxServers {
		return nil, entries.Errorf("%d servers; at most %d of one file are checked", len(members), MaxServers)
	}
	servers := make([]Server, 0, len(members))
	for _, m := range members {
		s := Server{Key: m.Name, Location: m.Location()}
		s.Invalid = s.readClientEntry(m)
		servers = append(servers, s)
	}
	return servers, nil
}

func (s *Server) readClientEntry(m jsonc.Member) error {
	if err := checkKey(m); err != nil {
		return err
	}
	members, err := m.Value.Object()
	if err != nil {
		return err
	}
	keys := entryKeys()
	for _, member := range members {
		if read, ok := keys[member.Name]; ok {
			if err := read(s, member.Value); err != nil {
				return err
			}
		}
	}
	if s.Command == "" && s.URL == "" {
		return m.Value.Errorf("expected command or url")
	}
	if s.Command != "" {
		// Clients start the command and never look at the url beside it.
		s.URL, s.Headers = "", nil
	}
	if clean := path.Clean(s.Cwd); path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return m.Value.Get("cwd").Errorf("expected a folder of the repository, relative to its root")
	}
	return nil
}
