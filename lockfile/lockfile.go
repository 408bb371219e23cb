// Package lockfile remembers what a server told a model and says in words what
// changed since. It knows nothing of networks, processes or GitHub; [Write] and
// [Update] touch the file system, everything else is pure.
//
// # The file
//
// A lock is one JSON document for any number of servers, made to be reviewed
// as a diff: pure ASCII (everything else as \uXXXX, lower-case hex), two spaces
// of indent, members sorted by the UTF-16 code units of their names (RFC 8785,
// section 3.2.3), a final newline. The same servers give the same bytes on
// every system.
//
//	{
//	  "clientCapabilities": {},
//	  "lockfileVersion": 1,
//	  "servers": {
//	    "files": {
//	      "instructions": "Paths are relative.",
//	      "launch": {"sha256": "…", "transport": "stdio"},
//	      "profile": "ci",
//	      "prompts": {}, "resources": {}, "resourceTemplates": {},
//	      "server": {"name": "filesystem", "version": "1.2.0"},
//	      "tools": {
//	        "read_file": {"definition": {"name": "read_file", …}, "sha256": "…"}
//	      }
//	    }
//	  }
//	}
//
// Every definition is complete but for what changes by itself: ttlMs and
// cacheScope, and of resources the size and annotations.lastModified. Its
// sha256 is that of its [Canonical] form. The protocol version is not locked.
// clientCapabilities says what the collecting client declared, which is
// nothing: some servers list more tools to a client that declares more.
package lockfile

import (
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Version is the format number that this package reads and writes.
const Version = 1

// File is a lock file. The zero value is one without servers, ready to use. It
// is not safe for concurrent changes.
type File struct {
	name    string
	servers map[string]*Server
	source  *snapshot.Snapshot // the text that was read; nil for a new file
}

// Keys returns the keys of all servers in the order of the file.
func (f *File) Keys() []string {
	keys := make([]string, 0, len(f.servers))
	for key := range f.servers {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareUTF16)
	return keys
}

// Server returns the server with a key, nil when the file has none.
func (f *File) Server(key string) *Server { return f.servers[key] }

// Set adds or replaces a server. It must come from [Capture] or [Read].
func (f *File) Set(key string, s *Server) {
	if f.servers == nil {
		f.servers = map[string]*Server{}
	}
	f.servers[key] = s
}

// Remove drops a server; a key that is not there is no error.
func (f *File) Remove(key string) { delete(f.servers, key) }

// Launch identifies how a server is started without saying it: the hash of the
// command line (stdio) or of the URL's scheme, host, port and path. The zero
// value means unknown (a saved file).
type Launch struct {
	Transport string `json:"transport"` // stdio or streamable-http
	SHA256    string `json:"sha256"`
}

// Server is what one server told, locked or live. It comes from [Read],
// [Capture] or [Live].
type Server struct {
	// Name and Version are the server's own; empty when unknown.
	Name, Version string
	Launch        Launch
	// Profile names the circumstances (token, scope, flags) that the server was
	// collected under; empty for none. The key of such an entry is [ProfileKey].
	Profile string
	// Instructions is the text with CRLF folded, empty when there is none.
	Instructions string
	// InstructionsKnown is false for a live server whose source says nothing
	// about instructions (a saved tools/list result). A locked server's are
	// always known.
	InstructionsKnown bool

	entries [len(kinds)][]*entry // by kind, sorted by name
	offset  int                  // of the key in the file read, 0 for none
	node    *snapshot.Node       // in the file read, nil for none
}

// entry is one definition. Entries are immutable.
type entry struct {
	kind *kind
	name string
	node *snapshot.Node
	// sha256 is the hash of the canonical form; of an entry that was read it is
	// what the file says, which may be wrong.
	sha256 string
	read   bool
	offset int            // of the key in the file read, 0 for none
	whole  *snapshot.Node // with the hash, in the file read, nil for none
	// twice is the first key that occurs twice inside a live definition.
	twice *snapshot.Problem
}

func (e *entry) ref() snapshot.Ref { return snapshot.Ref{Kind: e.kind.kind, Name: e.name} }

// find returns the first entry of that kind and name, nil when there is none.
func (s *Server) find(ref snapshot.Ref) *entry {
	for i := range kinds {
		if kinds[i].kind != ref.Kind {
			continue
		}
		at, ok := slices.BinarySearchFunc(s.entries[i], ref.Name, func(e *entry, name string) int {
			return compareUTF16(e.name, name)
		})
		if ok {
			return s.entries[i][at]
		}
	}
	return nil
}

// KeepInstructions takes over the locked instructions when the live server's
// are unknown, so that a refresh from a bare tool list does not lose them.
func (s *Server) KeepInstructions(locked *Server) {
	if !s.InstructionsKnown && locked != nil {
		s.Instructions, s.InstructionsKnown = locked.Instructions, true
	}
}
