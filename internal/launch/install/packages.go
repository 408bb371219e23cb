package install

import (
	"fmt"
	"regexp"
	"strings"
)

// What packages may be called, by registry.
var (
	npmName    = regexp.MustCompile(`^(@[A-Za-z0-9_.~-]+/)?[A-Za-z0-9_.~-]+$`)
	jsrName    = regexp.MustCompile(`^@[a-z0-9-]+/[a-z0-9-]+$`)
	pythonName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	goName     = regexp.MustCompile(`^[A-Za-z0-9_.~/-]+$`)
	mavenName  = regexp.MustCompile(`^[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+$`)
	plainName  = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
)

func nameForm(of Ecosystem) *regexp.Regexp {
	switch of {
	case NPM:
		return npmName
	case JSR:
		return jsrName
	case PyPI:
		return pythonName
	case Go:
		return goName
	case Maven:
		return mavenName
	}
	return plainName
}

// longestName is more than any registry allows.
const longestName = 250

func isName(of Ecosystem, name string) bool {
	return len(name) <= longestName && nameForm(of).MatchString(name)
}

// registry records a package of a registry.
func (r *reader) registry(runner string, of Ecosystem, name, spec string, w word) {
	if !isName(of, name) {
		what := "a package that no registry could have under such a name"
		if w.vague {
			what = "a package whose name a variable gives"
		}
		r.notUnderstood("name "+runner, fmt.Sprintf("%s fetches %s, so it could not be judged", runner, what))
		return
	}
	f := found{Package: Package{Ecosystem: of, Name: name, Spec: spec, Class: Unpinned}, runner: runner, fix: pinFix(of, name, w)}
	if _, ok := exact(of, spec); ok {
		f.Class = Fine
	}
	r.add(f, w)
}

var (
	// sourcePrefix is what deno and mise write before a name: npm:, jsr:, pipx:.
	sourcePrefix = regexp.MustCompile(`^[a-z]+:$`)
	extras       = regexp.MustCompile(`^\s*(\[[A-Za-z0-9._, -]*\])`)
)

// pinFix says how the package is written with an exact version, as it is written
// in w, and how one learns the newest.
func pinFix(of Ecosystem, name string, w word) string {
	prefix, behind, _ := strings.Cut(w.text, name)
	if !sourcePrefix.MatchString(prefix) {
		prefix = ""
	}
	form, ask := prefix+name+"@X.Y.Z", ""
	switch of {
	case NPM:
		ask = "npm view " + name + " version"
	case PyPI:
		if ask = "pip index versions " + name; prefix != "" {
			break
		}
		form = name + "==X.Y.Z"
		if m := extras.FindStringSubmatch(behind); m != nil {
			form = name + m[1] + "==X.Y.Z"
		}
	case Go:
		form, ask = prefix+name+"@vX.Y.Z", "go list -m -versions MODULE"
	case Crates:
		ask = "cargo info " + name
	case NuGet:
		ask = "dotnet package search " + name + " --exact-match"
	case RubyGems:
		form, ask = name+" --version X.Y.Z", "gem list --remote --exact "+name
	case Maven:
		form = name + ":X.Y.Z"
	}
	fix := "Write `" + form + "` with the exact version that you have looked at."
	if ask != "" {
		fix += " `" + ask + "` lists what there is."
	}
	return fix
}
