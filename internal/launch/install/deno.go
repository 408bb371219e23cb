package install

import "strings"

// deno reads deno run and what is like it. Source: deno run --help (2.5).
func (r *reader) deno(args []word, depth int) {
	o := options{
		values: "-c --config --import-map --cert --location --seed --ext -L --log-level --preload",
		flags: "-A --allow-all -R -W -N -E -S -I -q --quiet --no-prompt --no-check --check --no-remote --no-npm --no-lock --frozen " +
			"--cached-only --watch --watch-hmr --unstable -r --reload --lock --node-modules-dir --vendor --no-config --env --env-file " +
			"--inspect --inspect-brk --inspect-wait --v8-flags --strace-ops --coverage --cpu-prof --no-code-cache --parallel " +
			"--host --port --open --unsafely-ignore-certificate-errors -g --global -f --force -n --name --root -e --entrypoint",
	}
	denoPermission := func(opt option, known bool) bool {
		return known || strings.HasPrefix(opt.name, "--allow-") || strings.HasPrefix(opt.name, "--deny-") ||
			strings.HasPrefix(opt.name, "--ignore-") || strings.HasPrefix(opt.name, "--unstable-")
	}
	for len(args) > 0 {
		opt, n, known := o.next(args)
		switch {
		case n > 0:
			if !denoPermission(opt, known) {
				r.unknownOption("deno", opt.name)
			}
			args = args[n:]
		case has("run serve x install i add test bench", args[0].text), args[0].text == "--":
			args = args[1:]
		default:
			r.denoModule(args[0])
			r.arguments("", args[1:], depth)
			return
		}
	}
}

// denoModule records what deno runs: a file, or something that it fetches first.
func (r *reader) denoModule(w word) {
	scheme, rest, _ := strings.Cut(w.text, ":")
	switch scheme {
	case "npm", "jsr":
		of := NPM
		if scheme == "jsr" {
			of = JSR
		}
		rest = strings.TrimPrefix(rest, "/")
		name, spec := splitDeno(rest)
		r.registry("deno", of, name, spec, w)
	case "http", "https":
		r.urlPackage("deno", w, w.text)
	}
}

// splitDeno takes [@scope/]name[@range][/path] apart.
func splitDeno(text string) (name, spec string) {
	at := 0
	if strings.HasPrefix(text, "@") {
		if at = strings.IndexByte(text, '/') + 1; at == 0 {
			return text, ""
		}
	}
	rest := text[at:]
	i := strings.IndexAny(rest, "@/")
	if i < 0 {
		return text, ""
	}
	name = text[:at+i]
	if rest[i] == '@' {
		spec, _, _ = strings.Cut(rest[i+1:], "/")
	}
	return name, spec
}
