package lockfile

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// kind is what the four lists of a server have in common.
type kind struct {
	kind     snapshot.Kind
	list     string // the member of the lock and of a snapshot
	identity string // the member of a definition that names it
	// prefix starts the change kinds of everything but tools; noun is the word
	// in messages.
	prefix, noun string
	entities     func(*snapshot.Snapshot) []*snapshot.Entity
}

// kinds are in the order of reports.
var kinds = [...]kind{
	{snapshot.KindTool, "tools", "name", "tool", "tool",
		func(s *snapshot.Snapshot) []*snapshot.Entity { return s.Tools }},
	{snapshot.KindPrompt, "prompts", "name", "prompt", "prompt",
		func(s *snapshot.Snapshot) []*snapshot.Entity { return s.Prompts }},
	{snapshot.KindResource, "resources", "uri", "resource", "resource",
		func(s *snapshot.Snapshot) []*snapshot.Entity { return s.Resources }},
	{snapshot.KindResourceTemplate, "resourceTemplates", "uriTemplate", "resource_template", "resource template",
		func(s *snapshot.Snapshot) []*snapshot.Entity { return s.ResourceTemplates }},
}

// volatile tells members of a definition that change without anybody changing
// the server: caching hints, and a resource's size.
func (k *kind) volatile(name string) bool {
	switch name {
	case "ttlMs", "cacheScope":
		return true
	case "size":
		return k.kind == snapshot.KindResource
	}
	return false
}

// omitFrom returns what of the member called name of a definition is volatile,
// nil for nothing.
func (k *kind) omitFrom(name string) func(string) bool {
	if name == "annotations" && k.kind == snapshot.KindResource {
		return func(inner string) bool { return inner == "lastModified" }
	}
	return nil
}

// hash returns the hash of a definition without what is volatile, and a buffer
// for the next call.
func (k *kind) hash(buffer []byte, definition *snapshot.Node) (string, []byte) {
	buffer = k.canonical(buffer[:0], definition, "")
	sum := sha256.Sum256(buffer)
	return hex.EncodeToString(sum[:]), buffer
}

// canonical appends the canonical form of a definition without what is
// volatile and without one more member, "" for none.
func (k *kind) canonical(b []byte, definition *snapshot.Node, without string) []byte {
	w := canonicalWriter{
		omit:  func(name string) bool { return k.volatile(name) || without != "" && name == without },
		inner: k.omitFrom,
	}
	return w.value(b, definition)
}
