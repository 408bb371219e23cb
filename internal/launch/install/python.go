package install

import (
	"regexp"
	"strings"
)

var requirement = regexp.MustCompile(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^\]]*\])?\s*(.*?)\s*$`)

// splitRequirement takes a requirement of Python apart: the name, without its
// extras, and the limits of the version; behind an @ stands uv's exact version.
// Source: https://packaging.python.org/en/latest/specifications/dependency-specifiers/
func splitRequirement(text string) (name, spec string, ok bool) {
	text, _, _ = strings.Cut(text, ";") // markers
	m := requirement.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	name, spec = strings.TrimRight(m[1], "._-"), m[3]
	if rest, at := strings.CutPrefix(spec, "@"); at {
		return name, strings.TrimSpace(rest), true
	}
	if rest, bracket := strings.CutPrefix(spec, "("); bracket {
		spec = strings.TrimSuffix(rest, ")")
	}
	return name, strings.ReplaceAll(spec, " ", ""), spec == "" || strings.ContainsAny(spec[:1], "=<>!~")
}

// pythonPackage records one package as uv, pipx and pip take it.
func (r *reader) pythonPackage(runner string, w word) {
	text := w.text
	// NAME @ ADDRESS is an address with a name before it.
	if before, address, found := strings.Cut(text, "@"); found {
		if address = strings.TrimSpace(address); isName(PyPI, strings.TrimSpace(before)) || strings.HasSuffix(strings.TrimSpace(before), "]") {
			if isGit(address) || hasScheme(address, "http", "https", "file") {
				text = address
			}
		}
	}
	switch {
	case isGit(text):
		r.gitPackage(runner, w, text, "@")
	case hasScheme(text, "http", "https"):
		if strings.Contains(text, "#sha256=") {
			r.add(found{Package: Package{Ecosystem: URL, Name: fileOf(text), Class: Fine}, runner: runner}, w)
			return
		}
		r.urlPackage(runner, w, text)
	case isLocal(text), hasScheme(text, "file"), isPythonFile(text):
		r.add(found{Package: Package{Ecosystem: Local, Name: localName(text), Class: Fine}, runner: runner}, w)
	default:
		name, spec, ok := splitRequirement(text)
		if !ok {
			name = ""
		}
		r.registry(runner, PyPI, name, spec, w)
	}
}

func isPythonFile(text string) bool {
	for _, ending := range []string{".whl", ".tar.gz", ".zip", ".py"} {
		if strings.HasSuffix(text, ending) {
			return true
		}
	}
	return false
}

// python reads an interpreter: a module that installs, else a program that is
// there.
func (r *reader) python(args []word, depth int) {
	o := options{
		values: "-W -X -c -m --check-hash-based-pycs",
		flags:  "-b -B -d -E -h -i -I -O -OO -P -q -s -S -u -v -V -x --version --help -bb -vv",
	}
	for {
		opt, n, known := o.next(args)
		switch {
		case n == 0:
			return
		case !known:
			r.unknownOption("python", opt.name)
		case opt.name == "-m" && opt.given:
			switch rest := args[n:]; opt.value.text {
			case "pip":
				r.pip("python -m pip", rest)
			case "pipx":
				r.pipx(rest, depth)
			case "uv":
				r.uv(rest, depth)
			}
			return
		case opt.name == "-c":
			return
		}
		args = args[n:]
	}
}
