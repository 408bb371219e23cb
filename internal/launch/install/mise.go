package install

import "strings"

// mise reads mise exec: tools, then a command. Tools of the package registries
// are packages; interpreters that mise installs are not judged.
// Source: mise exec --help (2026.1).
func (r *reader) mise(args []word, depth int) {
	o := options{
		values: "-C --cd -E --env -j --jobs -c --command --profile",
		flags:  "-q --quiet -v --verbose -y --yes --raw --silent --no-config --fresh-env --no-prepare",
	}
	rest := r.scan("mise", args, o, nil)
	if len(rest) == 0 || !has("exec x", rest[0].text) {
		return // tasks of the project
	}
	rest = rest[1:]
	for len(rest) > 0 {
		opt, n, known := o.next(rest)
		switch {
		case n == 0 && rest[0].text == "--":
			r.command(rest[1:], depth+1)
			return
		case n == 0 && strings.Contains(rest[0].text, "@"), n == 0 && strings.Contains(rest[0].text, ":"):
			r.miseTool(rest[0])
			n = 1
		case n == 0:
			r.command(rest, depth+1)
			return
		case has("-c --command", opt.name) && opt.given:
			r.script(opt.value, posix, depth)
			return
		case !known:
			r.unknownOption("mise", opt.name)
		}
		rest = rest[n:]
	}
}

func (r *reader) miseTool(w word) {
	backend, tool, found := strings.Cut(w.text, ":")
	if !found {
		return
	}
	name, spec := tool, ""
	if i := strings.LastIndexByte(tool, '@'); i > 0 {
		name, spec = tool[:i], tool[i+1:]
	}
	of, ok := map[string]Ecosystem{"npm": NPM, "pipx": PyPI, "cargo": Crates, "go": Go, "gem": RubyGems, "dotnet": NuGet}[backend]
	if !ok {
		r.notUnderstood("mise "+backend, "mise fetches a tool in a way that is not read here ("+shown(backend)+"), so it was not judged")
		return
	}
	r.registry("mise", of, name, spec, w)
}
