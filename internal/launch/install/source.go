package install

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// isLocal recognises a path of this machine, of Unix or of Windows.
func isLocal(text string) bool {
	return text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") ||
		strings.HasPrefix(text, "/") || text == "~" || strings.HasPrefix(text, "~") && strings.ContainsAny(text, `/\`) || strings.HasPrefix(text, `.\`) ||
		strings.HasPrefix(text, `..\`) || strings.HasPrefix(text, `\`) ||
		len(text) > 2 && isLetter(text[0]) && text[1] == ':' && (text[2] == '\\' || text[2] == '/')
}

// localName is the last part of a path: folders of this machine are nobody's
// business.
func localName(text string) string {
	text = strings.TrimRight(strings.ReplaceAll(text, `\`, "/"), "/")
	return path.Base(text)
}

// hasScheme reports whether a text is an address of one of these kinds.
func hasScheme(text string, schemes ...string) bool {
	scheme, _, found := strings.Cut(text, ":")
	if !found {
		return false
	}
	for _, s := range schemes {
		if strings.EqualFold(scheme, s) {
			return true
		}
	}
	return false
}

// isGit recognises the address of a git repository.
func isGit(text string) bool {
	lower := strings.ToLower(text)
	return strings.HasPrefix(lower, "git+") || hasScheme(lower, "git", "ssh") || strings.HasPrefix(lower, "git@") ||
		hasScheme(lower, "http", "https") && webRepository.MatchString(lower)
}

// commit is a full commit.
var commit = regexp.MustCompile(`(?i)^[0-9a-f]{40}$`)

// webRepository is an address of the web that git takes.
var webRepository = regexp.MustCompile(`\.git([@#?/]|$)|^https?://(www\.)?github\.com/[^/]+/[^/#?]+([#?]|$)`)

// gitPackage records a repository. mark is what stands before the commit: # for
// npm, @ for Python.
func (r *reader) gitPackage(runner string, w word, text, mark string) {
	address, ref := text, ""
	if mark == "#" {
		address, ref, _ = strings.Cut(text, "#")
		ref = strings.TrimPrefix(ref, "commit=")
	} else {
		address, _, _ = strings.Cut(text, "#") // subdirectory, egg
		// Behind the last @ of the path, as pip and uv have it: a branch may have a
		// slash in its name.
		if i := strings.LastIndexByte(address, '@'); i > pathStart(address) {
			address, ref = address[:i], address[i+1:]
		}
	}
	f := found{
		Package: Package{Ecosystem: Git, Name: cmp.Or(placeOf(address), "a repository"), Spec: ref, Class: UnpinnedSource}, runner: runner,
		fix: "Write the full commit that you have looked at, 40 hexadecimal digits, behind the address: `" + mark + "COMMIT`. " +
			"`git ls-remote ADDRESS` lists the commits of its branches and tags.",
	}
	if commit.MatchString(ref) {
		f.Class = Fine
	}
	r.add(f, w)
}

// pathStart is where the path of an address begins, behind the host.
func pathStart(address string) int {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return strings.IndexByte(address, ':') // git@host:owner/repository
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return len(scheme) + len("://") + i
	}
	return len(address)
}

// urlPackage records a file on a web server. A full commit in its path is a pin.
func (r *reader) urlPackage(runner string, w word, text string) {
	f := found{
		Package: Package{Ecosystem: URL, Name: fileOf(text), Class: UnpinnedSource}, runner: runner,
		fix: "Name the package at an exact version, or an address that has the full commit in it, 40 hexadecimal digits.",
	}
	if hasCommit(text) {
		f.Class = Fine
	}
	r.add(f, w)
}

// hasCommit reports whether a part of an address's path is a full commit.
func hasCommit(text string) bool {
	text, _, _ = strings.Cut(text, "?")
	for part := range strings.SplitSeq(text, "/") {
		part, _, _ = strings.Cut(part, ".")
		if commit.MatchString(part) {
			return true
		}
	}
	return false
}

// placeOf is the host and path of a repository: no user, password or query,
// which may be secret.
func placeOf(address string) string {
	for _, forge := range [][2]string{{"github:", "github.com/"}, {"gitlab:", "gitlab.com/"}, {"bitbucket:", "bitbucket.org/"}, {"gist:", "gist.github.com/"}} {
		if n := len(forge[0]); len(address) >= n && strings.EqualFold(address[:n], forge[0]) {
			path := address[n:]
			if i := strings.LastIndexByte(path, '@'); i >= 0 {
				path = path[i+1:]
			}
			return forge[1] + strings.TrimSuffix(path, ".git")
		}
	}
	text := strings.TrimPrefix(address, "git+")
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	text, _, _ = strings.Cut(text, "?")
	host, rest, _ := strings.Cut(text, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if before, after, ok := strings.Cut(host, ":"); ok {
		if host = before; strings.Trim(after, "0123456789") != "" { // git@host:owner/repository, and no port
			rest = after + "/" + rest
		}
	}
	return strings.Trim(strings.TrimSuffix(host+"/"+rest, ".git"), "/")
}

// fileOf is the host and the last part of an address: what is between may be a
// token.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an address"
	}
	switch base := path.Base(u.Path); {
	case path.Ext(base) == "" || base == ".":
		return u.Hostname() + "/…"
	case base == strings.Trim(u.Path, "/"):
		return u.Hostname() + "/" + base
	default:
		return u.Hostname() + "/…/" + base
	}
}
