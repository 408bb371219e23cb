package schemacheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

const (
	// maxJudged and maxJudgedDepth bound what the library is given: its queue
	// is searched from the start for every sub-schema, and it keeps a pointer
	// text for each. Real schemas that need it have under 2,000 values.
	maxJudged      = 5_000
	maxJudgedDepth = snapshot.MaxDepth

	// root is the schema's own address. Nothing is ever loaded from it.
	root = "https://mcp-lint.invalid/schema"
)

// judge asks the library. A schema on which it fails is unchecked: it is not
// written for hostile ones (a number like 1e999999999 ends it, see [number]).
func judge(schema *snapshot.Node, d Dialect, patterns jsonschema.RegexpEngine) (fault *Fault) {
	defer func() {
		if r := recover(); r != nil {
			fault = &Fault{Reason: "the validator failed on it", Unchecked: true}
		}
	}()
	conv := converter{}
	doc := conv.value(schema)
	if conv.values > maxJudged || schema.Depth() > maxJudgedDepth {
		return &Fault{
			Reason:    fmt.Sprintf("it is too large to be checked (over %d values or %d levels)", maxJudged, maxJudgedDepth),
			Unchecked: true,
		}
	}
	if err := compile(doc, d, patterns); err != nil {
		return explain(err)
	}
	return nil
}

// compile is the library's verdict on a schema without its root $schema.
func compile(doc any, d Dialect, patterns jsonschema.RegexpEngine) error {
	c := jsonschema.NewCompiler()
	c.DefaultDraft([...]*jsonschema.Draft{
		jsonschema.Draft2020, jsonschema.Draft2019, jsonschema.Draft7, jsonschema.Draft6, jsonschema.Draft4,
	}[d])
	c.UseLoader(refuse{})
	c.UseRegexpEngine(patterns)
	if err := c.AddResource(root, doc); err != nil {
		return err
	}
	_, err := c.Compile(root)
	return err
}

// refuse is a loader that loads nothing: by default the library reads file://
// references from the disk.
type refuse struct{}

func (refuse) Load(string) (any, error) {
	return nil, errors.New("a schema of a tool must be complete: nothing is loaded from elsewhere")
}

// checkedPattern accepts what is a regular expression, without running it.
func checkedPattern(pattern string) (jsonschema.Regexp, error) {
	return &unrunPattern{pattern}, validPattern(pattern)
}

// acceptPattern accepts everything: whether it is a regular expression, our own
// pass has said where it matters.
func acceptPattern(pattern string) (jsonschema.Regexp, error) {
	return &unrunPattern{pattern}, nil
}

type unrunPattern struct{ text string }

func (p *unrunPattern) String() string { return p.text }

func (*unrunPattern) MatchString(string) bool { return false }

// explain turns the library's error into a fault.
func explain(err error) *Fault {
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) {
		var v *jsonschema.ValidationError
		if errors.As(invalid.Err, &v) {
			for len(v.Causes) > 0 {
				v = v.Causes[0]
			}
			f := &Fault{Reason: snapshot.Visible(v.ErrorKind.LocalizedString(message.NewPrinter(language.English)))}
			if format, ok := v.ErrorKind.(*kind.Format); ok {
				f.Reason = "expected a " + format.Want
			}
			for i := len(v.InstanceLocation) - 1; i >= 0; i-- {
				f.under(v.InstanceLocation[i])
			}
			// The library may have validated a sub-schema only.
			if _, fragment, ok := strings.Cut(invalid.URL, "#"); ok {
				f.Pointer = fragment + f.Pointer
			}
			return f
		}
	}
	return &Fault{Reason: snapshot.Visible(strings.ReplaceAll(err.Error(), root, ""))}
}

// converter builds what the library works on, leaving out what it judges by
// other rules than Ajv does and our own pass has judged before: $schema below
// the root, and the values of an enum.
type converter struct{ values int }

func (c *converter) value(n *snapshot.Node) any {
	if c.values++; c.values > maxJudged {
		return nil
	}
	switch n.Type() {
	case snapshot.Object:
		object := make(map[string]any, n.Len())
		for _, m := range n.Members() {
			switch {
			case m.Name == "$schema" && m.Value.IsText():
			case m.Name == "enum" && m.Value.Type() == snapshot.Array:
				object[m.Name] = []any{nil}
			default:
				object[m.Name] = c.value(m.Value)
			}
		}
		return object
	case snapshot.Array:
		array := make([]any, 0, n.Len())
		for _, e := range n.Elements() {
			array = append(array, c.value(e))
		}
		return array
	case snapshot.String:
		return n.Text()
	case snapshot.Number:
		return number(n.Number())
	case snapshot.Bool:
		v, _ := n.Bool()
		return v
	}
	return nil
}

// number keeps what a meta-schema can ask of a number (sign, zero, fraction)
// but not an exponent of millions, which the library would write out.
func number(literal string) json.Number {
	const most = 300
	if len(literal) <= most && !strings.ContainsAny(literal, "eE") {
		return json.Number(literal)
	}
	sign := ""
	if literal[0] == '-' {
		sign = "-"
	}
	switch {
	case isZero(literal):
		return "0"
	case isInteger(literal):
		return json.Number(sign + "1")
	}
	return json.Number(sign + "0.5")
}
