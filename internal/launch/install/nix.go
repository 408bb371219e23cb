package install

import (
	"cmp"
	"net/url"
	"strings"
)

// nix reads nix run, nix shell and nix develop: flakes, which are pinned by a
// full commit. Source: nix flake --help, "Flake references" (2.31).
func (r *reader) nix(args []word, depth int) {
	o := options{
		values: "--inputs-from --extra-experimental-features --experimental-features -f --file --expr --system --store -I " +
			"--log-format --max-jobs -j --cores --profile --include --update-input --override-flake --arg-from-file",
		flags: "--impure --no-write-lock-file --no-update-lock-file --recreate-lock-file --commit-lock-file --accept-flake-config " +
			"--refresh --offline --no-net -L --print-build-logs -v --verbose -q --quiet --debug --ignore-environment -i --no-use-registries " +
			"--no-registries --unpure -h --help --version",
	}
	rest := r.scan("nix", args, o, nil)
	if len(rest) == 0 || !has("run shell develop profile build", rest[0].text) {
		return
	}
	verb, rest := rest[0].text, rest[1:]
	runner := "nix " + verb
	for len(rest) > 0 {
		opt, n, known := o.next(rest)
		switch {
		case n == 0 && rest[0].text == "--":
			return
		case n == 0:
			r.flake(runner, rest[0])
			if rest = rest[1:]; verb == "run" {
				r.arguments("", rest, depth)
				return
			}
			continue
		case has("-c --command", opt.name):
			r.command(rest[1:], depth+1)
			return
		case has("--override-input --option --arg --argstr", opt.name) && !opt.given:
			n = min(3, len(rest))
		case !known:
			r.unknownOption(runner, opt.name)
		}
		rest = rest[n:]
	}
}

// flake records one flake. A name without a scheme is looked up in a registry
// that moves.
func (r *reader) flake(runner string, w word) {
	reference, _, _ := strings.Cut(w.text, "#")
	if reference == "" || isLocal(reference) || hasScheme(reference, "path") {
		return
	}
	f := found{
		Package: Package{Ecosystem: Git, Class: UnpinnedSource}, runner: runner,
		fix: "Write the flake with its full commit, 40 hexadecimal digits: `github:OWNER/REPOSITORY/COMMIT`, or `?rev=COMMIT` behind another address. " +
			"`nix flake metadata FLAKE` prints it.",
	}
	address, query, _ := strings.Cut(reference, "?")
	values, _ := url.ParseQuery(query)
	ref := values.Get("rev")
	if hasScheme(address, "github", "gitlab", "sourcehut") {
		scheme, rest, _ := strings.Cut(address, ":")
		if parts := strings.Split(rest, "/"); len(parts) > 2 {
			ref = strings.Join(parts[2:], "/")
			address = scheme + ":" + strings.Join(parts[:2], "/")
		}
	}
	if f.Name = cmp.Or(placeOf(address), "a repository"); !strings.Contains(address, ":") {
		f.Name = "flake:" + f.Name
	}
	f.Spec = ref
	if commit.MatchString(ref) || values.Has("narHash") {
		f.Class = Fine
	}
	r.add(f, w)
}
