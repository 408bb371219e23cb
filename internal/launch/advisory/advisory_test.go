package advisory_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
)

// Every entry of ours says what it is about, where that is told, and since when.
func TestBuiltinListIsComplete(t *testing.T) {
	t.Parallel()
	list, err := advisory.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for ecosystem, packages := range map[string]map[string][]string{
		"npm":  {"postmark-mcp": {"1.0.16"}},
		"PyPI": {"litellm": {"1.82.7", "1.82.8", "1.107.0"}},
	} {
		for name, versions := range packages {
			var named []string
			for _, a := range list.Of(ecosystem, name) {
				named = append(named, a.Named()...)
				if a.ID == "" || len(a.Date) != len("2006-01-02") || !strings.HasPrefix(a.Source, "https://") || a.Summary == "" {
					t.Errorf("%s: %+v", name, a)
				}
			}
			for _, v := range versions {
				if !affects(list, ecosystem, name, v) {
					t.Errorf("%s %s is not listed (%v)", name, v, named)
				}
			}
			if len(named) != len(versions) {
				t.Errorf("%s: %v, want %v", name, named, versions)
			}
		}
	}
	if got := list.Ecosystems(); strings.Join(got, " ") != "PyPI npm" {
		t.Errorf("ecosystems %v", got)
	}
}

func affects(l *advisory.List, ecosystem, name, version string) bool {
	for _, a := range l.Of(ecosystem, name) {
		if a.Affects(version) {
			return true
		}
	}
	return false
}

// load writes records to a file and reads them.
func load(t *testing.T, name, content string) (*advisory.List, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	list := &advisory.List{}
	return list, list.Add(path)
}

