package install

import (
	"regexp"
	"strings"
)

// npmOptions are the options of npm and npx that people put before the package.
// Source: npm help config, npm help exec (npm 11).
func npmOptions() options {
	return options{
		values: "-p --package -c --call --registry --cache --userconfig --globalconfig --prefix -C -w --workspace " +
			"--shell --script-shell --node-options --node-arg -n --loglevel --otp --tag --before --proxy --https-proxy " +
			"--noproxy --cafile --ca --cert --key --scope --omit --include --location --install-strategy --fetch-retries " +
			"--fetch-timeout --logs-dir --init-module --user-agent --cpu --os --libc --min-release-age",
		flags: "-y --yes --no --no-yes --no-install --ignore-existing -q --quiet -s --silent -d -dd -ddd --verbose --prefer-offline " +
			"--prefer-online --offline --audit --no-audit --fund --no-fund --no-update-notifier --update-notifier " +
			"--ignore-scripts --legacy-peer-deps --force -f --global -g --workspaces --ws --include-workspace-root " +
			"--foreground-scripts --no-progress --progress --color --no-color --save --no-save -D --save-dev -S -E " +
			"--save-exact -O --strict-ssl --no-strict-ssl --always-spawn --package-lock --no-package-lock --json --long -l --bun " +
			"--verbose -v --version -h --help",
	}
}

// runNPM reads npx and what is like it: options, then the package, unless -p
// named packages, then arguments of the program.
func (r *reader) runNPM(runner string, args []word, depth int) {
	r.execNPM(runner, args, npmOptions(), nil, depth)
}

// execNPM does so with packages that options before the subcommand have named.
func (r *reader) execNPM(runner string, args []word, o options, packages []word, depth int) {
	var (
		call    *word
		offline bool
	)
	take := func(opt option) {
		switch opt.name {
		case "-p", "--package":
			if opt.given {
				packages = append(packages, opt.value)
			}
		case "-c", "--call":
			if opt.given {
				call = &opt.value
			}
		case "--no-install", "--no", "--offline", "--no-yes":
			offline = true // only what the project has, which its lock file pins
		}
	}
	rest, dashes := r.scanTo(runner, args, o, take)
	if strings.HasPrefix(runner, "npm ") && !dashes {
		rest = ownOptions(rest, o, take)
	}
	if call == nil && len(packages) == 0 {
		if len(rest) == 0 {
			return
		}
		packages, rest = rest[:1], rest[1:]
	}
	if !offline {
		for _, w := range packages {
			r.npmPackage(runner, w)
		}
	}
	if call != nil {
		r.callNPM(runner, *call, len(packages) > 0 || offline, depth)
		return
	}
	r.arguments(packages[0].text, rest, depth)
}

// ownOptions takes the options behind the package, up to a --: unlike npx, npm
// itself takes them wherever they stand, so that `npm exec a --package=b` fetches
// b. Those that it does not know name no package. It returns the other words.
func ownOptions(words []word, o options, take func(option)) (positional []word) {
	for len(words) > 0 {
		switch opt, n, known := o.next(words); {
		case words[0].text == "--":
			return append(positional, words[1:]...)
		case n == 0:
			positional, words = append(positional, words[0]), words[1:]
		default:
			if known {
				take(opt)
			}
			words = words[n:]
		}
	}
	return positional
}

// callNPM reads the command line that npx -c hands to a shell. Its first word is
// a program of the packages, or, when there are none, a package.
func (r *reader) callNPM(runner string, text word, known bool, depth int) {
	clear := r.shellText(text.text, posix, depth, func(words []word, depth int) {
		name := programName(words[0].text)
		if known || isRunner(name) || isLocal(words[0].text) {
			r.command(words, depth)
			return
		}
		r.npmPackage(runner+" -c, through a shell,", words[0])
	})
	if clear {
		r.claimed[text.id] = true
	}
}

// node reads an interpreter that is given a file: npx and npm may be that.
func (r *reader) node(args []word, depth int) {
	for i, w := range args {
		if strings.HasPrefix(w.text, "-") {
			continue
		}
		switch programName(w.text) {
		case "npx-cli.js":
			r.runNPM("npx", args[i+1:], depth)
		case "npm-cli.js":
			r.npmSubcommands("npm", args[i+1:], depth)
		}
		return
	}
}

