package install

import "strings"

// cargo reads cargo install and cargo binstall; cargo run builds what is there.
// Source: cargo install --help (1.90).
func (r *reader) cargo(args []word, _ int) {
	o := options{
		values: "--version --vers --git --branch --tag --rev --path --registry --index --root -F --features --target --profile " +
			"-j --jobs --bin --example --config -Z --color --target-dir -C --manifest-path -p --package --strategies --targets",
		flags: "--locked --offline --frozen -f --force --debug --release --no-track --all-features --no-default-features --bins " +
			"--examples --list -q --quiet -v --verbose --keep-going --timings --ignore-rust-version --dry-run -n -y --no-confirm --no-symlinks",
	}
	if len(args) > 0 && strings.HasPrefix(args[0].text, "+") {
		args = args[1:] // a toolchain
	}
	rest := r.scan("cargo", args, o, nil)
	if len(rest) == 0 || !has("install binstall", rest[0].text) {
		return
	}
	runner := "cargo " + rest[0].text
	var (
		version, commit string
		git, path       *word
	)
	crates, behind := r.gather(runner, rest[1:], o, func(opt option) {
		switch opt.name {
		case "--version", "--vers":
			version = opt.value.text
		case "--git":
			git = &opt.value
		case "--rev":
			commit = opt.value.text
		case "--path":
			path = &opt.value
		}
	})
	switch {
	case git != nil:
		r.gitPackage(runner, *git, git.text+"#"+commit, "#")
		for _, w := range crates {
			r.claimed[w.id] = true
		}
		return
	case path != nil:
		return
	}
	for _, w := range append(crates, behind...) {
		name, spec, at := strings.Cut(w.text, "@")
		if !at {
			spec = version
		}
		r.registry(runner, Crates, name, spec, w)
	}
}
