package pin

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// errSpelling is a word that this program would not know how to write anew.
var errSpelling = errors.New("it is written in a way that is not known here")

// spelling says what is to be asked for a package, and how the package's word is
// written with the answer. Everything but the version stays as it is.
func spelling(pkg install.Package, word string) (registry.Package, func(registry.Exact) string, error) {
	switch pkg.Ecosystem {
	case install.NPM:
		return npmSpelling(pkg, word)
	case install.PyPI:
		return pypiSpelling(pkg, word)
	case install.Go:
		return goSpelling(pkg, word)
	case install.Docker:
		return imageSpelling(pkg, word)
	case install.Git:
		return gitSpelling(pkg, word)
	}
	return registry.Package{}, nil, fmt.Errorf("no registry is asked for packages of the kind %s; write the exact version by hand", pkg.Ecosystem)
}

// npmSpelling is of NAME, NAME@SPEC and ALIAS@npm:NAME@SPEC.
func npmSpelling(pkg install.Package, word string) (registry.Package, func(registry.Exact) string, error) {
	alias, ok := cutPackage(word, pkg.Name, "@", pkg.Spec)
	if !ok || alias != "" && !strings.HasSuffix(alias, "npm:") {
		return registry.Package{}, nil, errSpelling
	}
	return registry.Package{Ecosystem: registry.EcosystemNPM, Name: pkg.Name, Spec: pkg.Spec},
		func(v registry.Exact) string { return alias + pkg.Name + "@" + string(v) }, nil
}

// cutPackage cuts NAME, or NAME, mark and spec, from the end of a word.
func cutPackage(word, name, mark, spec string) (before string, ok bool) {
	if spec != "" {
		return strings.CutSuffix(word, name+mark+spec)
	}
	return strings.CutSuffix(strings.TrimSuffix(word, mark), name)
}

