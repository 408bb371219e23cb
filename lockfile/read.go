package lockfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Read reads a lock file. name is the file's name in messages and locations.
// It is strict: whatever is not exactly the format of this package's version is
// a [*ReadError] that names the place and what was expected. Read does not
// check the stored hashes; [Compare] reports one that is wrong.
func Read(name string, data []byte) (*File, error) {
	r := &reader{file: &File{name: name, servers: map[string]*Server{}}}
	if err := r.document(data); err != nil {
		return nil, err
	}
	return r.file, nil
}

type reader struct {
	file *File
	path []string // JSON pointer tokens of the value being read
}

func (r *reader) document(data []byte) error {
	root, err := r.parse(data)
	if err != nil {
		return err
	}
	if err := r.version(root); err != nil {
		return err
	}
	return r.members(root, []string{"clientCapabilities", "lockfileVersion", "servers"}, func(m snapshot.Member) error {
		switch m.Name {
		case "clientCapabilities":
			if m.Value.Type() != snapshot.Object || m.Value.Len() > 0 {
				return r.fault(m.Value, "locked by a client that declared capabilities; this program declares none ({}): lock the servers again")
			}
		case "servers":
			return r.each(m.Value, r.server)
		}
		return nil
	})
}

// version judges the format number before anything else, because it explains
// all other faults.
func (r *reader) version(root *snapshot.Node) error {
	n := root.Get("lockfileVersion")
	if n == nil {
		return r.fault(root, `no "lockfileVersion": this is no lock file of mcp-lint, perhaps one of another program of that name; move it away and lock the servers again`)
	}
	r.path = append(r.path, "lockfileVersion")
	defer func() { r.path = r.path[:len(r.path)-1] }()
	if n.Type() != snapshot.Number {
		return r.wrongType(n, "a number")
	}
	written := parseDecimal(n.Number())
	switch c, ok := written.compare(parseDecimal(fmt.Sprint(Version))); {
	case ok && c == 0:
		return nil
	case ok && c > 0:
		return r.fault(n, "format "+excerpt(n.Number())+" was written by a newer mcp-lint; this one reads format 1: upgrade mcp-lint")
	}
	return r.fault(n, "unknown format "+excerpt(n.Number())+"; expected 1: lock the servers again")
}

func (r *reader) server(m snapshot.Member) error {
	s := &Server{InstructionsKnown: true, offset: m.NameStart, node: m.Value}
	known := []string{"instructions", "launch", "profile", "prompts", "resourceTemplates", "resources", "server", "tools"}
	err := r.members(m.Value, known, func(m snapshot.Member) error {
		switch m.Name {
		case "instructions":
			return r.text(m.Value, &s.Instructions)
		case "profile":
			return r.text(m.Value, &s.Profile)
		case "launch":
			return r.members(m.Value, []string{"sha256", "transport"}, func(m snapshot.Member) error {
				if m.Name == "sha256" {
					return r.text(m.Value, &s.Launch.SHA256)
				}
				return r.text(m.Value, &s.Launch.Transport)
			})
		case "server":
			return r.members(m.Value, []string{"name", "version"}, func(m snapshot.Member) error {
				if m.Name == "name" {
					return r.text(m.Value, &s.Name)
				}
				return r.text(m.Value, &s.Version)
			})
		}
		i := slices.IndexFunc(kinds[:], func(k kind) bool { return k.list == m.Name })
		return r.each(m.Value, func(m snapshot.Member) error {
			e, err := r.entry(&kinds[i], m)
			s.entries[i] = append(s.entries[i], e)
			return err
		})
	})
	if err != nil {
		return err
	}
	if !m.Value.Has("tools") {
		return r.fault(m.Value, `no "tools"; expected an object, empty for a server without tools`)
	}
	s.Instructions = foldLines(s.Instructions)
	s.sort()
	r.file.servers[m.Name] = s
	return nil
}

