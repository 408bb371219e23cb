package sandbox

import (
	"os"
	"path/filepath"
)

// settingsFiles may hold tokens for registries and lie where a toolchain is
// installed: npm's global configuration, PREFIX/etc/npmrc (npm docs, npmrc), and
// pip's of a site, PREFIX/pip.conf (pip docs, configuration files). A command
// sees them empty.
var settingsFiles = [...]string{"etc/npmrc", "pip.conf"}

// settings lists where such files would be seen inside.
func (b *binds) settings() []string {
	prefixes := []bind{{source: "/usr", target: "/usr"}, {source: "/usr/local", target: "/usr/local"}}
	var found []string
	for _, p := range append(prefixes, b.list...) {
		for _, name := range settingsFiles {
			file, err := filepath.EvalSymlinks(filepath.Join(p.source, name))
			if err != nil || !within(file, p.source) || p.writable {
				continue // not there, or not there inside
			}
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				rest, _ := filepath.Rel(p.source, file)
				found = append(found, filepath.Join(p.target, rest))
			}
		}
	}
	return found
}
