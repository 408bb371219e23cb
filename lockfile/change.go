package lockfile

import (
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Class is the kind of decision a change asks of a reviewer.
type Class string

// The classes; the worst that applies is reported, in this order.
const (
	Risk     Class = "risk"
	Breaking Class = "breaking"
	Text     Class = "text"
	Additive Class = "additive"
)

// rank orders classes, worst first.
func (c Class) rank() int {
	return slices.Index([]Class{Risk, Breaking, Text, Additive}, c)
}

// The kinds of change of the server itself and of tools. Those of prompts,
// resources and resource templates are the same with prompt_, resource_ or
// resource_template_ before them, which replaces tool_ and the definition of
// definition_changed: prompt_added, prompt_description_changed,
// resource_template_changed. duplicate_tool becomes duplicate_prompt.
const (
	KindAnnotationsChanged    = "annotations_changed"
	KindDefinitionChanged     = "definition_changed"
	KindDescriptionChanged    = "description_changed"
	KindDuplicateTool         = "duplicate_tool"
	KindInstructionsChanged   = "instructions_changed"
	KindInstructionsUnchecked = "instructions_unchecked"
	KindMetaChanged           = "meta_changed"
	KindOutputSchemaChanged   = "output_schema_changed"
	KindProfileMismatch       = "profile_mismatch"
	KindSchemaChanged         = "schema_changed"
	KindSchemaEquivalent      = "schema_equivalent"
	KindSchemaTextChanged     = "schema_text_changed"
	KindSchemaWidened         = "schema_widened"
	KindServerChanged         = "server_changed"
	KindTitleChanged          = "title_changed"
	KindToolAdded             = "tool_added"
	KindToolRemoved           = "tool_removed"
	// KindArgumentsChanged exists for prompts only, as prompt_arguments_changed.
	KindArgumentsChanged = "arguments_changed"
)

// changeKind names a change of something of kind k.
func (k *kind) changeKind(base string) string {
	if k.kind == snapshot.KindTool {
		return base
	}
	switch base {
	case KindToolAdded:
		return k.prefix + "_added"
	case KindToolRemoved:
		return k.prefix + "_removed"
	case KindDuplicateTool:
		return "duplicate_" + k.prefix
	case KindDefinitionChanged:
		return k.prefix + "_changed"
	}
	return k.prefix + "_" + base
}

// Change is one difference between a lock and a server. Its JSON form is part
// of the published report format.
//
// Message, Before and After are safe to show: what cannot be seen in a foreign
// text is spelled out by [snapshot.Visible]. Text and Raw are nil where there is
// nothing to compare, and where the changes before it have used up what all of
// them may take together (4 MB).
type Change struct {
	Kind     string         `json:"kind"` // one of the Kind constants, prefixed for other entities than tools
	Class    Class          `json:"class"`
	Severity severity.Level `json:"severity"`
	Entity   snapshot.Ref   `json:"entity"`
	// Path is a JSON pointer inside the entity, "" for the whole. It points
	// into the new definition, or into the old one for what is gone.
	Path    string `json:"path"`
	Message string `json:"message"`
	// Before and After are excerpts of the texts, "" when there is none.
	Before string `json:"before"`
	After  string `json:"after"`
	// Text compares the texts word by word where the change is one of a text that
	// a model or a person reads; the text is new or gone where there is only one.
	Text []Part `json:"text"`
	// Raw compares, line by line, the schema or other value that the change is
	// in, with the lines around it. Changes in one schema have the same.
	Raw []Part `json:"raw"`
	// RenamedFrom is set on tool_added when a removed tool has the same
	// definition but for the name, or the same name in another spelling.
	RenamedFrom string `json:"renamedFrom"`
}

// SortChanges sorts by severity, then by class, worst first. Changes that are
// equal in both keep their order.
func SortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		if c := cmpInt(int(b.Severity), int(a.Severity)); c != 0 {
			return c
		}
		return cmpInt(a.Class.rank(), b.Class.rank())
	})
}

// Worst returns the highest severity, [severity.Off] for no changes.
func Worst(changes []Change) severity.Level {
	worst := severity.Off
	for _, c := range changes {
		worst = max(worst, c.Severity)
	}
	return worst
}
