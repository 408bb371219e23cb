package lockfile

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// hint is an annotation by which a server says how dangerous a tool is.
type hint struct {
	name string
	// safe is the value that claims safety; the other one is the default.
	safe bool
	// claim and denial say what the safe and the unsafe value mean.
	claim, denial string
}

func hints() [4]hint {
	return [...]hint{
		{"readOnlyHint", true, "that it changes nothing", "that it may change things"},
		{"idempotentHint", true, "that repeating a call does no more", "that repeating a call may do more"},
		{"destructiveHint", false, "that it destroys nothing", "that it may destroy things"},
		{"openWorldHint", false, "that it stays in a closed world", "that it reaches out into an open world"},
	}
}

// value reads a hint the way JavaScript clients do, by truthiness.
func (h hint) value(annotations *snapshot.Node) bool {
	n := annotations.Get(h.name)
	if n == nil {
		return !h.safe
	}
	return truthy(n)
}

func truthy(n *snapshot.Node) bool {
	switch n.Type() {
	case snapshot.Missing, snapshot.Null:
		return false
	case snapshot.Bool:
		v, _ := n.Bool()
		return v
	case snapshot.Number:
		return parseDecimal(n.Number()) != decimal{}
	case snapshot.String:
		return n.Text() != ""
	}
	return true
}

// annotations reports all differences of the annotations as one change, the
// worst of them deciding (D12).
func (d *difference) annotations() {
	old, new := d.old.Get("annotations"), d.new.Get("annotations")
	if sameOrEmpty(old, new) {
		return
	}
	level, class := severity.Warning, Additive
	worse := func(l severity.Level, c Class) {
		level = max(level, l)
		if c.rank() < class.rank() {
			class = c
		}
	}
	const most = 10 // differences that are spelled out
	var words, paths []string
	titled := false
	say := func(name, format string, args ...any) {
		if paths = append(paths, name); len(paths) <= most {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	isTool := d.kind.kind == snapshot.KindTool
	inner := d.kind.omitFrom("annotations")
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		if same(o, n) || inner != nil && inner(name) {
			continue
		}
		h, isHint := hintNamed(name)
		switch was, is := h.value(old), h.value(new); {
		case isTool && isHint && was != is && is == h.safe:
			worse(severity.Error, Risk)
			say(name, "the tool now claims %s (%s %s)", h.claim, name, changed(o, n))
		case isTool && isHint && was != is:
			worse(severity.Warning, Risk)
			say(name, "the tool now says %s (%s %s)", h.denial, name, changed(o, n))
		case isTool && name == "destructiveHint" && is:
			worse(severity.Warning, Risk) // said for the first time, though absence means it
			say(name, "the tool now says %s (%s %s)", h.denial, name, changed(o, n))
		case name == "title":
			worse(severity.Error, Text)
			titled = true // said last, for it differs where all else is the same
		case isTool && isHint && (o == nil || n == nil):
			say(name, "annotation %s %s, which is what its absence means", named(name), changed(o, n))
		default:
			say(name, "annotation %s %s", named(name), changed(o, n))
		}
	}
	var title Change
	if titled {
		o, n := old.Get("title"), new.Get("title")
		_, _, title.Message = textChange("the title among the annotations", o, n)
		d.compareTexts(&title, o, n)
		say("title", "%s", title.Message)
	}
	if old.Type() != snapshot.Object && !empty(old) || new.Type() != snapshot.Object && !empty(new) {
		say("", "annotations %s", changed(old, new))
	}
	if words == nil {
		return
	}
	if more := len(paths) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("and %d more differences", more))
	}
	c := Change{
		Path: "/annotations", Message: strings.Join(words, "; "),
		Before: valueExcerpt(old), After: valueExcerpt(new), Text: title.Text, Raw: d.lines(old, new),
	}
	if len(paths) == 1 && paths[0] != "" {
		c.Path = pointer([]string{"annotations", paths[0]})
		c.Before, c.After = valueExcerpt(old.Get(paths[0])), valueExcerpt(new.Get(paths[0]))
	}
	d.report(KindAnnotationsChanged, class, level, c)
}

func hintNamed(name string) (hint, bool) {
	for _, h := range hints() {
		if h.name == name {
			return h, true
		}
	}
	return hint{}, false
}
