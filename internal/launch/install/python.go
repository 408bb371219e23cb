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
		// uvx python@3.12 is the interpreter itself.
		if name, _, _ := splitRequirement(rest[0].text); strings.EqualFold(name, "python") {
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

// pipOptions are those of pip install. Source: pip install --help (pip 25).
func pipOptions() options {
	return options{
		values: "-r --requirement --requirements -c --constraint --constraints -e --editable -t --target -i --index-url --extra-index-url " +
			"-f --find-links --prefix --root --src --python --platform --python-version --implementation --abi --only-binary " +
			"--no-binary --progress-bar --upgrade-strategy --cache-dir --trusted-host --cert --client-cert --proxy --retries " +
			"--timeout --log --exists-action -C --config-settings --global-option --report --root-user-action --use-feature " +
			"--use-deprecated --keyring-provider --group --build-constraint --index --default-index -d --dest -w --wheel-dir -p --resume-retries",
		flags: "--require-hashes --no-deps --pre --dry-run -U --upgrade --force-reinstall -I --ignore-installed --ignore-requires-python " +
			"--no-build-isolation --use-pep517 --check-build-dependencies --break-system-packages --compile --no-compile " +
			"--no-warn-script-location --no-warn-conflicts --prefer-binary --no-clean --user --no-user -q --quiet -qq -v --verbose " +
			"--isolated --require-virtualenv --no-input --no-cache-dir --disable-pip-version-check --no-color --no-index " +
			"--no-python-version-warning --debug -h --help -V --version --system --quiet --exact --strict",
	}
}

// pip reads pip install and what else of pip fetches.
func (r *reader) pip(runner string, args []word) {
	rest := r.scan(runner, args, pipOptions(), nil)
	if len(rest) == 0 || !has("install download wheel", rest[0].text) {
		return
	}
	verb := rest[0].text
	runner += " " + verb
	var (
		hashes, files bool
		packages      []word
	)
	positional, behind := r.gather(runner, rest[1:], pipOptions(), func(o option) {
		switch o.name {
		case "--require-hashes":
			hashes = true
		case "-r", "--requirement", "--requirements":
			files = true
		case "-e", "--editable":
			if o.given {
				packages = append(packages, o.value)
			}
		}
	})
	packages = append(append(packages, positional...), behind...)
	first := len(r.found)
	for _, w := range packages {
		r.pythonPackage(runner, w)
	}
	if hashes || len(packages) == 0 && !files {
		return
	}
	r.noHashes(runner, r.found[first:], files)
}

// noHashes notes that packages are taken without a look at their content.
func (r *reader) noHashes(runner string, packages []found, files bool) {
	name, bad := "", 0
	for i := range packages {
		f := &packages[i]
		switch {
		case f.Class == KnownBad:
			bad++
			continue
		case f.Class == Fine && f.Ecosystem == PyPI:
			f.Class = NoHashes
		}
		if name == "" && f.Ecosystem == PyPI {
			name = f.Name
		}
	}
	if bad > 0 && bad == len(packages) && !files {
		return // that is all there is to say
	}
	of := ""
	if name != "" {
		of = " " + shown(name)
	}
	r.note(note{
		rule: noHashes, subject: runner + ":" + name, pkg: name,
		message: runner + " takes" + of + " whatever the index sends under that version; expected --require-hashes",
		fix: "Write the packages with their hashes to a file (uv pip compile --generate-hashes, or pip-compile --generate-hashes), " +
			"and install them with " + runner + " --require-hashes -r FILE.",
	})
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
