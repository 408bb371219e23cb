// Package snapshot holds what an MCP server tells a model: its tools, prompts,
// resources, resource templates and instructions, exactly as the server sent
// them, with the place of every JSON node.
//
// A snapshot is parsed once and never "cleaned": a malformed tool is what the
// linter is here to report. Everything else in this module reads it through
// [Snapshot], [Entity] and [Node] and never parses JSON again.
package snapshot

// Kind says what sort of thing a finding or a change is about.
type Kind string

// The entity kinds of the JSON report.
const (
	KindServer           Kind = "server"
	KindTool             Kind = "tool"
	KindPrompt           Kind = "prompt"
	KindResource         Kind = "resource"
	KindResourceTemplate Kind = "resourceTemplate"
)

// Snapshot is one server's answers. It is read-only after [Parse]; all its
// nodes point into one copy of the source text.
type Snapshot struct {
	// Key names the server inside a report (the key of its config entry, or
	// the file's path). Parse leaves it empty; whoever knows it sets it.
	Key string
	// File is the name given to Parse, used in messages and locations. It is
	// empty for a live server.
	File string
	// Name and Version come from serverInfo (or server, the second seed's
	// spelling); empty when absent or not text.
	Name, Version string
	// ServerInfo is the whole of serverInfo (or server); nil when absent.
	ServerInfo *Node
	// ProtocolVersion is the negotiated revision; empty when unknown.
	ProtocolVersion string
	// Capabilities is the object of that name; nil when absent.
	Capabilities *Node
	// Instructions is the text node of the server's instructions. It is nil
	// when the document holds none or holds something that is no text.
	Instructions *Node
	// InstructionsKnown tells whether the document says anything about
	// instructions at all: a tools/list result does not, a saved snapshot does
	// (even when the server has none).
	InstructionsKnown bool

	// The lists, in the order of the document. A list that the document does
	// not have (the server was not asked) is nil; an empty one is not.
	Tools, Prompts, Resources, ResourceTemplates []*Entity

	// Problems are faults of the text itself that did not cost the file:
	// duplicate keys, lone surrogates, nesting over [MaxDepth].
	Problems []Problem

	// Redacted names what held a secret that the server was given: there
	// "[redacted]" stands in its place. Such a snapshot is good to be shown,
	// and nothing that is kept is made of it. Whoever took the secrets out sets
	// it.
	Redacted []Ref

	doc *document
}

// MaxDepth is the deepest nesting of objects and arrays inside one entity that
// is not a problem (64, the first seed's limit). The entity itself is level 1.
const MaxDepth = 64

// Entity is one tool, prompt, resource or resource template.
type Entity struct {
	Kind Kind
	// Name identifies the entity: name of tools and prompts, uri of resources,
	// uriTemplate of resource templates. Empty when missing or no text.
	Name string
	// Index is the position in its list, from 0.
	Index int
	// Node is the whole definition. It is an object for tools; other kinds may
	// hold anything.
	Node *Node
	// Depth is the nesting depth of Node: 0 for a text or number, 1 for an
	// object or array that holds neither objects nor arrays.
	Depth int
}

// ProblemKind names a fault of the JSON text.
type ProblemKind string

// Problems that are findings on an entity and not the loss of the file.
const (
	DuplicateKey  ProblemKind = "duplicate-key"
	LoneSurrogate ProblemKind = "lone-surrogate"
	TooDeep       ProblemKind = "too-deep"
)

// Problem is one fault of the text, on the entity that holds it.
type Problem struct {
	Kind ProblemKind
	// Entity is nil for faults outside the lists (in serverInfo, say).
	Entity *Entity
	// Pointer is the JSON pointer (RFC 6901) inside the entity, or inside the
	// document when Entity is nil. Where the full pointer would be longer than
	// a few thousand bytes it names the nearest value above.
	Pointer string
	// Detail names the offending thing: the key (cut when long), the escape,
	// the depth. It is the server's text: show it through [Visible].
	Detail string
	// Offset is the byte offset in the source.
	Offset int
	// More counts further faults of the same entity that are not listed. It is
	// set on the last one listed of an entity, and on a last Problem without
	// entity when a whole file is over the limit.
	More int
}

// Position is a place in the source: 1-based line, 1-based column counted in
// UTF-16 code units, as editors and code hosts do. The zero value means unknown.
type Position struct {
	Line, Column int
}

// Ref names an entity in reports: a finding's or change's subject.
type Ref struct {
	Kind Kind   `json:"kind"`
	Name string `json:"name"`
}

// Location is where a report points to. Line and Column are 1-based, 0 when
// unknown; File is empty for a live server without a place in the tree.
type Location struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}
