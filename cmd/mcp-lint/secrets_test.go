package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// secretCase is one command line whose every trace is searched for secrets.
type secretCase struct {
	args []string // $REMOTE, $REMOTE_HOST, $HEARD and the like are looked up; so in files
	// files stand in the folder before. What is left of them unchanged is not
	// searched: they are the user's own.
	files map[string]string
	// reached are the places whose secrets must have reached the server, else the
	// case shows nothing.
	reached []string
	codes   []int    // the exit codes that are right; none means 0 and 1
	says    string   // must be in what the command printed or wrote
	pinned  []string // files that the command rewrites, with the user's secrets in them
	// silent: what the server's tools say must not be printed either, as where a
	// lock is refused.
	silent bool
	// stdin is what the command reads.
	stdin string
}

// secretCases are the cases of each command; "" is the short form.
func secretCases() map[string][]secretCase {
	return map[string][]secretCase{
		"":             shortSecretCases(),
		"run":          runSecretCases(),
		"check":        checkSecretCases(),
		"check-config": checkConfigSecretCases(),
		"lock":         lockSecretCases(),
		"ci":           ciSecretCases(),
		"survey":       surveySecretCases(),
		"pin":          pinSecretCases(),
		"init":         {{args: []string{"init"}, files: clientFiles(), says: "servers found here"}},
		"rules":        {{args: []string{"rules"}, files: clientFiles(), says: "server/repeated-secret"}},
		"version":      {{args: []string{"version"}, files: clientFiles()}},
		"help":         {{args: []string{"help", "run"}, says: "--pass-env"}},
	}
}

// A secret that a command was handed is in nothing that it prints, writes or
// leaves behind, whatever the server does with it and however it is written.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	cases := secretCases()
	known := []string{""}
	for _, cmd := range (&app{}).root().Commands() {
		known = append(known, cmd.Name())
		if len(cases[cmd.Name()]) == 0 {
			t.Errorf("%s has no case: expected one for every command", cmd.Name())
		}
	}
	for name, list := range cases {
		if !slices.Contains(known, name) {
			t.Errorf("there are cases for %s, which is no command", name)
		}
		for i, c := range list {
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				t.Parallel()
				playSecretCase(t, c)
			})
		}
	}
}

func playSecretCase(t *testing.T, c secretCase) {
	h := newHideout(t, c.files)
	args := make([]string, len(c.args))
	for i, arg := range c.args {
		args[i] = h.expand(arg)
	}
	code, printed := h.run(c.stdin, args...)
	codes := c.codes
	if codes == nil {
		codes = []int{exitClean, exitFindings}
	}
	if !slices.Contains(codes, code) {
		t.Errorf("exit code %d, want one of %v", code, codes)
	}
	heard := h.heard()
	for _, place := range c.reached {
		if !holds([]byte(heard), place) {
			t.Errorf("the secret of %s did not reach the server: the case shows nothing", place)
		}
	}
	if holds([]byte(heard), "unpassed") {
		t.Error("a variable that nobody passed on reached the server")
	}
	traces := h.traces(c.pinned)
	traces["what it printed"] = printed
	shown := false
	for name, data := range traces {
		shown = shown || strings.Contains(string(data), c.says)
		for _, place := range secretPlaces() {
			if holds(data, place) || holds([]byte(name), place) {
				t.Errorf("the secret of %s is in %s:\n%s", place, name, around(data, place))
			}
		}
		if c.silent && strings.Contains(string(data), textMarker) {
			t.Errorf("what a tool says is in %s", name)
		}
	}
	if !shown {
		t.Errorf("%q is nowhere", c.says)
	}
	if t.Failed() {
		t.Logf("%q printed:\n%.3000s", args, printed)
	}
}

// The search finds what it is meant to find.
func TestSecretsAreFound(t *testing.T) {
	t.Parallel()
	s := secretOf("option")
	for _, data := range []string{s, strings.ToUpper(s), forms([]string{"x" + s}), reversed(s), `{"a":"` + s[:len(s)-3] + `"}`} {
		if !holds([]byte(data), "option") {
			t.Errorf("not found in %s", data)
		}
	}
	for shift := range 3 {
		if encoded := base64Of(strings.Repeat("x", shift) + s); !holds([]byte(encoded), "option") {
			t.Errorf("not found in %s", encoded)
		}
	}
	if holds([]byte(forms([]string{secretOf("equals")})), "option") {
		t.Error("found where it is not")
	}
}