// npmSubcommands reads npm, pnpm, yarn and bun: their own words before a package.
func (r *reader) npmSubcommands(program string, args []word, depth int) {
	o := npmOptions()
	if program == "pnpm" || program == "yarn" {
		o.values += " --dir --filter -F --cwd --config"
	}
	if program == "bun" { // bun --help (bun 1.3)
		o.values += " --preload -r --require --import --env-file --tsconfig-override --define -d --loader --conditions --port --cwd --config"
		o.flags += " --watch --hot --smol --no-clear-screen --inspect --inspect-wait --inspect-brk --if-present --no-deprecation --expose-gc -b"
	}
	var packages []word
	rest := r.scan(program, args, o, func(opt option) {
		if (opt.name == "-p" || opt.name == "--package") && opt.given {
			packages = append(packages, opt.value)
		}
	})
	if len(rest) == 0 {
		return
	}
	verb, rest := rest[0].text, rest[1:]
	runner := program + " " + verb
	switch {
	case program == "npm" && has("exec x", verb), program != "npm" && verb == "dlx", program == "bun" && verb == "x":
		r.execNPM(runner, rest, o, packages, depth)
	case has("install i add in ins isntall", verb), program == "yarn" && verb == "global" && len(rest) > 0 && rest[0].text == "add":
		if verb == "global" {
			rest = rest[1:]
		}
		positional, behind := r.gather(runner, rest, o, nil)
		for _, w := range append(positional, behind...) {
			r.npmPackage(runner, w)
		}
	case has("create init innit", verb):
		r.notUnderstood("create", runner+" fetches a package that writes a new project; expected a command that starts a server")
	}
	// Everything else runs what the project has, which its lock file pins.
}

var (
	// npmAlias is [NAME@]npm:PACKAGE.
	npmAlias     = regexp.MustCompile(`^(@?[^@/]+(?:/[^@/]+)?@)?npm:(.+)$`)
	ownerAndName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+(#.*)?$`)
)

// npmPackage records one package as npm takes it.
// Source: https://docs.npmjs.com/cli/v11/using-npm/package-spec
func (r *reader) npmPackage(runner string, w word) {
	text := w.text
	if alias := npmAlias.FindStringSubmatch(text); alias != nil {
		text = alias[2]
	}
	// NAME@ADDRESS is an address with a name before it.
	if i := strings.IndexByte(text[min(1, len(text)):], '@') + 1; i > 0 && !isGit(text) && isName(NPM, text[:i]) && isAddress(text[i+1:]) {
		text = text[i+1:]
	}
	switch {
	case isLocal(text) || hasScheme(text, "file", "link", "workspace", "portal", "catalog"):
		r.add(found{Package: Package{Ecosystem: Local, Name: localName(text), Class: Fine}, runner: runner}, w)
	case isGit(text), hasScheme(text, "github", "gitlab", "bitbucket", "gist"):
		r.gitPackage(runner, w, text, "#")
	case hasScheme(text, "http", "https"):
		r.urlPackage(runner, w, text)
	case shorthand(text):
		r.gitPackage(runner, w, "github:"+text, "#")
	case strings.HasSuffix(text, ".tgz") || strings.HasSuffix(text, ".tar.gz"):
		r.add(found{Package: Package{Ecosystem: Local, Name: localName(text), Class: Fine}, runner: runner}, w)
	default:
		name, spec := text, ""
		if i := strings.LastIndexByte(text, '@'); i > 0 && !strings.Contains(text[i:], "/") {
			name, spec = text[:i], text[i+1:]
		} else if i := strings.IndexByte(text[min(1, len(text)):], '@'); i >= 0 {
			name, spec = text[:i+1], text[i+2:]
		}
		r.registry(runner, NPM, name, spec, w)
	}
}

// isAddress recognises what npm takes in the place of a version. A variable with a
// default, ${VERSION:-1.2.3}, is taken for a version.
func isAddress(text string) bool {
	return !strings.HasPrefix(text, "${") && strings.Contains(text, ":") || isLocal(text) || shorthand(text)
}

// shorthand recognises owner/repository.
func shorthand(text string) bool {
	return ownerAndName.MatchString(text)
}
