package install

import "strings"

// gem reads gem exec and gem install. Source: gem exec --help (3.7).
func (r *reader) gem(args []word, depth int) {
	if len(args) == 0 || !has("exec install i", args[0].text) {
		return
	}
	runner := "gem " + args[0].text
	var version string
	var named *word
	o := options{
		values: "-v --version -g --gem -s --source -i --install-dir -n --bindir -P --trust-policy --platform --build-root -p --http-proxy -B --bulk-threshold -D",
		flags: "--conservative --prerelease --pre --no-document -N --user-install --no-user-install -f --force -w --wrappers " +
			"--env-shebang -E -l --local -r --remote -b --both --clear-sources -q --quiet -V --verbose --silent --minimal-deps",
	}
	take := func(opt option) {
		switch opt.name {
		case "-v", "--version":
			version = opt.value.text
		case "-g", "--gem":
			named = &opt.value
		}
	}
	var gems []word
	if runner == "gem exec" {
		if gems = r.scan(runner, args[1:], o, take); len(gems) > 0 {
			r.arguments("", gems[1:], depth)
			gems = gems[:1]
		}
	} else {
		positional, behind := r.gather(runner, args[1:], o, take)
		gems = append(positional, behind...)
	}
	if named != nil {
		gems = []word{*named}
	}
	for _, w := range gems {
		if isLocal(w.text) || strings.HasSuffix(w.text, ".gem") {
			continue
		}
		name, spec, found := strings.Cut(w.text, ":")
		if !found {
			spec = version
		}
		r.registry(runner, RubyGems, name, spec, w)
	}
}
