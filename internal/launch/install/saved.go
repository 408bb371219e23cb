package install

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// aCommit is a full commit somewhere in a text.
var aCommit = regexp.MustCompile(`(?i)\b[0-9a-f]{40}\b`)

// git reads git: what clone fetches, another command of the line starts.
// Source: git help clone (git 2.47).
func (r *reader) git(args []word, _ int) {
	rest := r.scan("git", args, options{values: "-C -c --git-dir --work-tree --namespace", flags: "-p --paginate -P --no-pager --bare"}, nil)
	if len(rest) == 0 {
		return
	}
	switch rest[0].text {
	case "pull":
		r.notUnderstood("git pull", "git pull takes what the repository has now, so what is started may change at any time")
	case "clone":
		positional, behind := r.gather("git clone", rest[1:], options{
			values: "-b --branch --revision --depth -o --origin -u --upload-pack --reference --reference-if-able --separate-git-dir -j --jobs " +
				"--filter -c --config --template --shallow-since --shallow-exclude --bundle-uri --server-option",
			flags: "-q --quiet -v --verbose --progress -n --no-checkout --bare --mirror -l --local --no-local -s --shared --recurse-submodules " +
				"--recursive --single-branch --no-single-branch --tags --no-tags --shallow-submodules --sparse --dissociate --remote-submodules --reject-shallow",
		}, nil)
		if words := append(positional, behind...); len(words) > 0 && !isLocal(words[0].text) {
			r.clone(words[0])
		}
	}
}

// clone records a repository that is cloned. It is pinned when the command line
// names a full commit, for git checkout or --revision.
func (r *reader) clone(w word) {
	f := found{
		// What is written to pin a clone is no part of its address.
		Package: Package{Ecosystem: URL, Name: placeOf(w.text), Class: UnpinnedSource}, runner: "git clone",
		fix: "Clone it once and start it from there, or check out the full commit that you have looked at, 40 hexadecimal digits: `git checkout COMMIT`.",
	}
	if slices.ContainsFunc(r.words, func(o word) bool { return aCommit.MatchString(o.text) }) {
		f.Class = Fine
	}
	if f.Name == "" || w.vague {
		f.Name = "a repository"
	}
	r.add(f, w)
}

// download reads curl and wget. What they save, another command may start; what
// they write to a pipe is looked at there.
func (r *reader) download(program string, args []word) {
	address := addressIn(texts(args))
	if address == "" || !savesFile(program, texts(args)) || hasCommit(address) {
		return
	}
	r.saved(program, address)
}

func (r *reader) saved(program, address string) {
	r.notUnderstood("download", fmt.Sprintf("%s saves what %s has now, so something may be started that was not judged", program, shown(fileOf(address))))
}

// savesFile reports whether a download is written to a file. Joined options of one
// letter are read too: -fsSLo, -qO-.
func savesFile(program string, args []string) bool {
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		short := len(a) > 1 && a[0] == '-' && a[1] != '-'
		at := -1
		switch {
		case name == "--spider":
			return false
		case name == "--remote-name" || name == "--remote-name-all":
			return true
		case name == "--output" || name == "--output-document":
			at = len(a)
		case short && program == "curl" && strings.Contains(a, "O"):
			return true
		case short && program == "curl":
			at = strings.IndexByte(a, 'o') + 1
		case short && program == "wget":
			at = strings.IndexByte(a, 'O') + 1
		}
		if at <= 0 {
			continue
		}
		if !joined {
			if value = a[at:]; value == "" && i+1 < len(args) {
				value = args[i+1]
			}
		}
		return value != "-" && value != "/dev/null" && value != "/dev/stdout"
	}
	return program == "wget"
}
