package install

import "strings"

// goOptions are the build options with a value. Source: go help build (1.26).
func goOptions() options {
	return options{
		values: "-C -p -asmflags -buildmode -compiler -covermode -coverpkg -gccgoflags -gcflags -installsuffix -ldflags -mod " +
			"-modfile -overlay -pgo -pkgdir -tags -toolexec -exec",
		flags:  "-a -n -v -x -race -msan -asan -cover -work -json -linkshared -modcacherw -trimpath -buildvcs -artifacts",
		single: true,
	}
}

// golang reads go run and go install. Without an @ the package is the module's
// own, or one that its go.sum pins.
func (r *reader) golang(args []word, depth int) {
	rest := r.scan("go", args, goOptions(), nil)
	if len(rest) == 0 || !has("run install get", rest[0].text) {
		return
	}
	runner := "go " + rest[0].text
	if rest = r.scan(runner, rest[1:], goOptions(), nil); len(rest) == 0 {
		return
	}
	w := rest[0]
	if name, spec, found := strings.Cut(w.text, "@"); found && !isLocal(w.text) {
		r.registry(runner, Go, name, spec, w)
	} else if w.vague {
		r.registry(runner, Go, "", "", w)
	}
	r.arguments("", rest[1:], depth)
}
