package schemacheck

import (
	"strings"
	"testing"
)

// What is accepted and refused here is what Node 20 does with
// new RegExp(pattern, "u").
func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, ok := range []string{
		"", "^[a-z]+$", `^\d{4}-\d{2}$`, `(?!x)a`, `(?<=x)a`, `(?<!x)a`, `(?<year>\d+)\k<year>`, `(a)\1`, `\1(a)`,
		`[\-\]\\^]`, `[^]`, `[]`, `[a-]`, `[-a]`, `\p{L}`, `\P{Lu}`, `\p{Script=Greek}`, `\p{sc=Grek}`,
		`\p{General_Category=Uppercase_Letter}`, `\p{Emoji}`, `\u{1F600}`, `\u{000001}`, `\ud83d\ude00`, `\u0041`, `\x41`, `\cA`, `\0`,
		`a{2}`, `a{2,}`, `a{2,3}?`, `a*?`, `(?:a|b)+`, `a||b`, `\/`, `[\b]`, `\b\B`, `日本+`, `[日-本]`, `.`, `(?=a)`, `[a-\d-]`[:0],
		`\k<a>(?<a>x)`, `a{00,0}`, `[\u{1F600}-\u{1F64F}]`, `[\d]`, `[.]`, `[(]`, `[{]`,
	} {
		if err := validPattern(ok); err != nil {
			t.Errorf("%q is refused: %v", ok, err)
		}
	}
	for pattern, says := range map[string]string{
		`\-`: `invalid escape \-`, `(?i)x`: "unknown group (?i", `(?i:x)`: "unknown group", `\Z`: `invalid escape \Z`, `\A`: `\A`,
		`(a`: "unterminated group", `a)`: "unmatched )", `[a`: "unterminated character class", `]`: "lone ]", `}`: "lone }", `{`: "lone {",
		`a{`: "lone {", `a{1`: "lone {", `a{,3}`: "lone {", `a{3,2}`: "out of order", `*`: "nothing to repeat", `a**`: "nothing to repeat",
		`^*`: "nothing to repeat", `\b+`: "nothing to repeat", `(?=a)*`: "nothing to repeat", `(?<=a)?`: "nothing to repeat", `a|*`: "nothing to repeat", `(+)`: "nothing to repeat",
		`\2(a)`: `\2 refers to no group`, `\99999999999999999999`: "refers to no group", `\k<b>(?<a>x)`: "refers to no group", `\k`: "without a group name",
		`(?<a>x)(?<a>y)`: "two groups", `(?<1>x)`: "group name", `(?<>x)`: "empty group name", `(?<a`: "unterminated group name", `(?P<a>x)`: "unknown group",
		`[b-a]`: "out of order", `[\d-z]`: "two characters", `[a-\w]`: "two characters", `\p{Foo}`: "unknown property", `\p{Script=Klingon}`: "unknown property", `\pL`: "in braces", `\p{L`: "in braces",
		`\u12`: "four hex digits", `\u{110000}`: "code point", `\u{}`: "code point", `\x4`: "two hex digits", `\c1`: "without a letter", `\00`: "octal", `\01`: "octal",
		`\`: "at the end", `[\`: "at the end", `\e`: `\e`, `\"`: `\"`, `\_`: `\_`, `\a`: `\a`, `[\B]`: `\B`, `\8`: "refers to no group", `[\1]`: `\1`,
		strings.Repeat("(", 2000): "too deeply",
	} {
		if err := validPattern(pattern); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v does not say %q", pattern, err, says)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, seed := range []string{`^(a|b)[c-d]{2,3}$`, `(?<n>\p{L})\k<n>`, `\u{1F600}`, `[\b\cA\x41]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		err := validPattern(pattern)
		// A group around a valid pattern, or an alternative to it, is valid too.
		if err == nil && validPattern("(?:"+pattern+"|x)") != nil {
			t.Errorf("%q is valid alone and not in a group", pattern)
		}
	})
}
