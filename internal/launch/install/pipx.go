package install

// pipx reads pipx run and pipx install.
// Source: pipx run --help (pipx 1.8).
func (r *reader) pipx(args []word, depth int) {
	o := options{
		values: "--spec --python --pip-args -i --index-url --with --suffix --preinstall --backend --fetch-python",
		flags: "--no-cache --path --pypackages -q --quiet -v --verbose --system-site-packages -e --editable --fetch-missing-python " +
			"--force -f --include-deps --global -h --help --version",
	}
	rest := r.scan("pipx", args, o, nil)
	if len(rest) == 0 || !has("run install inject upgrade", rest[0].text) {
		return // runs and shows what is installed
	}
	verb, rest := rest[0].text, rest[1:]
	var (
		packages []word
		spec     bool
	)
	take := func(opt option) {
		if opt.given && has("--spec --with --preinstall", opt.name) {
			packages = append(packages, opt.value)
			spec = spec || opt.name == "--spec"
		}
	}
	runner := "pipx " + verb
	if verb != "run" {
		positional, behind := r.gather(runner, rest, o, take)
		for _, w := range append(append(packages, positional...), behind...) {
			r.pythonPackage(runner, w)
		}
		return
	}
	rest = r.scan(runner, rest, o, take)
	if !spec && len(rest) > 0 {
		packages = append(packages, rest[0])
	}
	for _, w := range packages {
		r.pythonPackage(runner, w)
	}
	if len(rest) > 0 {
		r.arguments("", rest[1:], depth)
	}
}
