package schemacheck

import (
	"math"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// typeBit gives each type name of JSON Schema a bit, 0 to others.
func typeBit(name string) uint8 {
	switch name {
	case "string":
		return 1
	case "number":
		return 2
	case "integer":
		return 4
	case "object":
		return 8
	case "array":
		return 16
	case "boolean":
		return 32
	case "null":
		return 64
	}
	return 0
}

const typeNames = "array, boolean, integer, null, number, object or string"

func checkType(v *snapshot.Node) *Fault {
	switch v.Type() {
	case snapshot.String:
		if typeBit(v.Text()) == 0 {
			return faultf("%s is no type; expected %s", quote(v.Text()), typeNames)
		}
		return nil
	case snapshot.Array:
	default:
		return expected("a type name or an array of them", v)
	}
	if v.Len() == 0 {
		return faultf("expected at least one type, found an empty array")
	}
	var seen uint8
	for i, e := range v.Elements() {
		bit := typeBit(e.Text())
		switch {
		case bit == 0:
			return faultf("%s is no type; expected %s", shown(e), typeNames).under(strconv.Itoa(i))
		case seen&bit != 0:
			return faultf("type %s is listed twice", e.Text())
		}
		seen |= bit
	}
	return nil
}

// shown names a value in a message: scalars as they are, others by their type.
func shown(v *snapshot.Node) string {
	switch v.Type() {
	case snapshot.String:
		return quote(v.Text())
	case snapshot.Number:
		if len(v.Number()) <= 40 {
			return v.Number()
		}
	}
	return v.Type().String()
}

func checkText(v *snapshot.Node) *Fault {
	if !v.IsText() {
		return expected("a text", v)
	}
	return nil
}

func checkBool(v *snapshot.Node) *Fault {
	if v.Type() != snapshot.Bool {
		return expected("true or false", v)
	}
	return nil
}

// checkNames: an array of different texts.
func checkNames(v *snapshot.Node) *Fault {
	if v.Type() != snapshot.Array {
		return expected("an array of names", v)
	}
	elements := v.Elements()
	for i, e := range elements {
		if !e.IsText() {
			return expected("a name", e).under(strconv.Itoa(i))
		}
	}
	if twin := firstTwin(elements); twin >= 0 {
		return faultf("%s is listed twice", quote(elements[twin].Text()))
	}
	return nil
}

func firstTwin(names []*snapshot.Node) int {
	const few = 16
	if len(names) > few {
		seen := make(map[string]bool, len(names))
		for i, n := range names {
			if seen[n.Text()] {
				return i
			}
			seen[n.Text()] = true
		}
		return -1
	}
	for i := 1; i < len(names); i++ {
		for j := range i {
			if names[i].Text() == names[j].Text() {
				return i
			}
		}
	}
	return -1
}

func checkSize(v *snapshot.Node) *Fault {
	if v.Type() != snapshot.Number || !isInteger(v.Number()) || strings.HasPrefix(v.Number(), "-") && !isZero(v.Number()) {
		return faultf("expected a whole number of at least 0, found %s", shown(v))
	}
	return nil
}

func checkNullable(in, v *snapshot.Node, use usage) *Fault {
	if use == unused {
		return nil
	}
	null, isBool := v.Bool()
	switch t := in.Get("type"); {
	case !isBool:
		return expected("true or false", v)
	case t == nil:
		return faultf("nullable needs a type beside it")
	case !null && allowsNull(t):
		return faultf("nullable is false, but type allows null")
	}
	return nil
}

func allowsNull(t *snapshot.Node) bool {
	for _, e := range t.Elements() {
		if e.Text() == "null" {
			return true
		}
	}
	return t.Text() == "null"
}

func checkPattern(pattern string, use usage) *Fault {
	if use == unused {
		return nil
	}
	if err := validPattern(pattern); err != nil {
		return faultf("%s is no ECMAScript regular expression (unicode mode): %v", quote(pattern), err)
	}
	return nil
}

func isZero(literal string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(literal), "e")
	return !strings.ContainsAny(mantissa, "123456789")
}

func isPositive(literal string) bool { return literal[0] != '-' && !isZero(literal) }

// isInteger reports whether a JSON number has no fraction, however it is
// written: 1.0 and 1e2 have none.
func isInteger(literal string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(literal, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" {
		return true
	}
	e := 0
	if exponent != "" {
		var err error
		if e, err = strconv.Atoi(exponent); err != nil {
			// Out of range: beyond any number of digits.
			e = math.MaxInt / 2
			if exponent[0] == '-' {
				e = math.MinInt / 2
			}
		}
	}
	return len(digits) <= len(whole)+e
}
