package collect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/rules"
)

// The examples of rules server/* are scripts: the bad one gives that oddity and
// no other, the good one none. And each kind of oddity is a rule.
func TestExamplesOfServerRules(t *testing.T) {
	t.Parallel()
	kinds := []string{
		StdoutNoise, MalformedHTTP, RepeatedSecret, BrokenPaging, MalformedHandshake, ProtocolVersion, RefusedList, UndeclaredRequest, UnrequestedAnswer, UnstableList,
	}
	var ids []string
	for _, rule := range rules.All() {
		if rule.Category() != "server" {
			continue
		}
		ids = append(ids, rule.ID)
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			for script, want := range map[string][]string{rule.Bad: {rule.ID}, rule.Good: nil} {
				got, err := playExample(t, script)
				if err != nil {
					t.Fatalf("%v\n%s", err, script)
				}
				var kinds []string
				for _, o := range got.Oddities {
					kinds = append(kinds, o.Kind)
					if o.Fix == "" || strings.Contains(o.Message, "%!") {
						t.Errorf("%+v", o)
					}
				}
				if !slices.Equal(kinds, want) {
					t.Errorf("oddities %q, want %q:\n%s", kinds, want, script)
				}
			}
		})
	}
	slices.Sort(kinds)
	slices.Sort(ids)
	if !slices.Equal(kinds, ids) {
		t.Errorf("kinds %q, rules %q", kinds, ids)
	}
}

// playExample asks a server that plays an example, over HTTP if it says so; it
// is handed the example's secret.
func playExample(t *testing.T, script string) (*Collected, error) {
	t.Helper()
	var example struct {
		Transport, Secret string
		Server            []struct {
			At, ContentType string
			Reply           json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(script), &example); err != nil {
		t.Fatal(err)
	}
	if example.Transport != "http" {
		c := fakeCommand(t, script)
		c.Env["TOKEN"], c.Secrets = example.Secret, []string{example.Secret}
		return Stdio(t.Context(), c, bare(t))
	}
	return ask(t, &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
		for _, step := range example.Server {
			if step.At == m.Method {
				w.Header().Set("Content-Type", cmp.Or(step.ContentType, "application/json"))
				fmt.Fprint(w, answer(m.ID, string(step.Reply)))
				return true
			}
		}
		return false
	}}, Address{}, remoteOptions())
}
