package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// repeat joins n values that are made from their number.
func repeat(n int, value func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = value(i)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// Whatever a server lists, judging it takes time in proportion, no message
// grows with what it quotes, and nothing is shown raw.
//
// It measures processor time, so nothing may run beside it.
func TestHostileListsAreCheap(t *testing.T) {
	same := func(value string) func(int) string { return func(int) string { return value } }
	huge := strings.Repeat("harbour_", 1<<17) // 1 MB
	words := make([]string, 1<<16)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	manyWords := strings.Join(words, " ")
	for name, document := range map[string]string{
		"one name":                 repeat(10_000, same(`{"name":"find_tides","description":"Finds all the tides."}`)),
		"one text":                 repeat(10_000, func(i int) string { return fmt.Sprintf(`{"name":"list_%d","description":"Lists all the tides."}`, i) }),
		"names of a megabyte":      repeat(5, func(i int) string { return fmt.Sprintf(`{"name":"%s%d"}`, huge, i) }),
		"names but for separators": repeat(10_000, func(i int) string { return fmt.Sprintf(`{"name":"a%sb"}`, strings.Repeat("_", i%100)) }),
		"control characters":       repeat(3_000, func(i int) string { return fmt.Sprintf(`{"name":"\u001b[2J\u0000\u202e%d","description":"\u0007"}`, i) }),
		"texts of many words":      repeat(10, func(i int) string { return fmt.Sprintf(`{"name":"find_%d","description":"%s %d"}`, i, manyWords, i) }),
		"many arguments": repeat(10, func(i int) string {
			return fmt.Sprintf(`{"name":"find_%d","description":"Finds tides of day %d.","inputSchema":{"type":"object","properties":{%s}}}`, i, i, members(2_000, `"p#":{}`))
		}),
		"all styles": repeat(1_500, func(i int) string {
			return fmt.Sprintf(`{"name":%q}`, [...]string{"a_b", "a-b", "a.b", "aB", "AaBb"}[i%5]+strings.Repeat("x", i))
		}),
		"prompts that are null":  `{"prompts":` + repeat(20_000, same("null")) + `}`,
		"arguments of one name":  `{"prompts":[{"name":"p","arguments":` + repeat(20_000, same(`{"name":"a"}`)) + `}]}`,
		"arguments without name": `{"prompts":[{"name":"p","arguments":` + repeat(20_000, same(`{"required":"\u202e"}`)) + `}]}`,
		"resources of one URI":   `{"resources":` + repeat(20_000, same(`{"uri":"h"}`)) + `}`,
		"long addresses":         `{"resources":[{"uri":"` + huge + `"}],"resourceTemplates":[{"uriTemplate":"h://` + strings.Repeat("{a}", 1<<18) + `"},{"uriTemplate":"h://\ud800{"}]}`,
		"long instructions":      `{"tools":[],"instructions":"` + strings.Repeat(`\ud83d\udea2\u202e`, 1<<18) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, l := range allPresets(t) {
				start := cpuTime()
				result := lintBytes(t, l, []byte(document))
				if took := cpuTime() - start; took > 5*time.Second {
					t.Errorf("%s took %s", l.Preset(), took)
				}
				checkResult(t, result)
				for _, f := range result.Findings {
					if len(f.Message) > 3_000 {
						t.Fatalf("a message of %s has %d bytes", f.Rule, len(f.Message))
					}
				}
			}
		})
	}
}
