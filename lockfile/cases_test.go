package lockfile_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// lockCase is one row of testdata/lock-cases.json.
type lockCase struct {
	ID, Title string
	Old, New  lockSide
	Expect    []expected
	May       []expected
	FromFile  bool                         `json:"from_file"`
	Edit      *struct{ Tool, Hash string } `json:"lock_edit"`
}

type lockSide struct {
	ServerInfo   json.RawMessage
	Instructions json.RawMessage
	Command      []string
	Tools        json.RawMessage
}

type expected struct{ Kind, Severity, Tool string }

// matches reports whether every field that is given is equal.
func (e expected) matches(c lockfile.Change) bool {
	return (e.Kind == "" || e.Kind == c.Kind) &&
		(e.Severity == "" || e.Severity == c.Severity.String()) &&
		(e.Tool == "" || c.Entity.Kind == snapshot.KindTool && e.Tool == c.Entity.Name)
}

func (s lockSide) server(t *testing.T, fromFile bool) (*snapshot.Snapshot, lockfile.Launch) {
	t.Helper()
	members := []string{`"tools":` + string(s.Tools)}
	if s.ServerInfo != nil {
		members = append(members, `"serverInfo":`+string(s.ServerInfo))
	}
	switch {
	case s.Instructions != nil:
		members = append(members, `"instructions":`+string(s.Instructions))
	case !fromFile: // a live server has always been asked
		members = append(members, `"instructions":null`)
	}
	var launch lockfile.Launch
	if !fromFile {
		sum := sha256.Sum256([]byte(strings.Join(s.Command, "\x00")))
		launch = lockfile.Launch{Transport: "stdio", SHA256: hex.EncodeToString(sum[:])}
	}
	return parse(t, "{"+strings.Join(members, ",")+"}"), launch
}

func TestCaseTable(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/lock-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []lockCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 135 {
		t.Fatalf("%d cases; expected 135", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			c.check(t)
		})
	}
}

func (c lockCase) check(t *testing.T) {
	old, launch := c.Old.server(t, c.FromFile)
	captured, err := lockfile.Capture(old, launch)
	if err != nil {
		t.Fatal(err)
	}
	var file lockfile.File
	file.Set("server", captured)
	data := file.Encode()
	if c.Edit != nil {
		data = damageHash(t, data, c.Edit.Tool)
	}
	read, err := lockfile.Read("mcp-lint.lock", data)
	if err != nil {
		t.Fatal(err)
	}
	live, launch := c.New.server(t, c.FromFile)
	changes := lockfile.Compare(read.Server("server"), lockfile.Live(live, launch), lockfile.Options{})
	for _, e := range c.Expect {
		found := false
		for _, change := range changes {
			found = found || e.matches(change)
		}
		if !found {
			t.Errorf("%s: expected %+v", c.Title, e)
		}
	}
	for _, change := range changes {
		found := false
		for _, e := range append(c.Expect, c.May...) {
			found = found || e.matches(change)
		}
		if !found {
			t.Errorf("%s: not expected", c.Title)
		}
	}
	if t.Failed() || testing.Verbose() {
		for _, change := range changes {
			t.Logf("%s %s %s%s %s: %s", change.Severity, change.Class, change.Kind, change.Path, change.Entity.Name, change.Message)
		}
	}
}

// damageHash replaces the first digit of the stored hash of a tool.
func damageHash(t *testing.T, lock []byte, tool string) []byte {
	t.Helper()
	text := string(lock)
	at := strings.Index(text, `"`+tool+`": {`)
	at += strings.Index(text[at:], `"sha256": "`) + len(`"sha256": "`)
	digit := "0"
	if text[at] == '0' {
		digit = "1"
	}
	return []byte(text[:at] + digit + text[at+1:])
}
