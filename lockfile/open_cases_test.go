package lockfile_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// These are public bug reports about locks and the diffs that people review,
// one file each.

func openCase(t *testing.T, name string, to any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "open", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

// openChanges compares before and after of a case.
func openChanges(t *testing.T, name string, ignore ...string) []lockfile.Change {
	t.Helper()
	var c struct{ Before, After json.RawMessage }
	openCase(t, name, &c)
	live := lockfile.Live(parse(t, string(c.After)), lockfile.Launch{})
	return lockfile.Compare(reread(t, server(t, string(c.Before))), live, lockfile.Options{LockIgnore: ignore})
}

func TestOrderIsNoDrift(t *testing.T) {
	t.Parallel()
	if got := openChanges(t, "C082-reorder.json"); len(got) > 0 {
		t.Errorf("%v", described(got))
	}
}

func TestSpellingIsNoDriftAndNormalizationIsNamed(t *testing.T) {
	t.Parallel()
	got := openChanges(t, "C083-bytes.json")
	if diff := cmp.Diff([]string{"error text description_changed tool:nfd /description"}, described(got)); diff != "" {
		t.Fatal(diff)
	}
	if want := "changed in Unicode normalization only: the same letters, composed of other characters (NFC is now NFD)"; !strings.Contains(got[0].Message, want) {
		t.Errorf("got %s", got[0].Message)
	}
}

// The lock is written on one system and checked on another one, where Git made
// its line ends CRLF.
func TestLineEndsOfTheLockAreNoDrift(t *testing.T) {
	t.Parallel()
	var c struct{ Before json.RawMessage }
	openCase(t, "C083-bytes.json", &c)
	s := server(t, string(c.Before))
	var f lockfile.File
	f.Set("k", s)
	windows := strings.ReplaceAll(string(f.Encode()), "\n", "\r\n")
	if got := lockfile.Compare(mustRead(t, []byte(windows)).Server("k"), s, lockfile.Options{}); len(got) > 0 {
		t.Errorf("%v", described(got))
	}
}

func TestProfilesHaveTheirOwnEntries(t *testing.T) {
	t.Parallel()
	var c struct {
		Lock map[string][]string
		Scan struct {
			Profile string
			Tools   []string
		}
	}
	openCase(t, "C085-profiles.json", &c)
	listing := func(profile string, tools []string) *lockfile.Server {
		var list []map[string]string
		for _, name := range tools {
			list = append(list, map[string]string{"name": name})
		}
		s := server(t, encoded(map[string]any{"tools": list}))
		s.Profile = profile
		return s
	}
	var f lockfile.File
	for profile, tools := range c.Lock {
		f.Set(lockfile.ProfileKey("cards", profile), listing(profile, tools))
	}
	read := mustRead(t, f.Encode())
	if diff := cmp.Diff([]string{"reader", "writer"}, read.Profiles("cards")); diff != "" {
		t.Error(diff)
	}
	if change, ok := read.ProfileMismatch("cards", c.Scan.Profile); ok {
		t.Errorf("the same profile: %+v", change)
	}
	live := listing(c.Scan.Profile, c.Scan.Tools)
	if got := lockfile.Compare(read.Server(lockfile.ProfileKey("cards", c.Scan.Profile)), live, lockfile.Options{}); len(got) > 0 {
		t.Errorf("the same profile: %v", described(got))
	}
	for _, other := range []string{"auditor", ""} {
		change, ok := read.ProfileMismatch("cards", other)
		if !ok || change.Kind != lockfile.KindProfileMismatch || !strings.Contains(change.Message, `under profile "reader", profile "writer"`) {
			t.Errorf("profile %q: %v %+v", other, ok, change)
		}
	}
}

func TestChangesHaveTheClassThatReviewersAskFor(t *testing.T) {
	t.Parallel()
	got := described(openChanges(t, "C086-classes.json"))
	want := []string{
		"error text description_changed tool:alpha_read /description",
		"error additive schema_widened tool:alpha_read /inputSchema/properties/depth",
		"error text schema_text_changed tool:alpha_read /inputSchema/properties/depth/description",
		"warning breaking schema_changed tool:alpha_read /inputSchema/properties/mode/enum",
		"warning risk annotations_changed tool:beta_read /annotations/destructiveHint",
		"error breaking schema_widened tool:beta_read /inputSchema/properties/id/type",
		"error risk schema_widened tool:beta_read /inputSchema/properties/path",
		"error text schema_text_changed tool:beta_read /inputSchema/properties/path/description",
		"error risk tool_added tool:gamma_drop ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestConflictMarkersSayWhatToDo(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/open/C088-conflict.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	_, err = lockfile.Read("mcp-lint.lock", data)
	var fault *lockfile.ReadError
	if !errors.As(err, &fault) || fault.Line != 4 || fault.File != "mcp-lint.lock" || !strings.Contains(fault.Message, "`mcp-lint lock`") {
		t.Errorf("got %v", err)
	}
}

// Equal changes of many tools are equal in all but the tool, so that one line
// can say them all and the odd one out stands alone.
func TestMassChangesCanBeGrouped(t *testing.T) {
	t.Parallel()
	groups := map[string][]lockfile.Change{}
	for _, c := range openChanges(t, "C089-mass-change.json") {
		alike := c
		alike.Entity.Name = ""
		groups[encoded(alike)] = append(groups[encoded(alike)], c)
	}
	var got []string
	for _, group := range groups {
		if c := group[0]; len(group) == 1 {
			got = append(got, c.Kind+" "+c.Path+" "+c.Entity.Name)
		} else if len(group) == 30 {
			got = append(got, c.Kind+" "+c.Path+" of all")
		}
	}
	slices.Sort(got)
	want := []string{
		"description_changed /description get_item_17",
		"schema_changed /inputSchema/$schema of all",
		"schema_changed /inputSchema/additionalProperties of all",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(groups) != len(want) {
		t.Errorf("%d groups\n%s", len(groups), diff)
	}
}

func TestVolatileFields(t *testing.T) {
	t.Parallel()
	serverChanged := "info additive server_changed server:s "
	if diff := cmp.Diff([]string{serverChanged, "warning risk meta_changed tool:t_one "}, described(openChanges(t, "C091-volatile.json"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{serverChanged}, described(openChanges(t, "C091-volatile.json", "_meta", "icons"))); diff != "" {
		t.Error(diff)
	}
}