func (r *reader) entry(k *kind, m snapshot.Member) (*entry, error) {
	e := &entry{kind: k, name: m.Name, offset: m.NameStart, whole: m.Value, read: true}
	err := r.members(m.Value, []string{"definition", "sha256"}, func(m snapshot.Member) error {
		if m.Name == "sha256" {
			return r.text(m.Value, &e.sha256)
		}
		e.node = m.Value
		switch name := m.Value.Get(k.identity); {
		case k.kind == snapshot.KindTool && m.Value.Type() != snapshot.Object:
			return r.wrongType(m.Value, "an object")
		case k.kind == snapshot.KindTool && !name.IsText():
			return r.fault(m.Value, fmt.Sprintf("no text %q; expected the tool's name", k.identity))
		case name.Text() != e.name:
			return r.fault(m.Value, fmt.Sprintf("the definition has the %s %s; expected that of its key, %s", k.identity, named(name.Text()), named(e.name)))
		case m.Value.Depth() > snapshot.MaxDepth:
			return r.fault(m.Value, fmt.Sprintf("nests %d levels deep; expected at most %d", m.Value.Depth(), snapshot.MaxDepth))
		}
		return nil
	})
	if err == nil && (e.node == nil || e.sha256 == "") {
		err = r.fault(m.Value, `incomplete; expected "definition" and "sha256"`)
	}
	return e, err
}

// members calls read for each member of an object whose names are all known.
func (r *reader) members(n *snapshot.Node, known []string, read func(snapshot.Member) error) error {
	return r.each(n, func(m snapshot.Member) error {
		if !slices.Contains(known, m.Name) {
			return r.fault(m.Value, "unknown key; expected one of "+strings.Join(known, ", "))
		}
		return read(m)
	})
}

// each calls read for each member of an object.
func (r *reader) each(n *snapshot.Node, read func(snapshot.Member) error) error {
	if n.Type() != snapshot.Object {
		return r.wrongType(n, "an object")
	}
	for _, m := range n.Members() {
		r.path = append(r.path, m.Name)
		if err := read(m); err != nil {
			return err
		}
		r.path = r.path[:len(r.path)-1]
	}
	return nil
}

func (r *reader) text(n *snapshot.Node, to *string) error {
	if !n.IsText() {
		return r.wrongType(n, "a text")
	}
	*to = n.Text()
	return nil
}

// The lock is parsed by package snapshot, which has the one parser with places
// and with our handling of surrogates: as the serverInfo of a snapshot whose
// first line is ours. Lines below are one less in the lock.
const (
	before = `{"tools":[],"serverInfo":` + "\n"
	after  = "\n}\n"
)

func (r *reader) parse(data []byte) (*snapshot.Node, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &ReadError{File: r.file.name, Message: "the file is empty; expected a lock: delete it and lock the servers again"}
	}
	if line := conflictMarker(data); line > 0 {
		return nil, &ReadError{File: r.file.name, Line: line, Column: 1, Message: "a merge conflict marker; take either side of each conflict, then write the lock anew with `mcp-lint lock`"}
	}
	source := slices.Concat([]byte(before), data, []byte(after))
	s, err := snapshot.Parse("", source)
	if err != nil {
		return nil, r.unreadable(err, data)
	}
	r.file.source = s
	for _, p := range s.Problems {
		if p.Kind == snapshot.DuplicateKey && p.Pointer != "/serverInfo" {
			pointer := strings.TrimPrefix(p.Pointer, "/serverInfo")
			return nil, r.faultAt(p.Offset, pointer, twice(pointer, p.Detail))
		}
	}
	root := s.ServerInfo
	if root == nil || !bytes.Equal(bytes.TrimSpace(data), root.Raw()) {
		return nil, &ReadError{File: r.file.name, Line: 1, Column: 1, Message: "not one JSON object; expected a lock: lock the servers again"}
	}
	return root, nil
}

// twice says which key occurs more than once. Whole entries do after a merge
// that took both sides.
func twice(pointer, key string) string {
	path := tokens(pointer)
	const remedy = "; keep one of them, then write the lock anew with `mcp-lint lock`"
	if len(path) == 2 && path[0] == "servers" {
		return "the server " + named(key) + " is in the lock more than once, as a merge may leave it" + remedy
	}
	if len(path) == 4 && path[0] == "servers" {
		for i := range kinds {
			if kinds[i].list == path[2] {
				return fmt.Sprintf("the %s %s of the server %s is in the lock more than once, as a merge may leave it%s", kinds[i].noun, named(key), named(path[1]), remedy)
			}
		}
	}
	return fmt.Sprintf("the key %s occurs more than once; expected each key once", named(key))
}

// conflictMarker returns the line of the first conflict marker of git, 0 for
// none. No lock has them otherwise: a line starts with a quote or a bracket.
func conflictMarker(data []byte) int {
	line := 0
	for l := range bytes.Lines(data) {
		line++
		for _, marker := range [...]string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
			if bytes.HasPrefix(l, []byte(marker)) {
				return line
			}
		}
	}
	return 0
}
