package snapshot_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"plain text", `Reads "a file" \ and ~more~`, `Reads "a file" \ and ~more~`},
		{"letters and marks", "café über 漢字 हिन्दी עברית مرحبا", "café über 漢字 हिन्दी עברית مرحبا"},
		{"blanks of other scripts", "a\u00a0: b\u202f! 全\u3000角", "a\u00a0: b\u202f! 全\u3000角"},
		{"other blanks", "a\u2003b\u1680c", `a\u{2003}b\u{1680}c`},
		{"line ends and tab", "a\nb\r\n\tc", `a\nb\r\n\tc`},
		{"terminal controls", "\x1b[2J\x00\x07\x7f\u009b", `\u{1B}[2J\u{0}\u{7}\u{7F}\u{9B}`},
		{"bidi", "a\u202eb\u2066c\u200f", `a\u{202E}b\u{2066}c\u{200F}`},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade", `a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e`},
		{"TAG letters", "a\U000E0041\U000E007F", `a\u{E0041}\u{E007F}`},
		{"line separators", "a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		{"fillers that count as letters", "\u3164\u115f\uffa0\u2800", `\u{3164}\u{115F}\u{FFA0}\u{2800}`},
		{"selectors that select nothing", "a\ufe0fb\U000E0101", `a\u{FE0F}b\u{E0101}`},
		{"private use and unassigned", "\ue000\U0010ffff", `\u{E000}\u{10FFFF}`},
		{"lone surrogates", "a\xed\xa0\xbdb\xed\xbf\xbf", `a\u{D83D}b\u{DFFF}`},
		{"invalid bytes", "a\xffb\xc3", `a\x{FF}b\x{C3}`},
		{"replacement character", "a\ufffdb", "a\ufffdb"},
		{"emoji", "☀️ 👍🏽 ✔︎ ‼️ 1️⃣ 🇩🇪", "☀️ 👍🏽 ✔︎ ‼️ 1️⃣ 🇩🇪"},
		{"emoji that are letters and punctuation", "ℹ️ ℹ︎ ‼︎ ⁉️ 〰️ 〽️", "ℹ️ ℹ︎ ‼︎ ⁉️ 〰️ 〽️"},
		{"emoji that are signs of other kinds", "©️ ™️ ↔️ ◾️ Ⓜ️ ㊗️ 🈂️ 🅰️ 🀄️", "©️ ™️ ↔️ ◾️ Ⓜ️ ㊗️ 🈂️ 🅰️ 🀄️"},
		{"selector behind other letters and punctuation", "ℌ\ufe0f…\ufe0f々\ufe0f", `ℌ\u{FE0F}…\u{FE0F}々\u{FE0F}`},
		{"emoji sequences", "👩‍💻 👨‍👩‍👧 🏳️‍🌈 🏴‍☠️ 🧑🏽‍❤️‍🧑🏻", "👩‍💻 👨‍👩‍👧 🏳️‍🌈 🏴‍☠️ 🧑🏽‍❤️‍🧑🏻"},
		{"two selectors", "☀\ufe0f\ufe0f", "☀\ufe0f" + `\u{FE0F}`},
		{"two joiners", "👩\u200d\u200d💻", `👩\u{200D}\u{200D}💻`},
		{"joiner beside a letter", "👩\u200da", `👩\u{200D}a`},
		{"flags made of TAG letters", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿"},
		{"text behind a black flag", "🏴\U000E0068\U000E0069\U000E007F", `🏴\u{E0068}\u{E0069}\u{E007F}`},
		{"text behind a real flag", "🏴󠁧󠁢󠁥󠁮󠁧󠁿\U000E0068", `🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0068}`},
		{"selector behind a digit", "1\ufe0f2", `1\u{FE0F}2`},
		{"Persian and Indic joiners", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"},
		{"joiner between Latin letters", "a\u200cb", `a\u{200C}b`},
		{"Arabic number sign", "\u0600", "\u0600"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := snapshot.Visible(tt.text); got != tt.want {
				t.Errorf("got  %+q\nwant %+q", got, tt.want)
			}
		})
	}
}

func TestVisibleRewritesEveryControlAlone(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || !unicode.In(r, unicode.Cc, unicode.Co, unicode.Bidi_Control, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			continue
		}
		if got := snapshot.Visible("a" + string(r) + "b"); len(got) < 4 || got[1] != '\\' || got[len(got)-1] != 'b' {
			t.Errorf("U+%04X is shown as %q", r, got)
		}
	}
}
