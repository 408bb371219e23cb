package jsonc

import (
	"fmt"
	"strconv"

	"github.com/tailscale/hujson"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Present reports whether the value exists in the document.
func (v Value) Present() bool { return v.doc != nil }

// Location is where the value starts.
func (v Value) Location() snapshot.Location {
	if v.doc == nil {
		return snapshot.Location{}
	}
	return v.doc.At(v.v.StartOffset)
}

// Span is the bytes of the file that the value is written in, quotation marks
// included.
func (v Value) Span() (start, end int) {
	if v.doc == nil {
		return 0, 0
	}
	return v.doc.skipped + v.v.StartOffset, v.doc.skipped + v.v.EndOffset
}

// Offset is where the value starts, counted as [Places.At] wants it.
func (v Value) Offset() int { return v.v.StartOffset }

// Places turns the document's offsets into lines and columns.
func (v Value) Places() *Places { return v.doc.Places }

// Path is where the value is in the document: servers.files.args[0].
func (v Value) Path() string { return v.path }

// Errorf is an *Error at the value.
func (v Value) Errorf(format string, args ...any) error {
	return &Error{Location: v.Location(), Path: v.path, Message: fmt.Sprintf(format, args...)}
}

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { _, ok := v.v.Value.(*hujson.Object); return ok }

// Literal returns a number, a boolean or null as it is written, false for any
// other value.
func (v Value) Literal() (string, bool) {
	l, ok := v.v.Value.(hujson.Literal)
	if !ok || l.Kind() == '"' {
		return "", false
	}
	return string(l), true
}

// IsArray reports whether the value is an array.
func (v Value) IsArray() bool { _, ok := v.v.Value.(*hujson.Array); return ok }

// IsText reports whether the value is a text.
func (v Value) IsText() bool {
	l, ok := v.v.Value.(hujson.Literal)
	return ok && l.Kind() == '"'
}

// Object returns the members in document order. A duplicate name is an error
// at the second one, and so is a value that is no object.
func (v Value) Object() ([]Member, error) {
	o, ok := v.v.Value.(*hujson.Object)
	if !ok {
		return nil, v.Errorf("expected an object, found %s", v.kind())
	}
	members := v.members(o)
	seen := make(map[string]int, len(members))
	for _, m := range members {
		if first, twice := seen[m.Name]; twice {
			return nil, &Error{Location: m.Location(), Path: m.Value.path,
				Message: fmt.Sprintf("the key stands here for the second time; the first is on line %d", v.doc.At(first).Line)}
		}
		seen[m.Name] = m.nameOffset
	}
	return members, nil
}

// Members returns the members of an object in document order, those of one name
// all of them; nil when the value is no object.
func (v Value) Members() []Member {
	if o, ok := v.v.Value.(*hujson.Object); ok {
		return v.members(o)
	}
	return nil
}

func (v Value) members(o *hujson.Object) []Member {
	members := make([]Member, 0, len(o.Members))
	for _, m := range o.Members {
		name := m.Name.Value.(hujson.Literal).String()
		members = append(members, Member{
			Name:       name,
			Value:      Value{doc: v.doc, v: m.Value, path: join(v.path, name)},
			nameOffset: m.Name.StartOffset,
		})
	}
	return members
}

// Get returns a member of an object; it is absent when the value is no object.
func (v Value) Get(name string) Value {
	if o, ok := v.v.Value.(*hujson.Object); ok {
		for i := range o.Members {
			if o.Members[i].Name.Value.(hujson.Literal).String() == name {
				return Value{doc: v.doc, v: o.Members[i].Value, path: join(v.path, name)}
			}
		}
	}
	return Value{}
}

// Array returns the elements, or an error when the value is no array.
func (v Value) Array() ([]Value, error) {
	a, ok := v.v.Value.(*hujson.Array)
	if !ok {
		return nil, v.Errorf("expected an array, found %s", v.kind())
	}
	elements := make([]Value, 0, len(a.Elements))
	for i, e := range a.Elements {
		elements = append(elements, Value{doc: v.doc, v: e, path: fmt.Sprintf("%s[%d]", v.path, i)})
	}
	return elements, nil
}

// Text returns a text, or an error when the value is something else.
func (v Value) Text() (string, error) {
	if l, ok := v.v.Value.(hujson.Literal); ok && l.Kind() == '"' {
		return l.String(), nil
	}
	return "", v.Errorf("expected a text, found %s", v.kind())
}

// Number returns a number, or an error when the value is something else.
func (v Value) Number() (float64, error) {
	if l, ok := v.v.Value.(hujson.Literal); ok && l.Kind() == '0' {
		f, err := strconv.ParseFloat(string(l), 64)
		if err != nil {
			return 0, v.Errorf("number out of range")
		}
		return f, nil
	}
	return 0, v.Errorf("expected a number, found %s", v.kind())
}

// Texts returns an array of texts.
func (v Value) Texts() ([]string, error) {
	elements, err := v.Array()
	if err != nil {
		return nil, err
	}
	texts := make([]string, 0, len(elements))
	for _, e := range elements {
		t, err := e.Text()
		if err != nil {
			return nil, err
		}
		texts = append(texts, t)
	}
	return texts, nil
}

// TextMap returns an object whose values are texts.
func (v Value) TextMap() (map[string]string, error) {
	members, err := v.Object()
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(members))
	for _, m := range members {
		t, err := m.Value.Text()
		if err != nil {
			return nil, err
		}
		texts[m.Name] = t
	}
	return texts, nil
}

func (v Value) kind() string {
	switch t := v.v.Value.(type) {
	case *hujson.Object:
		return "an object"
	case *hujson.Array:
		return "an array"
	case hujson.Literal:
		switch t.Kind() {
		case '"':
			return "a text"
		case '0':
			return "a number"
		case 't', 'f':
			return "a boolean"
		}
		return "null"
	}
	return "nothing"
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
