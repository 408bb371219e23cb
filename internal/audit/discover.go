package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Known lists the names that a configuration may use.
func Known() config.Known {
	all := rules.All()
	k := config.Known{Clients: linter.Clients(all)}
	seen := make(map[string]bool)
	for _, r := range all {
		k.Rules = append(k.Rules, r.ID)
		for _, option := range r.Options {
			if !seen[option] {
				seen[option] = true
				k.Options = append(k.Options, option)
			}
		}
	}
	return k
}

// readConfig reads the tree's configuration. file is its name, or "" when the
// tree has none: the defaults are returned then.
func (t *tree) readConfig() (c *config.Config, file string, err error) {
	for _, name := range config.Names() {
		data, err := t.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, name, err
		}
		c, err := config.Parse(name, data, Known(), "")
		return c, name, err
	}
	return config.Default(""), "", nil
}

// fileError is a file in which servers may be defined but which cannot be read.
type fileError struct {
	file string
	err  error
}

// servers lists what the tree launches: the config's servers, or those of the
// clients' files. Equal keys of several files get their file in front, unless
// they start the same: then they are one server, as clients' files of one
// repository often repeat it. Two that a lock could not tell apart are not both
// usable.
func (t *tree) servers(c *config.Config) ([]launch.Server, []fileError) {
	if c.Servers != nil {
		return refuseTwins(slices.Clone(c.Servers)), nil
	}
	var (
		found []launch.Server
		bad   []fileError
		count = make(map[string]int)
	)
	for _, f := range launch.RepositoryFiles() {
		files, more := t.matches(f.Path)
		if more > 0 {
			// Said, for the client starts those as well.
			bad = append(bad, fileError{f.Path, fmt.Errorf("%s: %d more files than the %d of this kind that are read; what they launch is not checked", f.Path, more, maxMatches)})
		}
		for _, file := range files {
			servers, err := t.clientFile(file, f.Shared)
			if err != nil {
				bad = append(bad, fileError{file, err})
				continue
			}
			for _, s := range servers {
				s = s.InRepository()
				if twin := slices.IndexFunc(found, func(other launch.Server) bool {
					return other.Key == s.Key && other.Location.File != file && launch.SameLaunch(other, s)
				}); twin >= 0 {
					found[twin].Twins = append(found[twin].Twins, s)
					continue
				}
				if len(found) == launch.MaxServers {
					err = fmt.Errorf("%s: more than %d servers are defined in this repository; those of the others are not checked",
						snapshot.Visible(file), launch.MaxServers)
					break
				}
				count[s.Key]++
				found = append(found, s)
			}
			if err != nil {
				bad = append(bad, fileError{file, err})
			}
		}
	}
	for i, s := range found {
		if count[s.Key] > 1 {
			found[i].Key = s.Location.File + "#" + s.Key
		}
	}
	return refuseTwins(found), bad
}

// clientFile reads the servers of a client's file. One that other programs have
// as well may be theirs, and broken without concern to us: only one that may
// speak of servers must be readable.
func (t *tree) clientFile(file string, shared bool) ([]launch.Server, error) {
	data, err := t.read(file)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	servers, err := launch.ReadClientFile(file, data)
	if err != nil && shared && (errors.Is(err, launch.ErrNoClientFile) || !maySpeakOfServers(data)) {
		return nil, nil
	}
	return servers, err
}

// maySpeakOfServers tells whether a shared file that cannot be read (it is too
// large, say) may launch servers for a client that can read it: by a word of the
// keys under which they stand, or by an escape that can hide one.
func maySpeakOfServers(data []byte) bool {
	data = bytes.ToLower(data)
	for _, word := range []string{"mcp", "context_servers", "modelcontextprotocol", `\u`} {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}

// firstLine is where a fault of a whole file is shown.
func firstLine(file string) snapshot.Location {
	return snapshot.Location{File: file, Line: 1, Column: 1}
}

// Discover lists the servers that the tree in dir launches under a
// configuration. A client file that cannot be read is an error.
func Discover(dir string, c *config.Config) ([]launch.Server, error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	defer t.close()
	servers, bad := t.servers(c)
	if len(bad) > 0 {
		return nil, bad[0].err
	}
	return servers, nil
}

// ReadConfig reads the configuration of the tree in dir; one that has none has
// the defaults.
func ReadConfig(dir string) (*config.Config, error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	defer t.close()
	c, _, err := t.readConfig()
	return c, err
}
