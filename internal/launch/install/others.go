package install

import (
	"strings"
)

// arguments looks for a command in the arguments of a package's program: behind a
// --, as the text behind --stdio, or from the name of a runner on that is no option's
// value, as proxies and inspectors take the command that they stand before. Everything
// else there is the program's own business.
func (r *reader) arguments(pkg string, args []word, depth int) {
	if strings.HasPrefix(pkg, "@smithery/cli") {
		r.smithery(args)
	}
	for i, w := range args {
		if i+1 == len(args) {
			return
		}
		next := args[i+1]
		switch first, _, text := strings.Cut(next.text, " "); {
		case has("npx pnpx bunx uvx pipx", programName(w.text)) && (i == 0 || !strings.HasPrefix(args[i-1].text, "-")):
			r.command(args[i:], depth+1)
			return
		case w.text == "--" && isRunner(programName(next.text)):
			r.command(args[i+1:], depth+1)
			return
		case w.text == "--stdio" && text && isRunner(programName(first)): // supergateway
			r.script(next, posix, depth)
		}
	}
}

// smithery reads Smithery's own program, which fetches a server by a name that
// has no versions.
func (r *reader) smithery(args []word) {
	rest := r.scan("smithery", args, options{values: "--key --config --profile -k", flags: "-h --help -y --yes"}, nil)
	if len(rest) < 2 || !has("run install add", rest[0].text) {
		return
	}
	r.claimed[rest[1].id] = true
	if !isName(NPM, rest[1].text) {
		r.notUnderstood("name smithery", "smithery run starts a server that no registry could have under such a name, so it could not be judged")
		return
	}
	r.add(found{
		Package: Package{Ecosystem: Smithery, Name: rest[1].text, Class: Unpinned}, runner: "smithery run",
		fix: "Start the server's own package, at an exact version, in the place of Smithery's program.",
	}, rest[1])
}

// other judges a program that is not read here. Most are local: an interpreter
// with a script, a program that is installed. What looks like a runner is told,
// for it may fetch something.
func (r *reader) other(name, path string, args []word) {
	if isInterpreter(name) {
		return
	}
	bare := !strings.ContainsAny(path, `/\~`)
	if isForeignRunner(name) && (bare || strings.HasPrefix(path, "/")) {
		r.notUnderstood("runner "+name, name+" may fetch what it starts, and its command line is not understood here")
		return
	}
	for i, w := range args[:max(len(args)-1, 0)] {
		switch inner := programName(w.text); {
		case has("npx pnpx bunx uvx pipx npm pnpm yarn uv docker podman", inner):
			r.notUnderstood("runner", "a program that is not known here seems to start "+inner+", so what that fetches was not judged")
			return
		case i == 0 && bare && has("run exec x dlx install", w.text) && !isFile(args[1].text):
			r.notUnderstood("runner", "the program is not known here and its command line reads like that of a package runner, so what it fetches was not judged")
			return
		}
	}
}

// isInterpreter recognises programs that run what is on this machine.
func isInterpreter(name string) bool {
	return has("nodejs tsx ts-node ts-node-esm electron php ruby perl lua luajit julia rscript r scala kotlin groovy "+
		"dart elixir erl escript racket guile sbcl clojure bb osascript awk tclsh make just task bundle rake", name)
}

// isForeignRunner recognises programs that fetch in ways that are not read here.
func isForeignRunner(name string) bool {
	return has("pkgx composer guix flatpak snap brew apt apt-get apk dnf yum pacman choco scoop winget "+
		"apptainer singularity kubectl helm nix-shell nix-env coursier cs scala-cli mvn mvnw gradle gradlew sbt swift zig "+
		"stack cabal luarocks opam devbox devenv flox hermit proto aqua eget ubi act", name)
}

// isFile recognises a file or folder among the arguments.
func isFile(text string) bool {
	return isLocal(text) || strings.ContainsAny(text, `\`) || strings.Contains(strings.TrimLeft(text, "."), ".") && !strings.Contains(text, "@") ||
		strings.HasPrefix(text, "-")
}
