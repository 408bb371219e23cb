package lockfile_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

func TestCaptureRefusesWhatALockCannotHold(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)
	for _, c := range []struct{ name, text, want string }{
		{"duplicate tool", `{"tools":[{"name":"a"},{"name":"b"},{"name":"a"}]}`, `cannot lock: more than one tool is named "a"; expected each name once`},
		{"duplicate resource", `{"resources":[{"uri":"r:1"},{"uri":"r:1"}]}`, `more than one resource is named "r:1"`},
		{"two prompts without names", `{"prompts":[{},{}]}`, `more than one prompt is named ""`},
		{"too deep", `{"tools":[{"name":"a","x":` + deep + `}]}`, `cannot lock: tool "a" nests 71 levels deep, at /x/a/a`},
		{"key twice", `{"tools":[{"name":"a","inputSchema":{"properties":{"p":{"type":"string","type":"number"}}}}]}`,
			`cannot lock: tool "a" has the key "type" more than once in one object, at /inputSchema/properties/p/type; expected each key once`},
		{"key twice outside the lists", `{"tools":[],"instructions":"a","instructions":"b"}`, `cannot lock: the snapshot has the key "instructions" more than once`},
		{"hidden characters are shown", `{"tools":[{"name":"a\u202e"},{"name":"a\u202e"}]}`, `named "a\u{202E}"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := parse(t, c.text)
			_, err := lockfile.Capture(s, lockfile.Launch{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			lockfile.Compare(nil, lockfile.Live(s, lockfile.Launch{}), lockfile.Options{}) // never refuses
		})
	}
}

func TestInstructionsSurviveARefreshThatDoesNotKnowThem(t *testing.T) {
	t.Parallel()
	locked := reread(t, server(t, `{"tools":[],"instructions":"Use it well."}`))
	refreshed := server(t, `{"tools":[]}`)
	refreshed.KeepInstructions(locked)
	if refreshed.Instructions != "Use it well." {
		t.Errorf("got %q", refreshed.Instructions)
	}
	told := server(t, `{"tools":[],"instructions":null}`)
	told.KeepInstructions(locked)
	if told.Instructions != "" {
		t.Errorf("got %q from a server that says it has none", told.Instructions)
	}
	refreshed.KeepInstructions(nil)
}

func TestLoneSurrogatesCanBeLocked(t *testing.T) {
	t.Parallel()
	if got := compareTexts(t, `{"tools":[{"name":"a\ud800","description":"\udc00"}]}`, `{"tools":[{"name":"a\uD800","description":"\uDC00"}]}`); len(got) > 0 {
		t.Errorf("%v", described(got))
	}
}
