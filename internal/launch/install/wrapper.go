package install

import "strings"

// wrapper is a program that starts another: its options, then the command.
type wrapper struct {
	options
	// verbs are the words one of which must come first, "" for none.
	verbs string
	// skip is how many words stand before the command: a time, a folder.
	skip int
	// assigns: NAME=VALUE may stand before the command.
	assigns bool
	// dashes: the command stands behind a --, wherever that is.
	dashes bool
	// script is the option whose value is a command for a shell.
	script string
	// title: a title in quotation marks and options like /wait may stand first.
	title bool
	// asks are options with which nothing is started.
	asks string
}

// wrapperOf is how a program starts another; ok is false for one that does not.
// Environments of projects (poetry run, bundle exec) start what the project has,
// but may start a runner too.
func wrapperOf(name string) (w wrapper, ok bool) {
	switch name {
	case "env":
		return wrapper{options: options{values: "-u --unset -C --chdir -P -S --split-string",
			flags: "-i --ignore-environment -0 --null -v --debug --block-signal --default-signal --ignore-signal --list-signal-handling"},
			assigns: true, script: "-S --split-string"}, true
	case "sudo":
		return wrapper{options: options{values: "-u --user -g --group -h --host -p --prompt -C --close-from -T --command-timeout -D --chdir -R --chroot -r --role -t --type -U --other-user",
			flags: "-A --askpass -b --background -B --bell -E --preserve-env -H --set-home -i --login -K -k -n --non-interactive -P --preserve-groups -S --stdin -s --shell -N"},
			assigns: true}, true
	case "doas":
		return wrapper{options: options{values: "-u -C -a", flags: "-n -s -L"}}, true
	case "timeout", "gtimeout":
		return wrapper{options: options{values: "-k --kill-after -s --signal", flags: "--preserve-status --foreground -f -v --verbose -p"}, skip: 1}, true
	case "nice":
		return wrapper{options: options{values: "-n --adjustment", flags: "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9"}}, true
	case "ionice":
		return wrapper{options: options{values: "-c --class -n --classdata -p --pid", flags: "-t --ignore"}}, true
	case "nohup", "setsid", "time", "unbuffer", "winpty", "builtin", "noglob", "nocorrect",
		"and", "or", "not", "!", "do": // words of fish, and of loops of cmd
		return wrapper{options: options{values: "-o --output -f --format", flags: "-w --wait -c --ctty -p -v -a --append --fork"}}, true
	case "exec":
		return wrapper{options: options{values: "-a", flags: "-c -l"}}, true
	case "command":
		return wrapper{options: options{flags: "-p -v -V"}, asks: "-v -V"}, true
	case "stdbuf":
		return wrapper{options: options{values: "-i --input -o --output -e --error"}}, true
	case "caffeinate":
		return wrapper{options: options{values: "-t -w", flags: "-d -i -m -s -u"}}, true
	case "arch":
		return wrapper{options: options{values: "-e -d", flags: "-x86_64 -arm64 -arm64e", single: true}}, true
	case "xvfb-run":
		return wrapper{options: options{values: "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait", flags: "-a --auto-servernum -l --listen-tcp"}}, true
	case "tini", "dumb-init", "su-exec", "gosu":
		skip := 0
		if strings.HasSuffix(name, "exec") || name == "gosu" {
			skip = 1
		}
		return wrapper{options: options{values: "-p -e -r --rewrite", flags: "-s -v -w -g -c --single-child --verbose"}, skip: skip}, true
	case "start": // of cmd; its options are /b, /wait
		return wrapper{title: true}, true
	case "call":
		return wrapper{}, true
	case "asdf":
		return wrapper{verbs: "exec"}, true
	case "direnv":
		return wrapper{verbs: "exec", skip: 1}, true
	case "nvm":
		return wrapper{verbs: "exec run", options: options{flags: "--silent --lts"}, skip: 1}, true
	case "fnm":
		return wrapper{verbs: "exec", options: options{values: "--using --fnm-dir --log-level --node-dist-mirror --arch"}}, true
	case "volta":
		return wrapper{verbs: "run", options: options{values: "--node --npm --pnpm --yarn --env", flags: "--bundled-npm --no-pnpm --no-yarn --quiet --verbose"}}, true
	case "conda", "mamba", "micromamba":
		return wrapper{verbs: "run", options: options{values: "-n --name -p --prefix -r --root-prefix --cwd -e --env",
			flags: "--no-capture-output --live-stream -v --verbose --dev --debug-wrapper-scripts --clean-env -q --quiet"}}, true
	case "wsl":
		return wrapper{options: options{values: "-d --distribution --distribution-id -u --user --cd --shell-type", flags: "-e --exec ~ --system"}}, true
	case "cross-env", "cross-env-shell":
		return wrapper{assigns: true}, true
	case "op", "doppler", "infisical", "dotenvx", "teller", "berglas", "secrethub", "phase", "akeyless":
		return wrapper{verbs: "run exec", options: options{
			values: "-p --project -c --config -t --token --env-file -f --environment --env --path --projectId --scope --command --account -fv --recursive --shell " +
				"--fallback --fallback-passphrase --mount --mount-template --mount-format --mount-max-reads --name-transformer --only-secrets --preserve-env " +
				"--session -e --domain --app --tags",
			flags: "--no-masking --silent --quiet -q --overload -o --no-fallback --forward-signals --watch --no-read-env --include-imports --debug --cache --strict"},
			script: "--command", dashes: true}, true
	case "aws-vault", "chamber", "envchain", "envconsul", "vault", "granted", "saml2aws":
		return wrapper{dashes: true, verbs: "exec", options: options{othersTakeValues: true}, skip: 1}, true
	case "dotenv":
		return wrapper{options: options{values: "-e -f --file -v -p -c", flags: "-o --override --no-override --quiet -q --export"}, verbs: "?run", dashes: true}, true
	case "poetry", "pdm", "hatch", "rye", "pipenv", "pixi":
		return wrapper{verbs: "run", options: options{values: "-C --directory -P --project -p --env -e --environment --manifest-path", flags: "-q --quiet -v --verbose -s --site-packages"}}, true
	}
	return wrapper{}, false
}