// requirement is a name with extras, limits of the version, and markers.
var requirement = regexp.MustCompile(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*(?:\s*\[[^\]]*\])?)\s*(@?)([^;]*?)(\s*;.*)?$`)

// pypiSpelling is of NAME, NAME==1.0, NAME[extra]>=1,<2; markers and uv's NAME@1.0.
func pypiSpelling(pkg install.Package, word string) (registry.Package, func(registry.Exact) string, error) {
	m := requirement.FindStringSubmatch(word)
	if m == nil || !strings.HasPrefix(strings.TrimSpace(word), pkg.Name) {
		return registry.Package{}, nil, errSpelling
	}
	name, mark, markers := m[1], "==", m[4]
	if m[2] != "" {
		mark = "@"
	}
	return registry.Package{Ecosystem: registry.EcosystemPyPI, Name: pkg.Name, Spec: pkg.Spec},
		func(v registry.Exact) string { return name + mark + string(v) + markers }, nil
}

// goSpelling is of PATH@QUERY.
func goSpelling(pkg install.Package, word string) (registry.Package, func(registry.Exact) string, error) {
	if before, ok := cutPackage(word, pkg.Name, "@", pkg.Spec); !ok || before != "" {
		return registry.Package{}, nil, errSpelling
	}
	return registry.Package{Ecosystem: registry.EcosystemGo, Name: pkg.Name, Spec: pkg.Spec},
		func(v registry.Exact) string { return pkg.Name + "@" + string(v) }, nil
}

// imageSpelling is of NAME and NAME:TAG. The tag stays, for people: docker and
// podman go by the digest behind it.
func imageSpelling(pkg install.Package, word string) (registry.Package, func(registry.Exact) string, error) {
	if strings.Contains(word, "@") {
		return registry.Package{}, nil, errors.New("it has a digest already, but not a whole one")
	}
	if before, ok := cutPackage(word, pkg.Name, ":", pkg.Spec); !ok || before != "" && before != "docker://" {
		return registry.Package{}, nil, errSpelling
	}
	return registry.Package{Ecosystem: registry.EcosystemOCI, Name: pkg.Name, Spec: pkg.Spec},
		func(v registry.Exact) string { return word + "@" + string(v) }, nil
}

// gitSpelling is of the addresses of npm (ADDRESS#REF) and Python (ADDRESS@REF).
func gitSpelling(pkg install.Package, word string) (registry.Package, func(registry.Exact) string, error) {
	switch {
	case runs(pkg, npmRunners()):
		return gitBehindHash(word)
	case runs(pkg, pythonRunners()):
		return gitBehindAt(word)
	}
	return registry.Package{}, nil, errSpelling
}

// gitBehindHash is npm's: https://docs.npmjs.com/cli/v11/configuring-npm/package-json#git-urls-as-dependencies.
func gitBehindHash(word string) (registry.Package, func(registry.Exact) string, error) {
	name, address := "", word
	if m := namedAddress.FindStringSubmatch(word); m != nil {
		name, address = m[1], m[2]
	}
	address, ref, _ := strings.Cut(address, "#")
	if strings.Contains(ref, "::") || strings.ContainsAny(ref, "&=") {
		return registry.Package{}, nil, errSpelling
	}
	clone := strings.TrimPrefix(address, "git+")
	for scheme, host := range map[string]string{"github:": "github.com", "gitlab:": "gitlab.com", "bitbucket:": "bitbucket.org"} {
		if path, ok := strings.CutPrefix(clone, scheme); ok {
			clone = "https://" + host + "/" + strings.TrimSuffix(path, ".git") + ".git"
		}
	}
	if !strings.Contains(clone, ":") { // owner/repository
		clone = "https://github.com/" + clone + ".git"
	}
	return registry.Package{Ecosystem: registry.EcosystemGit, Name: clone, Spec: ref},
		func(v registry.Exact) string { return name + address + "#" + string(v) }, nil
}

// namedAddress is NAME@ADDRESS, the name of a package of npm before an address.
var namedAddress = regexp.MustCompile(`^((?:@[^@/:]+/)?[^@/:]+@)((?:git\+|https?:|github:|gitlab:|bitbucket:).+|[^@/:]+/[^@/:]+)$`)

// gitBehindAt is pip's and uv's: https://pip.pypa.io/en/stable/topics/vcs-support/.
// The ref stands behind the last @ of the path; a name may stand before it all.
func gitBehindAt(word string) (registry.Package, func(registry.Exact) string, error) {
	name, address := "", word
	if i := strings.Index(word, "git+"); i > 0 {
		name, address = word[:i], word[i:]
		if !strings.HasSuffix(strings.TrimSpace(name), "@") {
			return registry.Package{}, nil, errSpelling
		}
	}
	address, fragment, hasFragment := strings.Cut(address, "#")
	if hasFragment {
		fragment = "#" + fragment
	}
	scheme, rest, ok := strings.Cut(address, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	if !ok || !hasPath {
		return registry.Package{}, nil, errSpelling
	}
	ref := ""
	if i := strings.LastIndexByte(path, '@'); i >= 0 {
		path, ref = path[:i], path[i+1:]
	}
	address = scheme + "://" + host + "/" + path
	return registry.Package{Ecosystem: registry.EcosystemGit, Name: strings.TrimPrefix(address, "git+"), Spec: ref},
		func(v registry.Exact) string { return name + address + "@" + string(v) + fragment }, nil
}

// npmRunners are the programs that take a commit behind a #.
func npmRunners() []string { return []string{"npx", "pnpx", "bunx", "npm", "pnpm", "yarn", "bun"} }

// pythonRunners are those that take it behind an @.
func pythonRunners() []string { return []string{"uvx", "uv", "pipx", "pip", "python"} }

// runs reports whether the package's runner is one of these programs.
func runs(pkg install.Package, programs []string) bool {
	program, _, _ := strings.Cut(pkg.Runner, " ")
	return slices.Contains(programs, program)
}
