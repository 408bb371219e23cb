package install

import (
	"regexp"
	"strings"
)

// dockerOptions are those of docker, podman and nerdctl before their command,
// and of run. All long options but the flags take a value.
// Source: docker run --help (29), podman-run(1) (5).
func dockerOptions() options {
	return options{
		values: "-a -c -e -h -l -m -p -u -v -w -H",
		flags: "-d --detach -i --interactive -t --tty -P --publish-all --rm --init --privileged --read-only --no-healthcheck " +
			"--oom-kill-disable --sig-proxy --disable-content-trust -q --quiet --help --tls --tlsverify -D --debug --replace --rmi " +
			"--no-hosts --no-hostname --env-host --http-proxy --tls-verify --use-api-socket --remote -r --passwd --all-tags --version",
		othersTakeValues: true,
	}
}

// container reads docker run and its relatives.
func (r *reader) container(program string, args []word, depth int) {
	rest := r.scan(program, args, dockerOptions(), nil)
	if len(rest) > 1 && has("container image", rest[0].text) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return
	}
	verb, rest := rest[0].text, rest[1:]
	runner := program + " " + verb
	switch verb {
	case "run", "create", "pull":
		rest = r.scan(runner, rest, dockerOptions(), nil)
		if len(rest) == 0 {
			return
		}
		r.image(runner, rest[0])
		r.inside(rest[1:], depth)
	case "exec":
		if rest = r.scan(runner, rest, dockerOptions(), nil); len(rest) > 0 {
			r.inside(rest[1:], depth)
		}
	case "compose", "mcp", "stack", "model", "sandbox", "play", "kube":
		r.notUnderstood("container", runner+" takes its images from elsewhere, so they were not judged")
	}
}

// inside reads the command that runs in a container, if a runner is its program.
func (r *reader) inside(words []word, depth int) {
	if len(words) > 0 && isRunner(programName(words[0].text)) {
		r.command(words, depth+1)
	}
}

var (
	imageForm   = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._/-]*(?::[0-9]+/[A-Za-z0-9._/-]+)?)([:@].*)?$`)
	imageTag    = regexp.MustCompile(`^:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}`)
	imageDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

// image records an image: NAME, NAME:TAG, NAME@DIGEST or all of it.
func (r *reader) image(runner string, w word) {
	r.claimed[w.id] = true
	m := imageForm.FindStringSubmatch(strings.TrimPrefix(w.text, "docker://"))
	if m == nil || len(m[1]) > longestName {
		what := "what no image is called"
		if w.vague {
			what = "an image that a variable names"
		}
		r.notUnderstood("image", runner+" starts "+what+", so it could not be judged")
		return
	}
	f := found{
		Package: Package{Ecosystem: Docker, Name: m[1], Spec: strings.TrimLeft(m[2], ":@"), Class: NoDigest}, runner: runner,
		fix: "Write `" + m[1] + tagOf(m[2]) + "@sha256:DIGEST` with the 64 digits that `docker buildx imagetools inspect " + m[1] + tagOf(m[2]) + "` prints.",
	}
	if _, digest, ok := strings.Cut(m[2], "@"); ok && imageDigest.MatchString(digest) {
		f.Class = Fine
	}
	r.add(f, w)
}

// tagOf is the tag with its colon, "" for none that can be repeated.
func tagOf(spec string) string {
	return imageTag.FindString(spec)
}
