package fetch

import (
	"regexp"
	"slices"
	"strings"
)

// Plan is what a command line of npx or uvx asks for.
type Plan struct {
	Ecosystem Ecosystem
	// Packages are requirements as npm or pip understand them: name@version,
	// name==version, or a name alone. The first is the server's.
	Packages []string
	// Program is the executable to run, "" for the first package's own.
	Program string
	Args    []string
}

// Parse recognises `npx`, `npm exec`, `uvx` and `uv tool run`, also by full
// path. ok is false for any other command, and for a program of that name inside
// the tree (./npx), which may be anything. The error is a [*Failure] of kind
// Unsupported: it is one of these, but asks for something we do not fetch.
func Parse(argv []string) (plan Plan, ok bool, err error) {
	if len(argv) == 0 {
		return Plan{}, false, nil
	}
	program := strings.ReplaceAll(argv[0], `\`, "/")
	name := program[strings.LastIndexByte(program, '/')+1:]
	if full := regexp.MustCompile(`^(/|[A-Za-z]:/)`); program != name && !full.MatchString(program) {
		return Plan{}, false, nil
	}
	for _, extension := range []string{".cmd", ".exe", ".ps1"} {
		name = strings.TrimSuffix(name, extension)
	}
	rest := argv[1:]
	word := func(i int) string {
		if i < len(rest) {
			return rest[i]
		}
		return ""
	}
	switch {
	case name == "npx":
		plan, err = parseNPX(rest)
	case name == "npm" && (word(0) == "exec" || word(0) == "x"):
		plan, err = parseNPX(rest[1:])
		if err == nil && ownOptions(rest[1:], len(plan.Args)) {
			err = failuref(Unsupported, nil, "npm %s takes the options behind the package for itself: write -- before those of the server", word(0))
		}
	case name == "uvx":
		plan, err = parseUVX(rest)
	case name == "uv" && word(0) == "tool" && word(1) == "run":
		plan, err = parseUVX(rest[2:])
	default:
		return Plan{}, false, nil
	}
	return plan, true, err
}

// pinned says whether the first package has an exact version.
func (p Plan) pinned() bool {
	if p.Ecosystem == NPM {
		_, version := splitNPM(p.Packages[0])
		return regexp.MustCompile(`^[v=]?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`).MatchString(version)
	}
	_, version, _ := strings.Cut(p.Packages[0], "==")
	return regexp.MustCompile(`^[0-9][0-9A-Za-z.!+-]*$`).MatchString(version)
}

// options reads options before the first positional word. flags have no value;
// values are handed to set.
func options(args []string, flags, values string, set func(name, value string)) (rest []string, err error) {
	has := func(list, name string) bool { return strings.Contains(" "+list+" ", " "+name+" ") }
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return args[i+1:], nil
		}
		if !strings.HasPrefix(a, "-") {
			return args[i:], nil
		}
		name, value, inline := strings.Cut(a, "=")
		switch {
		case has(flags, name) && !inline:
		case has(values, name):
			if !inline {
				if i++; i == len(args) {
					return nil, failuref(Unsupported, nil, "option %s has no value", name)
				}
				value = args[i]
			}
			set(name, value)
		default:
			return nil, failuref(Unsupported, nil, "%s is not supported in the sandbox", optionName(name))
		}
	}
	return nil, nil
}

// optionName names an option in a message. What is no plain name may hold a
// value (-pSECRET) and is left out.
func optionName(word string) string {
	if regexp.MustCompile(`^(-[A-Za-z]|--[a-z][a-z-]*)$`).MatchString(word) {
		return "option " + word
	}
	return "an option"
}

// longestSpec is more than a package's name and version have, in bytes.
const longestSpec = 250

func parseNPX(args []string) (Plan, error) {
	p := Plan{Ecosystem: NPM}
	rest, err := options(args, "-y --yes -q --quiet -s --silent --prefer-online --prefer-offline --ignore-existing", "-p --package", func(_, value string) {
		p.Packages = append(p.Packages, value)
	})
	if err != nil {
		return p, err
	}
	if len(rest) == 0 {
		return p, failuref(Unsupported, nil, "npx names no package")
	}
	if len(p.Packages) == 0 {
		p.Packages = []string{rest[0]}
	} else {
		p.Program = rest[0]
	}
	p.Args = rest[1:]
	if len(p.Args) > 0 && p.Args[0] == "--" {
		p.Args = p.Args[1:]
	}
	// A registry's name, then a version, range or tag. No URL, no path, no git, and
	// no file, as npm takes what ends like an archive.
	valid := regexp.MustCompile(`^(@[A-Za-z0-9~_][A-Za-z0-9~._-]*/)?[A-Za-z0-9][A-Za-z0-9~._-]*(@~?[0-9A-Za-z+^<>=|* -][0-9A-Za-z.+^~<>=|* -]*)?$`)
	file := regexp.MustCompile(`(?i)\.(tgz|tar|tar\.gz)$`)
	for _, spec := range p.Packages {
		if len(spec) > longestSpec || !valid.MatchString(spec) || file.MatchString(spec) {
			return p, failuref(Unsupported, nil, "a package is not from a registry: expected NAME or NAME@VERSION")
		}
	}
	return p, nil
}

// ownOptions reports whether npm would take one of the last n words, those of the
// program, for an option of its own: it does so wherever they stand before a --.
func ownOptions(args []string, n int) bool {
	before := args
	if i := slices.Index(args, "--"); i >= 0 {
		before = args[:i]
	}
	behind := before[min(len(args)-n, len(before)):]
	return slices.ContainsFunc(behind, func(word string) bool { return strings.HasPrefix(word, "-") })
}

// splitNPM splits name@version; a scope's @ is part of the name.
func splitNPM(spec string) (name, version string) {
	if i := strings.LastIndexByte(spec, '@'); i > 0 {
		return spec[:i], spec[i+1:]
	}
	return spec, ""
}

// splitPackages cuts at the commas between packages, not at those between extras or
// limits: a[b,c]>=1,<2,d. What is no such list comes back whole.
func splitPackages(list string) []string {
	packages := regexp.MustCompile(`([^,\[]|\[[^\]]*\]|,[^A-Za-z])+`).FindAllString(list, -1)
	if strings.Join(packages, ",") != list {
		return []string{list}
	}
	return packages
}

func parseUVX(args []string) (Plan, error) {
	p := Plan{Ecosystem: PyPI}
	var with []string
	from, named := "", false
	rest, err := options(args, "-q --quiet -v --verbose --isolated -n --no-cache --refresh -U --upgrade --no-progress --no-config --no-env-file", "--from --with", func(name, value string) {
		if name == "--from" {
			from, named = value, true
		} else {
			with = append(with, splitPackages(value)...)
		}
	})
	if err != nil {
		return p, err
	}
	if len(rest) == 0 {
		return p, failuref(Unsupported, nil, "uvx names no program")
	}
	if p.Args = rest[1:]; !named {
		from = rest[0]
		name := regexp.MustCompile(`^[A-Za-z0-9._-]+`).FindString(from)
		p.Program = name
	} else {
		p.Program = rest[0]
	}
	// uv takes the name of an interpreter for that, and what ends like a file for it.
	python := regexp.MustCompile(`(?i)^(python|pypy|cpython|graalpy)[0-9.]*([@[=<>!~].*)?$`)
	file := regexp.MustCompile(`(?i)\.(whl|zip|py|tgz|tar(\.[a-z0-9]+)?)$`)
	if python.MatchString(from) {
		return p, failuref(Unsupported, nil, "uvx starts Python itself here, and no package: expected the package of a server")
	}
	valid := regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9,._-]+\])?((==|>=|<=|~=|!=|<|>)[0-9A-Za-z.*+!,<>=~-]+)?$`)
	for _, spec := range append([]string{from}, with...) {
		// uvx also writes name@version and name@latest.
		if name, version, ok := strings.Cut(spec, "@"); ok && !strings.ContainsAny(name+version, "=<>!~") {
			if spec = name; version != "latest" {
				spec += "==" + version
			}
		}
		if len(spec) > longestSpec || !valid.MatchString(spec) || file.MatchString(spec) {
			return p, failuref(Unsupported, nil, "a package is not from a registry: expected NAME, NAME==VERSION or NAME@VERSION")
		}
		p.Packages = append(p.Packages, spec)
	}
	return p, nil
}
