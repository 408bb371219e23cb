package install

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// pipe looks for what a shell or an interpreter is given to run by another command:
// a download, or something that nobody can know.
func (s *script) pipe(c *syntax.BinaryCmd) {
	name, args := programOf(c.Y)
	if !isShell(name) && !isScripted(name) || hasScript(args) {
		return
	}
	if address, ok := downloads(c.X); ok {
		s.piped(address)
		return
	}
	s.unclear(pipedCode)
}

// pipedCode is code that does not stand in the command line.
const pipedCode = "an interpreter that is given its code by another command"

// hasScript reports whether an interpreter has been given something else to run
// than its standard input.
func hasScript(args []string) bool {
	for _, a := range args {
		switch {
		case a == "-" || a == "-s" || a == "--" || a == "/dev/stdin":
			return false
		case a == "-c" || a == "-m" || !strings.HasPrefix(a, "-"):
			return true
		}
	}
	return false
}

// programOf is the program that a statement runs, wrappers looked through.
func programOf(stmt *syntax.Stmt) (name string, args []string) {
	if stmt == nil {
		return "", nil
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		return programOf(c.X) // a | sh | tee
	case *syntax.CallExpr:
		for _, arg := range c.Args {
			text, _ := literal(arg)
			args = append(args, text)
		}
	}
	for len(args) > 0 {
		name = programName(args[0])
		args = args[1:]
		if !has("sudo env exec command nohup time doas", name) {
			return name, args
		}
		for len(args) > 0 && (strings.HasPrefix(args[0], "-") || isAssignment(args[0])) {
			args = args[1:]
		}
	}
	return "", nil
}

// downloads reports whether a statement writes what it fetches to its output,
// and from where.
func downloads(stmt *syntax.Stmt) (address string, ok bool) {
	if stmt == nil {
		return "", false
	}
	if c, pipe := stmt.Cmd.(*syntax.BinaryCmd); pipe {
		if address, ok = downloads(c.X); ok {
			return address, true
		}
		return downloads(c.Y)
	}
	name, args := programOf(stmt)
	if !isDownloader(name) {
		return "", false
	}
	return addressIn(args), true
}

// addressIn is the first address among words.
func addressIn(words []string) string {
	for _, w := range words {
		if hasScheme(w, "http", "https", "ftp") {
			return w
		}
	}
	return ""
}

func isDownloader(name string) bool {
	return has("curl wget fetch http https aria2c iwr irm invoke-webrequest invoke-restmethod", name)
}

func isShell(name string) bool {
	return has("sh bash zsh dash ash ksh mksh fish pwsh powershell iex invoke-expression", name)
}

func isScripted(name string) bool {
	return has("python pypy node nodejs perl ruby php lua deno bun tsx", name)
}

// piped notes a download that is run at once.
func (r *reader) piped(address string) {
	f := found{
		Package: Package{Ecosystem: URL, Name: "an address that is not written out", Class: UnpinnedSource, Arg: -1}, runner: "a shell",
		fix: "Start a package at an exact version, or keep the script in the repository and start it from there.",
	}
	if address != "" {
		f.Name = fileOf(address)
		if hasCommit(address) {
			f.Class = Fine
		}
	}
	r.keep(f)
}
