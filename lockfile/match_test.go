package lockfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

func fileWith(t *testing.T, keys ...string) *lockfile.File {
	t.Helper()
	var f lockfile.File
	for _, key := range keys {
		s := server(t, `{"tools":[]}`)
		if _, profile, ok := strings.Cut(key, "@"); ok {
			s.Profile = profile
		}
		f.Set(key, s)
	}
	return mustRead(t, f.Encode())
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []string
		key  string
		want string
		err  string
	}{
		{"only one, unnamed", []string{"a"}, "", "a", ""},
		{"only one, named", []string{"a"}, "a", "a", ""},
		{"only one, another name", []string{"a"}, "b", "", `has no server "b"; it has "a"`},
		{"several, named", []string{"a", "b"}, "b", "b", ""},
		{"several, unnamed", []string{"b", "a"}, "", "", `holds 2 servers; name one of "a", "b"`},
		{"none", nil, "", "", "holds no server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := fileWith(t, c.keys...).Match(c.key)
			if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestProfileMismatchIsOneWarning(t *testing.T) {
	t.Parallel()
	f := fileWith(t, "a", "a@ci", "b@ci", "b@x@y")
	if diff := cmp.Diff([]string{"", "ci"}, f.Profiles("a")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("b@ci", lockfile.ProfileKey("b", "ci")); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ key, profile, want string }{
		{"a", "", ""}, {"a", "ci", ""}, {"c", "ci", ""},
		{"a", "dev", `under no profile, profile "ci", not under profile "dev"`},
		{"b", "", `under profile "ci", profile "x@y", not under no profile`},
	} {
		change, ok := f.ProfileMismatch(c.key, c.profile)
		if ok != (c.want != "") || !strings.Contains(change.Message, c.want) {
			t.Errorf("%+v: %v %+v", c, ok, change)
		}
		if ok && (change.Kind != "profile_mismatch" || change.Severity.String() != "warning" || change.Entity.Name != c.key) {
			t.Errorf("got %+v", change)
		}
	}
}
