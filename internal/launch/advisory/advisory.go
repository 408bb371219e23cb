// Package advisory knows which versions of packages are bad: a list that comes
// with the program, one file an entry, and records in the OSV format that its
// user adds (https://ossf.github.io/osv-schema/).
package advisory

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Advisory says that versions of one package are bad.
type Advisory struct {
	ID string
	// Ecosystem is OSV's name of the registry: npm, PyPI, Go …
	Ecosystem string
	Name      string
	// Summary says in some words what is bad, "" when the record does not.
	Summary string
	// Source is the address of a page about it, "" when there is none.
	Source string
	// Date is the day on which it became known, as YYYY-MM-DD; "" for unknown.
	Date string

	all      bool     // every version
	versions []string // single ones, in the form of [Normalize]
	spans    []span
}

// span is a stretch of versions, the bounds as they are written. An empty from
// is the beginning, an empty to is no end.
type span struct {
	from, to string
	closed   bool // to is bad itself
}

// All reports whether no version of the package is good.
func (a *Advisory) All() bool { return a.all }

// Named lists the bad versions that the record names. A stretch of versions is
// named by its first and, where the record has it, its last.
func (a *Advisory) Named() []string {
	named := slices.Clone(a.versions)
	for _, s := range a.spans {
		if s.from != "" {
			named = append(named, Normalize(a.Ecosystem, s.from))
		}
		if s.closed {
			named = append(named, Normalize(a.Ecosystem, s.to))
		}
	}
	return named
}

// Affects reports whether a version, exact and as people write it, is bad.
func (a *Advisory) Affects(version string) bool {
	if a.all {
		return true
	}
	normal := Normalize(a.Ecosystem, version)
	if slices.Contains(a.versions, normal) {
		return true
	}
	return slices.ContainsFunc(a.spans, func(s span) bool { return s.holds(a.Ecosystem, normal) })
}

// After returns the first version from the given one upwards that no stretch of bad
// versions holds, "" when the stretch has no end. Versions that the record lists one
// by one are not looked at.
func (a *Advisory) After(version string) string {
	if a.all {
		return ""
	}
	version = Normalize(a.Ecosystem, version)
	for range len(a.spans) + 1 { // each of them is left once
		i := slices.IndexFunc(a.spans, func(s span) bool { return s.holds(a.Ecosystem, version) })
		switch {
		case i < 0:
			return version
		case a.spans[i].to == "":
			return ""
		case a.spans[i].closed:
			version = nextPatch(a.spans[i].to)
		default:
			version = a.spans[i].to
		}
	}
	return version
}

// holds tells nothing of versions that the ecosystem could not compare.
func (s span) holds(ecosystem, version string) bool {
	if s.from != "" {
		if c, ok := Compare(ecosystem, version, s.from); !ok || c < 0 {
			return false
		}
	}
	if s.to == "" {
		return true
	}
	c, ok := Compare(ecosystem, version, s.to)
	return ok && (c < 0 || c == 0 && s.closed)
}

// List is what is known to be bad. The zero value and nil are empty; a list that
// nobody adds to may be used concurrently.
type List struct {
	strict map[key][]*Advisory
	// loose finds the program's own entries under every spelling of their names.
	loose      map[key][]*Advisory
	ecosystems map[string]bool
	count      int
}

// key is a package: the name in the form of [strictName] or [looseName].
type key struct{ ecosystem, name string }

//go:embed list/*.json
var builtin embed.FS

// Builtin is the list that comes with the program. Its error says which of our
// own files is damaged, which a test rules out.
func Builtin() (*List, error) {
	l := &List{}
	err := fs.WalkDir(builtin, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := builtin.ReadFile(path)
		if err != nil {
			return err
		}
		var r record
		if err := json.Unmarshal(data, &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		advisories, err := r.advisories()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		l.add(advisories)
		for _, a := range advisories {
			if l.loose == nil {
				l.loose = make(map[key][]*Advisory)
			}
			k := key{a.Ecosystem, looseName(a.Name)}
			l.loose[k] = append(l.loose[k], a)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the built-in list: %w", err)
	}
	return l, nil
}

func (l *List) add(advisories []*Advisory) {
	if l.strict == nil {
		l.strict, l.ecosystems = make(map[key][]*Advisory), make(map[string]bool)
	}
	for _, a := range advisories {
		k := key{a.Ecosystem, strictName(a.Ecosystem, a.Name)}
		l.strict[k] = append(l.strict[k], a)
		l.ecosystems[a.Ecosystem] = true
		l.count++
	}
}

// Len is the number of advisories.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return l.count
}

// Of lists what is known about a package, in the order in which it was read.
// Names of the program's own entries are found without regard to -, _, . and
// letter case. A name in records that a user added must be equal by the rules of
// its registry: bad packages are often named like good ones but for a hyphen. Of Go
// a record names a module, and name may be a package in it.
func (l *List) Of(ecosystem, name string) []*Advisory {
	if l == nil {
		return nil
	}
	if ecosystem == "Go" {
		var found []*Advisory
		for ; name != "." && name != "/" && len(found) == 0; name = path.Dir(name) {
			found = l.strict[key{ecosystem, name}]
		}
		return slices.Clip(found)
	}
	found := l.loose[key{ecosystem, looseName(name)}]
	for _, a := range l.strict[key{ecosystem, strictName(ecosystem, name)}] {
		if !slices.Contains(found, a) {
			found = append(slices.Clip(found), a)
		}
	}
	return found
}

// Ecosystems lists the registries that the list says something about, sorted.
func (l *List) Ecosystems() []string {
	if l == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(l.ecosystems))
}

// looseName leaves out of a name what people spell differently.
func looseName(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return r
	}, name))
}

// strictName is equal for the names that a registry takes for one.
func strictName(ecosystem, name string) string {
	switch ecosystem {
	case "PyPI": // PEP 503
		parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
		return strings.Join(parts, "-")
	case "NuGet":
		return strings.ToLower(name)
	case "crates.io":
		return strings.ReplaceAll(strings.ToLower(name), "_", "-")
	}
	return name
}

// String names the advisory, its date and its source.
func (a *Advisory) String() string {
	parts := slices.DeleteFunc([]string{a.ID, a.Date, a.Source}, func(s string) bool { return s == "" })
	return cmp.Or(strings.Join(parts, ", "), "no source")
}
