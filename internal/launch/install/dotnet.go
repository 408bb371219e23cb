package install

import "strings"

// dotnet reads dnx, dotnet dnx, dotnet tool exec and dotnet tool install; the
// others run what is there, or what a tool manifest pins.
// Source: dotnet tool exec --help (10).
func (r *reader) dotnet(program string, args []word) {
	runner := program
	if program == "dotnet" {
		switch {
		case len(args) > 0 && args[0].text == "dnx":
			runner, args = "dotnet dnx", args[1:]
		case len(args) > 1 && args[0].text == "tool" && has("exec execute install update", args[1].text):
			runner, args = "dotnet tool "+args[1].text, args[2:]
		default:
			return
		}
	}
	version := ""
	o := options{
		values: "--version --add-source --source --configfile --framework -v --verbosity -a --arch --tool-path --tool-manifest",
		flags: "-y --yes --interactive --allow-roll-forward --prerelease --disable-parallel --ignore-failed-sources --no-http-cache " +
			"--no-cache -g --global --local --create-manifest-if-needed --allow-downgrade -h --help",
	}
	var pkg *word
	for len(args) > 0 && args[0].text != "--" {
		opt, n, known := o.next(args)
		switch {
		case n == 0:
			if pkg == nil {
				pkg = &args[0]
			}
			n = 1 // behind the package: the tool's own word
		case opt.name == "--version":
			version = opt.value.text
		case !known && pkg == nil:
			r.unknownOption(runner, opt.name)
		}
		args = args[n:]
	}
	if pkg == nil {
		return
	}
	name, spec, at := strings.Cut(pkg.text, "@")
	if !at {
		spec = version
	}
	r.registry(runner, NuGet, name, spec, *pkg)
}
