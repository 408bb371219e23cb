package install

// uvOptions are those of uv, uvx and uv run. Source: uv help run (uv 0.9).
func uvOptions() options {
	return options{
		values: "--from --with -w --with-editable --with-requirements -p --python --index --default-index -i --index-url " +
			"--extra-index-url -f --find-links --directory --project --cache-dir --config-file --env-file -c --constraints --constraint " +
			"--overrides --override -b --build-constraints --build-constraint --index-strategy --keyring-provider --resolution " +
			"--prerelease --fork-strategy --exclude-newer --exclude-newer-package --link-mode --refresh-package --reinstall-package -P --upgrade-package " +
			"--no-build-package --no-binary-package --no-build-isolation-package --no-sources-package --allow-insecure-host --color -C --config-setting --config-settings " +
			"--config-settings-package --python-platform --python-version --torch-backend --extra --no-extra --group --no-group --only-group --package " +
			"--no-install-package --target --prefix -r --requirements -e --editable --rev --tag --branch --index-name --native-tls-certs",
		flags: "--isolated --no-project --frozen --locked --no-sync --active --exact -n --no-cache --no-cache-dir --offline -q --quiet " +
			"-v --verbose --native-tls --no-native-tls --no-progress --refresh -U --upgrade --reinstall --no-env-file --no-config " +
			"--no-python-downloads --managed-python --no-managed-python -m --module -s --script --gui-script --all-extras " +
			"--dev --no-dev --only-dev --all-groups --no-default-groups --no-editable --inexact --no-index --no-build --no-binary " +
			"--no-build-isolation --no-sources --compile-bytecode --all-packages --preview --no-preview --lfs --force --system --break-system-packages " +
			"--require-hashes --no-deps -h --help -V --version --show-settings --python-preference",
	}
}

// uvTool reads uvx and uv tool run: the package is what --from names, else the
// first word; --with adds others.
func (r *reader) uvTool(runner string, args []word, depth int) {
	var packages []word
	from := false
	rest := r.scan(runner, args, uvOptions(), func(o option) {
		from = from || o.name == "--from"
		packages = append(packages, uvPackages(o)...)
	})
	if !from && len(rest) > 0 {
		// uvx python@3.12 and uvx python3.12 are the interpreter itself.
		if name, _, _ := splitRequirement(rest[0].text); programName(name) == "python" {
			r.claimed[rest[0].id] = true
			r.python(rest[1:], depth)
			rest = rest[:1]
		} else {
			packages = append(packages, rest[0])
		}
	}
	for _, w := range packages {
		r.pythonPackage(runner, w)
	}
	if len(rest) > 0 {
		r.arguments("", rest[1:], depth)
	}
}

// uvPackages are the packages that one option of uv names.
func uvPackages(o option) []word {
	if !o.given {
		return nil
	}
	switch o.name {
	case "--from", "--with-editable":
		return []word{o.value}
	case "--with", "-w":
		return o.value.split()
	}
	return nil
}

// uv reads the other commands of uv.
func (r *reader) uv(args []word, depth int) {
	rest := r.scan("uv", args, uvOptions(), nil)
	if len(rest) == 0 {
		return
	}
	verb, rest := rest[0].text, rest[1:]
	switch {
	case verb == "run":
		var packages []word
		o := uvOptions()
		rest = r.scan("uv run", rest, o, func(o option) { packages = append(packages, uvPackages(o)...) })
		for _, w := range packages {
			r.pythonPackage("uv run", w)
		}
		if len(rest) > 0 {
			r.uvRun(rest, depth)
		}
	case verb == "tool" && len(rest) > 0 && rest[0].text == "run", verb == "x":
		r.uvTool("uv tool run", rest[min(1, len(rest)):], depth)
	case verb == "tool" && len(rest) > 0 && rest[0].text == "install", verb == "add":
		if verb == "tool" {
			rest = rest[1:]
		}
		positional, behind := r.gather("uv "+verb, rest, uvOptions(), func(o option) {
			for _, w := range uvPackages(o) {
				r.pythonPackage("uv "+verb, w)
			}
		})
		for _, w := range append(positional, behind...) {
			r.pythonPackage("uv "+verb, w)
		}
	case verb == "pip":
		r.pip("uv pip", rest)
	}
	// Everything else works on the project, which its lock file pins.
}

// uvRun reads what uv run starts in the project's environment: a runner that is
// known here, a script from the web, or something of the project.
func (r *reader) uvRun(words []word, depth int) {
	if hasScheme(words[0].text, "http", "https") {
		r.urlPackage("uv run", words[0], words[0].text)
		return
	}
	if isRunner(programName(words[0].text)) {
		r.command(words, depth+1)
	}
}
