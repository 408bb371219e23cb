package install

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
		fix: "Write the packages with their hashes to a file (`uv pip compile --generate-hashes`, or `pip-compile --generate-hashes`), " +
			"and install them with `" + runner + " --require-hashes -r FILE`.",
	})
}
