package launch

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// MaxServers is how many servers one file may launch. A pull request cannot buy
// more work with a larger file.
const MaxServers = 200

// ErrNoClientFile is in the error of a file in which no client keeps servers.
var ErrNoClientFile = errors.New("no client's configuration")

// ReadClientFile reads the servers of a client's configuration file, in the
// order of the file: JSON with comments, YAML or TOML by the name's ending, of
// whichever client the content is. Keys that only the client knows are left
// alone, and so is the rest of a file that holds other settings as well; such a
// file may have no server.
//
// The error of a file that cannot be read is a *jsonc.Error; that of a file that
// is no client's wraps [ErrNoClientFile]. An entry that cannot be used keeps its
// place in the list with the reason in Invalid, so that no server is silently
// left out and none hides the others. Where one key stands in a file twice, both
// entries are there and their keys are told apart: files#1 and files#2 in one
// list, project#files for those of several projects.
func ReadClientFile(file string, data []byte) ([]Server, error) {
	root, err := parseFile(file, data)
	if err != nil {
		return nil, err
	}
	if !root.is(anObject) {
		return nil, root.errorf("expected an object with the key mcpServers")
	}
	r := &reader{file: file}
	ours := false
	for _, read := range clients() {
		ours = read(r, root) || ours
		if r.err != nil {
			return nil, r.err
		}
	}
	if !ours && !holdsOtherSettings(file) {
		return nil, &notOurs{root.errorf("expected the key mcpServers, or another under which a client keeps its servers")}
	}
	if n := len(r.servers); n > MaxServers {
		return nil, root.errorf("%d servers; at most %d of one file are checked", n, MaxServers)
	}
	r.tellApart()
	return r.servers, nil
}

// notOurs is the error for a file that is no client's.
type notOurs struct{ error }

func (e *notOurs) Unwrap() []error { return []error{e.error, ErrNoClientFile} }

// clients are the ways in which clients keep servers in a file: each adds what
// it finds, and reports whether the file has its place for servers at all.
func clients() []func(*reader, *node) bool {
	return []func(*reader, *node) bool{
		readMCPServers,
		readProjects,
		readVSCode,
		readZed,
		readOpencode,
		readContinue,
		readCodex,
		readGoose,
		readRegistry,
		readBundle,
	}
}

// holdsOtherSettings tells the files in which servers are one setting among
// others, and often none.
func holdsOtherSettings(file string) bool {
	switch base := path.Base(slashed(file)); base {
	case ".claude.json", "claude_desktop_config.json", "settings.json", "settings.local.json", "devcontainer.json",
		"opencode.json", "opencode.jsonc", "config.toml", "config.yaml", "config.yml":
		return true
	default:
		return strings.HasSuffix(base, ".code-workspace")
	}
}

func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// inFolder reports whether a file stands directly in a folder of that name.
func inFolder(file, folder string) bool {
	return path.Base(path.Dir(slashed(file))) == folder
}

// reader collects the servers of one file.
type reader struct {
	file    string
	servers []Server
	err     error // the first that concerns the whole file
}

// list adds every member of an object as a server.
func (r *reader) list(client, scope string, keys readers, entries *node) {
	members, err := entries.asObject()
	if err != nil {
		r.fail(err)
		return
	}
	for _, m := range members {
		r.add(client, scope, keys, m)
	}
}

// add adds one entry.
func (r *reader) add(client, scope string, keys readers, m member) {
	if len(r.servers) > MaxServers { // too many already; the rest only costs memory
		r.servers = append(r.servers, Server{})
		return
	}
	s := Server{Key: m.name, Client: client, Scope: scope, Location: m.location()}
	s.Invalid = s.readClientEntry(keys, m)
	r.servers = append(r.servers, s)
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// tellApart gives entries with one key different ones, in the order of the file.
func (r *reader) tellApart() {
	type place struct{ scope, key string }
	byPlace, byKey, taken := make(map[place][]int), make(map[string]int), make(map[string]bool)
	for i, s := range r.servers {
		byPlace[place{s.Scope, s.Key}] = append(byPlace[place{s.Scope, s.Key}], i)
		byKey[s.Key]++
		taken[s.Key] = true // by this entry or its like
	}
	number := make(map[place]int)
	for i := range r.servers {
		s := &r.servers[i]
		at := place{s.Scope, s.Key}
		same := byPlace[at]
		key := s.Key
		if s.Scope != "" && byKey[at.key] > len(same) {
			key = s.Scope + "#" + key
		}
		if i != same[0] {
			s.Twice = append(s.Twice, Twice{Name: at.key, First: r.servers[same[0]].Location, Again: s.Location})
		}
		if single := len(same) == 1; single && key == s.Key || single && !taken[key] {
			s.Key, taken[key] = key, true
			continue
		}
		for ok := true; ok; ok = taken[s.Key] {
			number[at]++
			s.Key = fmt.Sprintf("%s#%d", key, number[at])
		}
		taken[s.Key] = true
	}
}

// twice lists the names that an object has twice, the first ones where they are
// very many.
func twice(members []member) (names []Twice) {
	first := make(map[string]member, len(members))
	for _, m := range members {
		if known, ok := first[m.name]; ok && len(names) < maxObservations {
			names = append(names, Twice{Name: m.name, First: known.location(), Again: m.location()})
		} else if !ok {
			first[m.name] = m
		}
	}
	return names
}