func TestRecordsLimitVersions(t *testing.T) {
	t.Parallel()
	record := func(ecosystem, limits string) string {
		return `{"id":"T-1","affected":[{"package":{"ecosystem":"` + ecosystem + `","name":"tides"}` + limits + `}]}`
	}
	ranged := func(kind, events string) string {
		return `,"ranges":[{"type":"` + kind + `","events":[` + events + `]}]`
	}
	for name, c := range map[string]struct {
		record    string
		bad, good string
	}{
		"all":                 {record("npm", ``), "1.0.0 0.0.1-beta", ""},
		"all by range":        {record("npm", ranged("SEMVER", `{"introduced":"0"}`)), "1.0.0 99.0.0", ""},
		"versions":            {record("npm", `,"versions":["1.0.0","2.0.0"]`), "1.0.0 v1.0.0 1.0.00 2.0.0+x", "1.0.1"},
		"fixed":               {record("npm", ranged("SEMVER", `{"introduced":"1.2.0"},{"fixed":"1.3.0"}`)), "1.2.0 1.2.9", "1.1.9 1.3.0 1.3.1"},
		"last affected":       {record("npm", ranged("SEMVER", `{"introduced":"1.2.0"},{"last_affected":"1.3.0"}`)), "1.2.0 1.3.0", "1.3.1"},
		"unordered events":    {record("npm", ranged("SEMVER", `{"fixed":"3.0.0"},{"introduced":"2.0.0"},{"fixed":"1.0.1"},{"introduced":"0"}`)), "0.0.1 1.0.0 2.5.0", "1.0.1 1.9.0 3.0.0"},
		"pre-release":         {record("npm", ranged("SEMVER", `{"introduced":"1.0.0-alpha"},{"fixed":"1.0.0"}`)), "1.0.0-beta", "1.0.0 0.9.0"},
		"Python":              {record("PyPI", ranged("ECOSYSTEM", `{"introduced":"1.0"},{"fixed":"1.10"}`)), "1.0 1.9.post1 1.10rc1 0!1.2 1.2+local", "1.10 0.9"},
		"Go":                  {record("Go", ranged("SEMVER", `{"introduced":"0"},{"fixed":"1.2.0"}`)), "v1.1.9 v0.0.0-20240101000000-abcdefabcdef", "v1.2.0"},
		"RubyGems":            {record("RubyGems", ranged("ECOSYSTEM", `{"introduced":"1.0"},{"fixed":"1.2.3.4"}`)), "1.2.3.3", "1.2.3.4"},
		"gems before release": {record("RubyGems", ranged("ECOSYSTEM", `{"introduced":"6.0.0.beta1"},{"fixed":"6.0.3.1"}`)), "6.0.0.beta1 6.0.0.rc2 6.0.3", "5.9 6.0.0.alpha 6.0.3.1"},
		"Maven qualifiers":    {record("Maven", ranged("ECOSYSTEM", `{"introduced":"5.0.0.RELEASE"},{"fixed":"5.3.18.Final"}`)), "5.0.0 5.2.1.RELEASE 5.3.17", "4.9.9.RELEASE 5.3.18.Final 5.3.19"},
		"Maven milestones":    {record("Maven", ranged("ECOSYSTEM", `{"introduced":"3.0.0-M1"},{"last_affected":"3.0.0-rc2"}`)), "3.0.0-M2", "3.0.0 r03"},
		"old Python":          {record("PyPI", ranged("ECOSYSTEM", `{"introduced":"2004d"},{"fixed":"2005"}`)+`,"versions":["2004d"]`), "2004d", "2005 2003"},
		"commits only":        {record("npm", ranged("GIT", `{"introduced":"0"}`)), "", "1.0.0"},
		"not a version":       {record("npm", ranged("SEMVER", `{"introduced":"1.0.0"}`)), "", "newest"},
		"withdrawn":           {strings.Replace(record("npm", ``), `"affected"`, `"withdrawn":"2026-01-01T00:00:00Z","affected"`, 1), "", "1.0.0"},
		"no version":          {record("npm", ranged("SEMVER", `{"introduced":"0"},{"fixed":"1.0.0"}`)+`,"versions":["5.0.0"]`), "0.9.0 5.0.0", "1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := load(t, "record.json", c.record)
			if err != nil {
				t.Fatal(err)
			}
			for _, ecosystem := range []string{"npm", "PyPI", "Go", "RubyGems", "Maven"} {
				if !strings.Contains(c.record, `"`+ecosystem+`"`) {
					continue
				}
				for v := range strings.FieldsSeq(c.bad) {
					if !affects(list, ecosystem, "tides", v) {
						t.Errorf("%s is not bad", v)
					}
				}
				for v := range strings.FieldsSeq(c.good) {
					if affects(list, ecosystem, "tides", v) {
						t.Errorf("%s is bad", v)
					}
				}
			}
		})
	}
}

func TestAfterAStretch(t *testing.T) {
	t.Parallel()
	list, err := load(t, "record.json", `{"id":"T-1","affected":[{"package":{"ecosystem":"npm","name":"tides"},"ranges":[{"type":"SEMVER","events":[
		{"introduced":"1.2.0"},{"fixed":"1.3.0"},{"introduced":"2.0.0"},{"last_affected":"2.1.4"},{"introduced":"3.0.0"}]}]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	a := list.Of("npm", "tides")[0]
	for version, want := range map[string]string{
		"1.1.9": "1.1.9", "1.2.0": "1.3.0", "1.2.9": "1.3.0", "1.3.1": "1.3.1", "2.0.7": "2.1.5", "2.1.4": "2.1.5", "2.1.5": "2.1.5", "3.0.0": "", "9.0.0": "",
	} {
		if got := a.After(version); got != want {
			t.Errorf("after %s: %q, want %q", version, got, want)
		}
	}
}

// Bad packages are named like good ones. Only our own list forgives spellings.
func TestNamesOfRecordsAreTheRegistrys(t *testing.T) {
	t.Parallel()
	list, err := load(t, "all.jsonl", `{"id":"T-1","affected":[{"package":{"ecosystem":"npm","name":"lo-dash"}}]}
{"id":"T-2","affected":[{"package":{"ecosystem":"PyPI","name":"Friendly_Bard"}}]}
{"id":"T-3","affected":[{"package":{"ecosystem":"Debian:12","name":"lodash"}}]}
{"id":"T-4","affected":[{"package":{"ecosystem":"Maven:https://repo.example/","name":"org.acme:tides"}}]}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ecosystem, name string
		found           bool
	}{
		{"npm", "lo-dash", true}, {"npm", "lodash", false}, {"npm", "lo_dash", false}, {"PyPI", "lo-dash", false},
		{"PyPI", "friendly.bard", true}, {"PyPI", "FRIENDLY--BARD", true}, {"PyPI", "friendlybard", false},
		{"Debian", "lodash", false}, {"Maven", "org.acme:tides", true},
	} {
		if got := len(list.Of(c.ecosystem, c.name)) > 0; got != c.found {
			t.Errorf("%s %s: found %t", c.ecosystem, c.name, got)
		}
	}
	if list.Len() != 3 {
		t.Errorf("%d advisories", list.Len())
	}
}

