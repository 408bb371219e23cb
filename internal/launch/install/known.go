package install

import (
	"net/url"
	"path"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
)

// compare marks a package that is known to be bad, by its name or by that of the
// archive that w names.
func (r *reader) compare(f *found, w word) {
	if a, version := r.matches(f.Ecosystem, f.Name, f.Spec); a != nil {
		f.Class, f.advisory, f.version = KnownBad, a, version
		return
	}
	if f.Ecosystem != URL && f.Ecosystem != Git && f.Ecosystem != Local {
		return
	}
	if file, a := r.badFile(w.text); a != nil {
		f.Class, f.advisory, f.version = KnownBad, a, file.version
		f.Ecosystem, f.Name, f.Spec = file.ecosystem, file.name, file.version
	}
}

// matches returns what is known of a package under a spec. version is the bad
// one that the spec asks for, "" when all are bad.
func (r *reader) matches(of Ecosystem, name, spec string) (a *advisory.Advisory, version string) {
	known := r.bad.Of(string(of), name)
	if len(known) == 0 {
		return nil, ""
	}
	if v, ok := exact(of, spec); ok {
		for _, a := range known {
			if a.Affects(v) {
				return a, v
			}
		}
		return nil, ""
	}
	within := limitsOf(of, spec)
	for _, a := range known {
		if a.All() {
			return a, ""
		}
		// A stretch of versions names few; the spec's own bounds may be bad too.
		candidates := a.Named()
		for _, bound := range bounds(spec) {
			if a.Affects(bound) {
				candidates = append(candidates, bound)
			}
		}
		for _, bad := range candidates {
			if pins(of, within, bad, a.After) {
				return a, bad
			}
		}
	}
	return nil, ""
}

// bounds are the versions that a range names.
func bounds(spec string) []string {
	if len(spec) > longestSpec {
		return nil
	}
	return strings.FieldsFunc(spec, func(r rune) bool { return strings.ContainsRune("<>=!~^,| ", r) })
}

// file is what the name of an archive says of what is in it.
type file struct {
	ecosystem     Ecosystem
	name, version string
}

// archives are the endings of packages, with the registries that use them.
func archives() []struct {
	ending     string
	ecosystems []Ecosystem
} {
	return []struct {
		ending     string
		ecosystems []Ecosystem
	}{
		{".whl", []Ecosystem{PyPI}},
		{".tgz", []Ecosystem{NPM}},
		{".tar.gz", []Ecosystem{PyPI, NPM, Crates}},
		{".zip", []Ecosystem{PyPI, NPM}},
		{".gem", []Ecosystem{RubyGems}},
		{".crate", []Ecosystem{Crates}},
	}
}

// filesIn reads the name of an archive, at the end of a path or a URL. Where the
// name ends and the version begins is not always clear: all readings are given.
func filesIn(place string) []file {
	place, _, _ = strings.Cut(place, "#")
	place, _, _ = strings.Cut(place, "?")
	if plain, err := url.PathUnescape(place); err == nil {
		place = plain
	}
	place = strings.ReplaceAll(place, `\`, "/")
	base := path.Base(place)
	if len(base) > longestSpec {
		return nil
	}
	var files []file
	for _, kind := range archives() {
		at := len(base) - len(kind.ending)
		if at < 0 || !strings.EqualFold(base[at:], kind.ending) {
			continue
		}
		stem := base[:at]
		for _, ecosystem := range kind.ecosystems {
			for i := range len(stem) - 1 {
				if stem[i] != '-' || stem[i+1] < '0' || stem[i+1] > '9' {
					continue
				}
				name, version := stem[:i], stem[i+1:]
				if ecosystem == PyPI && kind.ending == ".whl" {
					version, _, _ = strings.Cut(version, "-")
				}
				if scope := scopeIn(place); ecosystem == NPM && scope != "" {
					name = scope + "/" + name
				}
				files = append(files, file{ecosystem, name, version})
			}
		}
	}
	return files
}

// scopeIn is the scope in the address of a package in a registry of npm's kind:
// …/@scope/name/-/name-1.0.0.tgz.
func scopeIn(place string) string {
	before, _, found := strings.Cut(place, "/-/")
	if !found {
		return ""
	}
	parts := strings.Split(before, "/")
	if len(parts) < 2 || !strings.HasPrefix(parts[len(parts)-2], "@") {
		return ""
	}
	return parts[len(parts)-2]
}

// badFile returns the reading of an archive's name that is known to be bad.
func (r *reader) badFile(place string) (file, *advisory.Advisory) {
	for _, f := range filesIn(place) {
		for _, a := range r.bad.Of(string(f.ecosystem), f.name) {
			if a.Affects(f.version) {
				return f, a
			}
		}
	}
	return file{}, nil
}

// searchWords looks for what is known to be bad in every word that no runner has
// taken for its package: in arguments of servers and of programs that are not
// known here, in file names and addresses.
func (r *reader) searchWords() {
	if r.bad.Len() == 0 {
		return
	}
	for _, w := range r.words {
		if !r.claimed[w.id] {
			r.search(w)
		}
	}
}

func (r *reader) search(w word) {
	for _, part := range partsOf(w.text) {
		if f, a := r.badFile(part); a != nil {
			r.foundBad(w, f.ecosystem, f.name, f.version, f.version, a)
			continue
		}
		name, spec, python := splitLoose(part)
		if name == "" || spec == "" {
			continue
		}
		for _, ecosystem := range r.bad.Ecosystems() {
			if python && ecosystem != string(PyPI) {
				continue
			}
			if a, version := r.matches(Ecosystem(ecosystem), name, spec); a != nil {
				r.foundBad(w, Ecosystem(ecosystem), name, spec, version, a)
			}
		}
	}
}

func (r *reader) foundBad(w word, of Ecosystem, name, spec, version string, a *advisory.Advisory) {
	f := found{Package: Package{Ecosystem: of, Name: name, Spec: spec, Class: KnownBad, Arg: w.arg, Start: w.start, End: w.end},
		advisory: a, version: version}
	r.keep(f)
}

// longestPart is more than any package's word has, in bytes.
const longestPart = 4 << 10

// partsOf are the readings of a word: the whole, its words where it is a text, and
// of each what stands before and behind a =. All together they are not much
// longer than the word: what is bad must not hide behind padding.
func partsOf(text string) []string {
	var parts []string
	add := func(part string) {
		if part != "" && len(part) <= longestPart {
			parts = append(parts, part)
		}
	}
	add(text)
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;&|()", r) }) {
		if field != text {
			add(field)
		}
		start := 0
		for i := range len(field) {
			if field[i] != '=' || i > 0 && strings.IndexByte("=<>!~", field[i-1]) >= 0 || i+1 < len(field) && field[i+1] == '=' {
				continue
			}
			add(field[start:i])
			start = i + 1
		}
		if start > 0 {
			add(field[start:])
		}
	}
	return parts
}

// splitLoose takes a word apart of which it is not known whose package it might
// be: NAME@VERSION, or NAME==VERSION and the other limits of Python.
func splitLoose(part string) (name, spec string, python bool) {
	if len(part) > 2*longestSpec {
		return "", "", false
	}
	if name, spec, ok := splitRequirement(part); ok && strings.ContainsAny(spec[:min(1, len(spec))], "=<>!~") {
		return name, spec, true
	}
	if i := strings.LastIndexByte(part, '@'); i > 0 && (isName(NPM, part[:i]) || isName(Go, part[:i])) {
		return part[:i], part[i+1:], false
	}
	return "", "", false
}
