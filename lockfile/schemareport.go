package lockfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// opaqueResult collects what happens where differences of structure are not
// reported one by one.
type opaqueResult struct {
	changed bool
	// textsOnly leaves out what means the same, too.
	textsOnly bool
}

// widenedAs is widened where the decision of a reviewer is about another class
// than risk.
func (w *schemaWalk) widenedAs(class Class, old, new *snapshot.Node, format string, args ...any) {
	w.structural(KindSchemaWidened, class, severity.Error, old, new, format, args...)
}

// structural reports a difference of structure.
func (w *schemaWalk) structural(kind string, class Class, level severity.Level, old, new *snapshot.Node, format string, args ...any) {
	w.structures++
	if w.opaque != nil {
		w.opaque.changed = true
		return
	}
	if w.output {
		kind, class, level = KindOutputSchemaChanged, Breaking, severity.Warning
		format = resultWords.Replace(format)
	}
	message := fmt.Sprintf(format, args...)
	if kind == KindSchemaChanged {
		message += "; review the diff of the lock"
	}
	w.report(kind, class, level, Change{
		Path: pointer(w.path), Message: w.sentence(message),
		Before: valueExcerpt(old), After: valueExcerpt(new), Raw: w.raw(),
	})
}

// equivalent reports another spelling of the same meaning: of one keyword where
// the path ends with one, for the others of its schema may differ in more.
func (w *schemaWalk) equivalent(old, new *snapshot.Node) {
	if len(w.path) == w.at+1 {
		keyword := w.path[w.at]
		w.equivalentKeyword(fmt.Sprintf("`%s` of %s", excerpt(keyword), w.subject()), keywordExcerpt(keyword, old), keywordExcerpt(keyword, new))
		return
	}
	w.equivalentAs(old, new, "%s is written differently and means the same")
}

// equivalentKeyword is equivalent for one keyword.
func (w *schemaWalk) equivalentKeyword(what, before, after string) {
	if w.opaque != nil && w.opaque.textsOnly {
		return
	}
	w.report(KindSchemaEquivalent, Additive, severity.Info, Change{
		Path: pointer(w.path), Message: w.sentence(what + " is written differently and means the same"), Before: before, After: after,
	})
}

// keywordExcerpt shows a keyword with its value, "" where it is not there.
func keywordExcerpt(keyword string, value *snapshot.Node) string {
	if value == nil {
		return ""
	}
	return excerpt(keyword+": ") + structureExcerpt(value)
}

// equivalentAs is equivalent in other words, with %s for the subject.
func (w *schemaWalk) equivalentAs(old, new *snapshot.Node, format string) {
	if w.opaque != nil && w.opaque.textsOnly {
		return
	}
	w.report(KindSchemaEquivalent, Additive, severity.Info, Change{
		Path:    pointer(w.path),
		Message: w.sentence(strings.Replace(format, "%s", w.subject(), 1)),
		Before:  structureExcerpt(old), After: structureExcerpt(new),
	})
}

// structureExcerpt shows a schema without its own texts, which have not changed
// or are reported by themselves: so equal changes of many tools look equal.
func structureExcerpt(n *snapshot.Node) string {
	isText := func(name string) bool { return classOf(name) == textKeyword }
	if len(n.Raw()) > largeValue || n.Type() != snapshot.Object ||
		!slices.ContainsFunc(n.Members(), func(m snapshot.Member) bool { return !isText(m.Name) }) {
		return valueExcerpt(n)
	}
	return excerpt(string(canonicalWriter{omit: isText}.value(nil, n)))
}

// textChanged reports a text inside the schema. The last tokens of the path,
// from the schema on, name it.
func (w *schemaWalk) textChanged(old, new *snapshot.Node) {
	if old == nil && w.known[foldLines(new.Text())] {
		return
	}
	key := w.path[w.at:]
	what := fmt.Sprintf("`%s` of %s", excerpt(strings.TrimPrefix(pointer(key), "/")), w.subject())
	c := Change{Path: pointer(w.path)}
	c.Before, c.After, c.Message = textChange(what, old, new)
	c.Message = w.sentence(c.Message)
	w.compareTexts(&c, old, new)
	w.report(KindSchemaTextChanged, Text, severity.Error, c)
}

// newName reports the name of a new entry of a map of definitions: a model
// reads it.
func (w *schemaWalk) newName(name string) {
	w.report(KindSchemaTextChanged, Text, severity.Error, Change{
		Path: pointer(w.path), After: excerpt(name),
		Message: w.sentence(fmt.Sprintf("new name that a model reads: `%s`", excerpt(name))),
	})
}

func (w *schemaWalk) sentence(s string) string {
	if w.output {
		return "output: " + s
	}
	return s
}

// subject names the parameter that the current schema describes.
func (w *schemaWalk) subject() string { return subject(w.path[:w.at]) }

// subject turns the path of a schema into the name that a caller of the tool
// would use: region.z, tags[], env.*; "the object of arguments" for the root.
// What applies under a condition only says so.
func subject(path []string) string {
	var b strings.Builder
	definition, condition, names := "", "", false
	for i := 1; i < len(path); i++ {
		switch token := path[i]; token {
		case "properties", "patternProperties":
			if i++; i < len(path) {
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.WriteString(clip(path[i]))
			}
		case "prefixItems":
			if i++; i < len(path) {
				b.WriteString("[" + path[i] + "]")
			}
		case "items", "contains", "additionalItems", "unevaluatedItems":
			b.WriteString("[]")
		case "additionalProperties", "unevaluatedProperties":
			b.WriteString(".*")
		case "propertyNames":
			names = true
		case "then":
			condition = " where the `if` holds"
		case "else":
			condition = " where the `if` fails"
		case "dependentSchemas", "dependencies":
			if i++; i < len(path) {
				condition = " where `" + excerpt(clip(path[i])) + "` is given"
			}
		case "$defs", "definitions":
			if i++; i < len(path) {
				b.Reset()
				definition = clip(path[i])
			}
		}
	}
	what := subjectOf(b.String(), definition, path) + condition
	if names {
		return "each name in " + what
	}
	return what
}

func subjectOf(name, definition string, path []string) string {
	switch {
	case name == ".*" && definition == "" && path[0] == "outputSchema":
		return "any other member of the result"
	case name == ".*" && definition == "":
		return "any other parameter"
	case strings.HasSuffix(name, ".*") && definition == "":
		return fmt.Sprintf("any other member of `%s`", excerpt(strings.TrimSuffix(name, ".*")))
	case definition != "" && name != "":
		return fmt.Sprintf("`%s` of the definition `%s`", excerpt(name), excerpt(definition))
	case definition != "":
		return fmt.Sprintf("the definition `%s`", excerpt(definition))
	case name != "":
		return "`" + excerpt(name) + "`"
	case len(path) > 0 && path[0] == "outputSchema":
		return "the result"
	}
	return "the object of arguments"
}