func TestSourcesOfRecords(t *testing.T) {
	t.Parallel()
	one := func(n int) string {
		return fmt.Sprintf(`{"id":"T-%d","summary":"bad %[1]d","published":"2026-02-03T04:05:06Z","affected":[{"package":{"ecosystem":"npm","name":"p%[1]d"}}],`+
			`"references":[{"type":"WEB","url":"https://example.com/a"},{"type":"ADVISORY","url":"https://example.com/%[1]d"}]}`, n)
	}
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("folder/a/1.json", one(1))
	write("folder/b/2.JSON", "\xef\xbb\xbf "+one(2))
	write("folder/notes.txt", "no record")
	write("folder/more.jsonl", one(3)+"\n\n"+one(4))
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for n := range 5 {
		w, err := z.Create(fmt.Sprintf("osv/npm/%d.json", n))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(one(n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		write("one.json", one(7)):                              1,
		write("array.json", "[\n"+one(1)+",\n"+one(2)+"\n]\n"): 2,
		write("lines.jsonl", one(1)+"\n"+one(2)+"\r\n"+one(3)): 3,
		filepath.Join(dir, "folder"):                           4,
		write("dump.zip", zipped.String()):                     5,
	} {
		list := &advisory.List{}
		if err := list.Add(path); err != nil || list.Len() != want {
			t.Errorf("%s: %d advisories, %v; want %d", path, list.Len(), err, want)
		}
	}
	list := &advisory.List{}
	if err := list.Add(filepath.Join(dir, "one.json")); err != nil {
		t.Fatal(err)
	}
	if a := list.Of("npm", "p7")[0]; a.String() != "T-7, 2026-02-03, https://example.com/7" || a.Summary != "bad 7" {
		t.Errorf("%s: %s", a, a.Summary)
	}
}

func TestDamagedRecordsAreNamed(t *testing.T) {
	t.Parallel()
	good := `{"id":"T-1","affected":[]}`
	for content, want := range map[string]string{
		"":                        "no record; expected records in the OSV format",
		"[]":                      "no record; expected",
		good + "\n" + `{"id":""}`: "records.json: record 2: expected an OSV record with an id",
		`[` + good + `, 7]`:       "record 2: found a JSON number; expected a record",
		`[` + good:                "it ends in the middle",
		good + ` nonsense`:        "record 2: no JSON",
		`{"id":"T","affected":[{"package":{"ecosystem":"npm"}}]}`:                                                                                         `record 1: "T": affected[0]: package: expected an ecosystem and a name`,
		`{"id":"T","affected":[{"package":7}]}`:                                                                                                           "affected.package: found a JSON number",
		`{"id":"T","affected":[{"package":{"ecosystem":"npm","name":"a"},"ranges":[{"type":"SEMVER","events":[{}]}]}]}`:                                   "ranges[0]: events[0]: expected introduced",
		`{"id":"T","affected":[{"package":{"ecosystem":"npm","name":"a"},"ranges":[{"type":"SEMVER","events":[{"introduced":"x"},{"fixed":"1.0.0"}]}]}]}`: "is no version of npm",
	} {
		if _, err := load(t, "records.json", content); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "records.json") {
			t.Errorf("%.80s: %v, want %q", content, err, want)
		}
	}
	list := &advisory.List{}
	if err := list.Add(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("%v", err)
	}
	if _, err := load(t, "x.zip", "no archive"); err == nil || !strings.Contains(err.Error(), "expected a .zip") {
		t.Errorf("%v", err)
	}
	long := `{"id":"T","details":"` + strings.Repeat("x", 17<<20) + `"}`
	if _, err := load(t, "long.json", long); err == nil || !strings.Contains(err.Error(), "more than 16 MB") {
		t.Errorf("%v", err)
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"npm", "v1.0.16", "1.0.16"}, {"npm", "1.0.016", "1.0.16"}, {"npm", "1.0.16+build.7", "1.0.16"}, {"npm", "1.0.16-beta.0", "1.0.16-beta.0"},
		{"PyPI", "1.107.0", "1.107"}, {"PyPI", "0!1.82.8", "1.82.8"}, {"PyPI", "1.82.07", "1.82.7"}, {"PyPI", "1.0-alpha1", "1a1"},
		{"PyPI", "1.0.0+cu118", "1"}, {"npm", "0.0.0", "0"}, {"npm", "", ""}, {"npm", "NEXT", "next"},
	} {
		if got := advisory.Normalize(c[0], c[1]); got != c[2] {
			t.Errorf("%s %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func FuzzRecords(f *testing.F) {
	f.Add(`{"id":"T","affected":[{"package":{"ecosystem":"PyPI","name":"a"},"versions":["1"],"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"},{"fixed":"1.0"}]}]}]}`)
	f.Add(`[{"id":"T","withdrawn":"x"}]`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content string) {
		path := filepath.Join(dir, "records.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		list := &advisory.List{}
		if err := list.Add(path); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
		for _, a := range list.Of("PyPI", "a") {
			a.Affects("1.0")
		}
	})
}

// The libraries of the registries meet what anybody writes into a command line.
func FuzzCompare(f *testing.F) {
	f.Add("1.0.0-rc.1", "2.0.0.RELEASE")
	f.Add("6.0.0.beta1", "1!2.0.post1+local")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, ecosystem := range []string{"npm", "PyPI", "Go", "crates.io", "NuGet", "RubyGems", "Maven"} {
			_, ok := advisory.Compare(ecosystem, a, b)
			if _, back := advisory.Compare(ecosystem, b, a); ok != back {
				t.Errorf("%s: %q and %q compare in one direction only", ecosystem, a, b)
			}
		}
	})
}

// dump is as large as what is published of malicious packages in one registry.
func dump(n int) string {
	var b strings.Builder
	for i := range n {
		record := map[string]any{
			"id": fmt.Sprintf("MAL-2026-%d", i), "published": "2026-02-03T04:05:06Z", "summary": "Malicious code in a package (npm)",
			"details":  strings.Repeat("The package was found to send environment variables to a host. ", 20),
			"affected": []any{map[string]any{"package": map[string]string{"ecosystem": "npm", "name": fmt.Sprintf("bad-%d", i)}, "versions": []string{"1.0.0", "1.0.1", "1.0.2"}}},
		}
		data, err := json.Marshal(record)
		if err != nil {
			panic(err)
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.String()
}

func BenchmarkAdd10000Records(b *testing.B) {
	path := filepath.Join(b.TempDir(), "dump.jsonl")
	content := dump(10_000)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		list := &advisory.List{}
		if err := list.Add(path); err != nil || list.Len() != 10_000 {
			b.Fatal(list.Len(), err)
		}
	}
}
