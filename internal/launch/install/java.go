package install

import (
	"regexp"
	"strings"
)

// java reads a Java program: -jar takes a file.
func (r *reader) java(args []word, _ int) {
	o := options{
		values: "-cp -classpath --class-path -p --module-path -m --module --add-modules --add-opens --add-exports --add-reads -jar",
		single: true,
	}
	for len(args) > 0 {
		opt, n, _ := o.next(args) // options of Java itself are many, and none fetches
		if n == 0 {
			return
		}
		if has("-jar -cp -classpath", opt.name) && hasScheme(opt.value.text, "http", "https") {
			r.urlPackage("java", opt.value, opt.value.text)
		}
		if opt.name == "-jar" {
			return
		}
		args = args[n:]
	}
}

// coordinates are group:artifact[:version] of Maven, with what may follow.
var coordinates = regexp.MustCompile(`^([A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+)(?::([^@]*))?(@.*)?$`)

// jbang reads jbang: a file, Maven's coordinates, an address, or an alias that a
// catalogue on GitHub explains. Source: https://www.jbang.dev/documentation/
func (r *reader) jbang(args []word, depth int) {
	o := options{
		values: "-D -m --main --deps -cp --class-path --java -j --jar -R --runtime-option -C --compile-option --repos --catalog --source-type --files -s --sources --build-dir --cds",
		flags:  "--quiet --verbose --offline -o --fresh --insecure --interactive -i --preview --native --no-integrations --debug -d --enable-preview",
	}
	rest := r.scan("jbang", args, o, nil)
	if len(rest) > 0 && has("run app", rest[0].text) {
		rest = r.scan("jbang", rest[1:], o, nil)
	}
	if len(rest) == 0 {
		return
	}
	w := rest[0]
	switch m := coordinates.FindStringSubmatch(w.text); {
	case hasScheme(w.text, "http", "https"):
		r.urlPackage("jbang", w, w.text)
	case m != nil:
		r.registry("jbang", Maven, m[1], m[2], w)
	case strings.Contains(w.text, "@") && !isLocal(w.text):
		r.claimed[w.id] = true
		r.add(found{
			Package: Package{Ecosystem: JBang, Name: w.text, Class: UnpinnedSource}, runner: "jbang",
			fix: "Write Maven's coordinates with the exact version: `GROUP:ARTIFACT:X.Y.Z`.",
		}, w)
	}
	r.arguments("", rest[1:], depth)
}
