package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
	"github.com/owenrumney/go-sarif/v2/sarif"
)

// describeLockRule describes the rule of one kind of lock change.
func describeLockRule(kind string, level severity.Level) *sarif.ReportingDescriptor {
	title, why := lockWords(kind)
	why += " Review the change; if it is wanted, run mcp-lint lock --accept --name=SERVER and commit the lock file."
	d := describe(lockRulePrefix+kind, title, why, level)
	d.HelpURI = ptr(homepage)
	addTags(d, "drift")
	return d
}

// lockWords says in general what a kind of change means. Kinds that it does not
// know are put in the words of their name.
func lockWords(kind string) (title, why string) {
	for _, suffix := range []string{"_added", "_removed"} {
		if what, ok := strings.CutSuffix(kind, suffix); ok {
			what = strings.ReplaceAll(what, "_", " ")
			if suffix == "_added" {
				return "A " + what + " is not in the lock", "A model is offered a " + what + " that nobody has accepted."
			}
			return "A locked " + what + " is gone", "Agents that rely on the " + what + " will fail."
		}
	}
	if what, ok := strings.CutPrefix(kind, "duplicate_"); ok {
		what = strings.ReplaceAll(what, "_", " ")
		return "The name of a " + what + " is used more than once", "Which of them a client takes is a matter of chance."
	}
	switch toolKind(kind) {
	case lockfile.KindDescriptionChanged:
		return "A description differs from the lock", "A description is read by the model as it stands; new words are new instructions."
	case lockfile.KindTitleChanged:
		return "A title differs from the lock", "Titles are shown to people who approve a call and to the model."
	case lockfile.KindInstructionsChanged:
		return "The server's instructions differ from the lock", "Instructions enter the model's context with every conversation."
	case lockfile.KindInstructionsUnchecked:
		return "The instructions could not be compared", "The lock holds instructions, but the file that was checked says nothing about them."
	case lockfile.KindSchemaTextChanged:
		return "Text inside a schema differs from the lock", "Descriptions, defaults and examples in a schema are read by the model like any instruction."
	case lockfile.KindSchemaWidened:
		return "A tool accepts or demands more than the lock says", "New or looser parameters let a model send what nobody agreed to."
	case lockfile.KindSchemaChanged:
		return "An input schema differs from the lock", "Calls that were valid may fail now, or mean something else."
	case lockfile.KindSchemaEquivalent:
		return "A schema is spelled differently but means the same", "Nothing changes for a model."
	case lockfile.KindOutputSchemaChanged:
		return "An output schema differs from the lock", "What agents do with the answer may no longer fit."
	case lockfile.KindAnnotationsChanged:
		return "Annotations differ from the lock", "Clients decide by annotations whether to ask a person before a call."
	case lockfile.KindMetaChanged:
		return "Metadata differs from the lock", "Some hosts act on _meta, icons and execution."
	case lockfile.KindDefinitionChanged:
		return "A definition differs from the lock", "Something in the definition changed that no other rule names."
	case lockfile.KindArgumentsChanged:
		return "Arguments differ from the lock", "What a person or an agent must give is not what was accepted."
	case lockfile.KindServerChanged:
		return "The server is another version or is launched otherwise", "What runs is not what was locked."
	case lockfile.KindProfileMismatch:
		return "The lock has no entry for this profile", "What this profile offers was never accepted."
	}
	return "Changed against the lock: " + strings.ReplaceAll(kind, "_", " "), "Something that a model reads differs from what the lock file holds."
}

// toolKind is the kind of change of a tool that one of a prompt, resource or
// resource template corresponds to.
func toolKind(kind string) string {
	for _, prefix := range []string{"prompt_", "resource_template_", "resource_"} {
		if base, ok := strings.CutPrefix(kind, prefix); ok {
			if base == "changed" {
				return lockfile.KindDefinitionChanged
			}
			return base
		}
	}
	return kind
}
