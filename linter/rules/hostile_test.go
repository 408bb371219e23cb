package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
)

// members joins n members that are made from their number.
func members(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
	}
	return strings.Join(parts, ",")
}

// What a hostile server sends costs time in proportion to its size. Each of
// these takes minutes where one step is quadratic.
func TestHostileSchemasAreCheap(t *testing.T) {
	t.Parallel()
	l, err := linter.New(rules.All(), linter.Config{Preset: linter.Recommended})
	if err != nil {
		t.Fatal(err)
	}
	const n = 200_000
	for name, schema := range map[string]string{
		"required and undeclared":  `{"type":"object","properties":{` + members(n, `"p#":{}`) + `},"required":[` + members(n, `"q#"`) + `]}`,
		"coordinates without mate": `{"type":"object","properties":{` + members(n/2, `"p#":{"properties":{"x":{}}}`) + `}}`,
		"one name in many objects": `{"type":"object","allOf":[` + members(n/2, `{"properties":{"x":{},"a#":{}}}`) + `]}`,
		"the same key":             `{"type":"object","properties":{` + members(n, `"p":{}`) + `}}`,
		"wrong keys":               `{"type":"object","properties":{` + members(n/4, `"p[#]":{}`) + `}}`,
		"wrong defaults":           `{"type":"object","properties":{` + members(n/4, `"p#":{"$ref":"HASH/$defs/A","default":"x"}`) + `},"$defs":{"A":{"allOf":[{"$ref":"HASH/$defs/B"},{"$ref":"HASH/$defs/B"}]},"B":{"type":"integer"}}}`,
		"lists without items":      `{"type":"object","properties":{` + members(n/4, `"p#":{"type":["array","null"],"format":"uri","nullable":true}`) + `}}`,
		"a chain of references":    `{"type":"object","$defs":{` + members(n/8, `"d#":{"$ref":"HASH/$defs/d1#"}`) + `}}`,
		"circles inside circles":   `{"type":"object","$ref":"HASH",` + members(n/8, `"$ref":"HASH"`) + `,"anyOf":[` + members(n/8, `{"items":{"$ref":"HASH/anyOf/#"}}`) + `]}`,
		"references in a circle":   `{"type":"object","properties":{` + members(n/4, `"p#":{"$ref":"HASH/properties/p1"}`) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema = strings.ReplaceAll(schema, "HASH", "#")
			start := time.Now()
			lintBytes(t, l, []byte(`[{"name":"find_tides","description":"Find the tides.","inputSchema":`+schema+`}]`))
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}