// wrapper reads a program that starts another.
func (r *reader) wrapper(name string, w wrapper, args []word, depth int) {
	var (
		asks   bool
		script *word
	)
	take := func(o option) {
		asks = asks || has(w.asks, o.name)
		if has(w.script, o.name) && o.given {
			script = &o.value
		}
	}
	rest := args
	if verbs, optional := strings.CutPrefix(w.verbs, "?"); verbs != "" {
		rest = r.scan(name, rest, w.options, take)
		switch {
		case len(rest) > 0 && has(verbs, rest[0].text):
			rest = rest[1:]
		case !optional:
			return // shows or changes something, and starts nothing
		}
	}
	rest = r.beforeCommand(name, w, rest, take)
	switch {
	case script != nil:
		r.script(*script, posix, depth)
	case !asks && len(rest) > 0:
		r.command(rest, depth+1)
	}
}

// beforeCommand reads what stands before the command.
func (r *reader) beforeCommand(name string, w wrapper, words []word, take func(option)) []word {
	if w.dashes {
		for i, word := range words {
			if word.text == "--" {
				return words[i+1:]
			}
		}
	}
	for w.title && len(words) > 0 && (words[0].text == "" || strings.ContainsAny(words[0].text, "/ ")) {
		words = words[1:]
	}
	words = r.scan(name, words, w.options, take)
	for n := 0; n < w.skip && len(words) > 0; n++ {
		if isRunner(programName(words[0].text)) {
			break // what may be left out is left out
		}
		words = r.scan(name, words[1:], w.options, take)
	}
	for w.assigns && len(words) > 0 && isAssignment(words[0].text) {
		words = words[1:]
	}
	if len(words) > 0 && words[0].text == "--" {
		words = words[1:]
	}
	return words
}

// isAssignment recognises NAME=VALUE.
func isAssignment(text string) bool {
	name, _, found := strings.Cut(text, "=")
	return found && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
