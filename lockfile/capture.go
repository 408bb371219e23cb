package lockfile

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Capture turns a snapshot into what is locked. It refuses what a lock cannot
// hold without doubt: two entities of one kind with one name, a definition that
// nests deeper than [snapshot.MaxDepth], and a key that occurs twice in one
// object (programs disagree which of them counts). Nor does it lock what a
// server said with a secret in it. Lone surrogates are kept.
func Capture(s *snapshot.Snapshot, l Launch) (*Server, error) {
	if len(s.Redacted) > 0 {
		first := s.Redacted[0]
		return nil, fmt.Errorf("cannot lock: %s %s repeats a secret that the server was given; expected definitions without it", nounOf(first.Kind), named(first.Name))
	}
	for _, p := range s.Problems {
		if err := refusal(p); err != nil {
			return nil, err
		}
	}
	server := Live(s, l)
	for i, entries := range server.entries {
		for j := 1; j < len(entries); j++ {
			if entries[j].name == entries[j-1].name {
				return nil, fmt.Errorf("cannot lock: more than one %s is named %s; expected each name once", kinds[i].noun, named(entries[j].name))
			}
		}
	}
	return server, nil
}

func refusal(p snapshot.Problem) error {
	where := "the snapshot"
	if p.Entity != nil {
		where = fmt.Sprintf("%s %s", nounOf(p.Entity.Kind), named(p.Entity.Name))
	}
	at := shown(p.Pointer)
	if at == "" {
		at = "/"
	}
	switch p.Kind {
	case snapshot.DuplicateKey:
		return fmt.Errorf("cannot lock: %s has the key %s more than once in one object, at %s; expected each key once", where, named(p.Detail), at)
	case snapshot.TooDeep:
		return fmt.Errorf("cannot lock: %s nests %s levels deep, at %s; expected at most %d", where, shown(p.Detail), at, snapshot.MaxDepth)
	}
	return nil
}

// Live turns a snapshot into one side of [Compare]. Unlike [Capture] it never
// refuses: what cannot be locked is a change to report.
func Live(s *snapshot.Snapshot, l Launch) *Server {
	server := &Server{
		Name: s.Name, Version: s.Version, Launch: l,
		Instructions:      foldLines(s.Instructions.Text()),
		InstructionsKnown: s.InstructionsKnown,
	}
	twice := map[*snapshot.Entity]*snapshot.Problem{}
	for _, p := range s.Problems {
		if p.Kind == snapshot.DuplicateKey && p.Entity != nil && twice[p.Entity] == nil {
			twice[p.Entity] = &p
		}
	}
	var buffer []byte
	for i := range kinds {
		k := &kinds[i]
		for _, e := range k.entities(s) {
			locked := &entry{kind: k, name: e.Name, node: e.Node, twice: twice[e]}
			locked.sha256, buffer = k.hash(buffer, e.Node)
			server.entries[i] = append(server.entries[i], locked)
		}
	}
	server.sort()
	return server
}

// sort orders entries by name, those of one name as they came.
func (s *Server) sort() {
	for _, entries := range s.entries {
		slices.SortStableFunc(entries, func(a, b *entry) int { return compareUTF16(a.name, b.name) })
	}
}

// Snapshot returns the definitions as something to lint, under the given key.
// Its places are those of its own text, not of the lock file; [File.Location]
// has those.
func (s *Server) Snapshot(key string) (*snapshot.Snapshot, error) {
	parts := snapshot.Parts{
		ServerInfo: (&encoder{}).serverInfo(s),
		Tools:      raws(s.entries[0]), Prompts: raws(s.entries[1]),
		Resources: raws(s.entries[2]), ResourceTemplates: raws(s.entries[3]),
	}
	if s.Instructions != "" {
		parts.Instructions = appendString(nil, s.Instructions, true)
	}
	snap, err := snapshot.Parse("", snapshot.Assemble(parts))
	if err != nil {
		return nil, fmt.Errorf("the locked definitions of %s cannot be read: %w", named(key), err)
	}
	snap.Key = key
	return snap, nil
}

func raws(entries []*entry) [][]byte {
	out := make([][]byte, len(entries))
	for i, e := range entries {
		out[i] = e.node.Raw()
	}
	return out
}

func (w *encoder) serverInfo(s *Server) []byte {
	w.object(func() {
		w.text("name", s.Name)
		w.text("version", s.Version)
	})
	return w.out
}

func nounOf(k snapshot.Kind) string {
	for i := range kinds {
		if kinds[i].kind == k {
			return kinds[i].noun
		}
	}
	return string(k)
}
