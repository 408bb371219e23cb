package lockfile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// respelling writes one value in many spellings: other order of members and of
// sets, other numbers of the same value, other escapes, other white space.
type respelling struct {
	*rand.Rand
	plain bool // the first spelling, to be locked
}

// object is a list of members so that generated values have a fixed order.
type object []member

type member struct {
	name  string
	value any
}

// set is an array whose order says nothing.
type set []any

func (r respelling) text(v any) string {
	switch v := v.(type) {
	case object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = r.space() + r.quote(m.name) + ":" + r.space() + r.text(m.value)
		}
		r.shuffle(parts)
		return "{" + strings.Join(parts, ",") + r.space() + "}"
	case set:
		parts := r.texts(v)
		r.shuffle(parts)
		return "[" + strings.Join(parts, ",") + "]"
	case []any:
		return "[" + strings.Join(r.texts(v), ","+r.space()) + "]"
	case int:
		return r.number(v)
	case string:
		return r.quote(v)
	}
	return fmt.Sprint(v) // true, false
}

func (r respelling) texts(vs []any) []string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = r.text(v)
	}
	return parts
}

func (r respelling) shuffle(parts []string) {
	if !r.plain {
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
}

func (r respelling) space() string {
	if r.plain {
		return ""
	}
	return strings.Repeat(" \n", r.IntN(3))
}

func (r respelling) number(n int) string {
	forms := []string{"%d", "%d.0", "%de0", "%d.00E-0", "%d.000e+00"}
	if r.plain {
		return fmt.Sprintf(forms[0], n)
	}
	return fmt.Sprintf(forms[r.IntN(len(forms))], n)
}

func (r respelling) quote(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\n' && !r.plain && r.IntN(2) == 0:
			b.WriteString(`\r\n`)
		case c < ' ' || c == '"' || c == '\\' || !r.plain && c < 0x10000 && r.IntN(4) == 0:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	return `"` + b.String() + `"`
}

// schema generates a schema that uses most keywords.
func schema(r *rand.Rand, depth int) any {
	word := func() string { return []string{"alpha", "béta", "\U0001F600", "two\nlines", "d"}[r.IntN(5)] }
	o := object{{"description", word() + fmt.Sprint(r.IntN(100))}}
	add := func(name string, value any) {
		if r.IntN(2) == 0 {
			o = append(o, member{name, value})
		}
	}
	add("type", set{"string", "null", "object"})
	add("enum", set{"a", 1, true, object{{"x", 1}, {"y", 2}}})
	add("minimum", r.IntN(50))
	add("maxLength", r.IntN(500))
	add("pattern", "^"+strings.ReplaceAll(word(), "\n", " ")) // the end of a line is not respelled here
	add("default", object{{"k", word()}, {"n", r.IntN(9)}})
	add("x-order", r.IntN(10))
	add("examples", []any{word(), r.IntN(10), false})
	add("required", set{"a", "b", "c"})
	add("additionalProperties", false)
	if depth > 0 {
		add("properties", object{{"a", schema(r, depth-1)}, {"b", schema(r, depth-1)}, {"\ue000", schema(r, 0)}, {"\U0001F600", schema(r, 0)}})
		add("items", schema(r, depth-1))
		add("anyOf", set{schema(r, depth-1), object{{"type", "null"}}, object{{"type", "array"}}})
		add("$defs", object{{"D", schema(r, depth-1)}})
		add("not", schema(r, depth-1))
		add("prefixItems", []any{schema(r, depth-1), schema(r, depth-1)})
	}
	return o
}

func definitions(r *rand.Rand) object {
	tool := func(name string) object {
		return object{
			{"name", name}, {"description", "Line one.\nLine two."}, {"title", "T"},
			{"inputSchema", schema(r, 3)}, {"outputSchema", schema(r, 2)},
			{"annotations", object{{"readOnlyHint", true}, {"x", 1}}}, {"_meta", object{{"v", 1}, {"w", []any{1, 2}}}}, {"vendor", []any{1, "x"}},
		}
	}
	return object{
		{"tools", set{tool("a"), tool("b"), tool("\u00e9")}},
		{"prompts", set{object{{"name", "p"}, {"arguments", []any{object{{"name", "x"}, {"required", true}}}}}}},
		{"resources", set{object{{"uri", "r:1"}, {"name", "n"}}, object{{"uri", "r:2"}}}},
		{"instructions", "Be\nkind."},
	}
}

func TestSpellingAndOrderAreNoChange(t *testing.T) {
	t.Parallel()
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := definitions(r)
		old := respelling{r, true}.text(d)
		locked := reread(t, server(t, old))
		for range 3 {
			other := respelling{r, false}.text(d)
			if changes := lockfile.Compare(locked, lockfile.Live(parse(t, other), lockfile.Launch{}), lockfile.Options{}); len(changes) > 0 {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, described(changes), old, other)
			}
		}
	}
}

// Whatever single value is changed, something is reported: there is no silent
// pass.
func TestEveryOtherValueIsAChange(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		d := definitions(r)
		locked := reread(t, server(t, respelling{plain: true}.text(d)))
		scalars := count(d)
		for range 30 {
			i := r.IntN(scalars)
			other := respelling{plain: true}.text(mutate(d, new(i)))
			live := lockfile.Live(parse(t, other), lockfile.Launch{})
			if changes := lockfile.Compare(locked, live, lockfile.Options{}); len(changes) == 0 {
				t.Fatalf("seed %d, value %d: no change\n%s", seed, i, other)
			}
		}
	}
}

// count returns the number of scalars in a value.
func count(v any) int {
	n := 0
	each := func(vs ...any) {
		for _, v := range vs {
			n += count(v)
		}
	}
	switch v := v.(type) {
	case object:
		for _, m := range v {
			each(m.value)
		}
	case set:
		each(v...)
	case []any:
		each(v...)
	default:
		return 1
	}
	return n
}

// mutate returns a copy of v with another value for the scalar number at.
func mutate(v any, at *int) any {
	switch v := v.(type) {
	case object:
		out := make(object, len(v))
		for i, m := range v {
			out[i] = member{m.name, mutate(m.value, at)}
		}
		return out
	case set:
		return set(mutateAll(v, at))
	case []any:
		return mutateAll(v, at)
	}
	*at--
	if *at != -1 {
		return v
	}
	switch v := v.(type) {
	case int:
		return v + 1000
	case string:
		return v + "?"
	case bool:
		return !v
	}
	return v
}

func mutateAll(vs []any, at *int) []any {
	out := make([]any, len(vs))
	for i, v := range vs {
		out[i] = mutate(v, at)
	}
	return out
}
