package registry

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// maxPathElements bounds how many prefixes of a package's path are tried.
const maxPathElements = 20

// goProxy asks module proxies.
type goProxy struct {
	client client
	// proxies is GOPROXY, private the patterns of GONOPROXY.
	proxies, private string
}

// Resolve finds the module of a program's package, which is the longest prefix
// of its path that is a module, and the version that "go run" and "go install"
// would take. A branch or commit becomes its pseudo-version. Modules that the
// proxies do not have would be cloned by go itself ("direct"); that is not done
// here.
func (g goProxy) Resolve(ctx context.Context, p Package) (Exact, error) {
	if host, _, _ := strings.Cut(p.Name, "/"); module.CheckImportPath(p.Name) != nil || !strings.Contains(host, ".") || strings.Count(p.Name, "/") >= maxPathElements {
		return "", unresolvablef("its path is none of a Go package that can be fetched")
	}
	if module.MatchPrefixPatterns(g.private, p.Name) {
		return "", unresolvablef("%s is private by GOPRIVATE or GONOPROXY, so no module proxy is asked", p.Name)
	}
	proxies, err := proxyList(g.proxies)
	if err != nil {
		return "", err
	}
	for prefix := p.Name; strings.Contains(prefix, "/") || prefix == p.Name; prefix = path.Dir(prefix) {
		if module.CheckPath(prefix) != nil {
			continue // example.com/x/v1, which can be a package only
		}
		m := goModule{client: g.client, proxies: proxies, path: prefix}
		version, err := m.resolve(ctx, p.Spec)
		if !errors.Is(err, errMissing) {
			return version, err
		}
	}
	return "", unresolvablef("the module proxies know no such version of a module that holds %s", p.Name)
}

// goModule is a module that may exist.
type goModule struct {
	client  client
	proxies []proxyEntry
	path    string
}

// resolve answers a version query (go.dev/ref/mod#version-queries). The error
// is errMissing where there is no such module, or none of that revision.
func (m goModule) resolve(ctx context.Context, query string) (Exact, error) {
	switch query {
	case "", "latest", "upgrade", "patch": // nothing is installed yet, so all mean the same
		return m.latest(ctx)
	}
	allows, ok := parseGoQuery(query)
	if !ok || query == semver.Canonical(query)+semver.Build(query) {
		return m.revision(ctx, query)
	}
	versions, err := m.versions(ctx)
	if err != nil {
		return "", err
	}
	if v := allows.choose(versions); v != "" {
		return Exact(v), nil
	}
	return "", unresolvablef("no version of the module %s satisfies %q", m.path, query)
}

// latest is the highest release, else the highest pre-release, else what the
// proxy says of a module without any version.
func (m goModule) latest(ctx context.Context) (Exact, error) {
	versions, err := m.versions(ctx)
	if err != nil {
		return "", err
	}
	if v := (goQuery{}).choose(versions); v != "" {
		return Exact(v), nil
	}
	return m.info(ctx, "@latest")
}

// revision finds the version of a branch, a tag or a commit, or that there is
// one of this name.
func (m goModule) revision(ctx context.Context, name string) (Exact, error) {
	escaped, err := module.EscapeVersion(name)
	if err != nil {
		return "", unresolvablef("what is asked for is no revision that a module proxy can be asked for")
	}
	return m.info(ctx, "@v/"+escaped+".info")
}

// info reads the exact version from a proxy's answer.
func (m goModule) info(ctx context.Context, name string) (Exact, error) {
	body, err := m.get(ctx, name)
	if err != nil {
		return "", err
	}
	var info struct{ Version string }
	if err := json.Unmarshal(body, &info); err != nil || !m.canHave(info.Version) {
		return "", errors.New("a module proxy's answer is not what a proxy says")
	}
	return Exact(info.Version), nil
}

// canHave reports whether a text is a version of the module, in its only
// spelling.
func (m goModule) canHave(version string) bool {
	return module.CanonicalVersion(version) == version && module.Check(m.path, version) == nil
}

// get asks the proxies in turn.
func (m goModule) get(ctx context.Context, name string) ([]byte, error) {
	escaped, err := module.EscapePath(m.path)
	if err != nil {
		return nil, errMissing
	}
	err = errMissing
	for _, proxy := range m.proxies {
		switch proxy.address {
		case "off":
			return nil, unresolvablef("GOPROXY=off forbids to fetch the module")
		case "direct":
			return nil, err
		}
		var body []byte
		if body, _, err = m.client.get(ctx, proxy.address+"/"+escaped+"/"+name, ""); err == nil {
			return body, nil
		}
		if !proxy.orElse && !errors.Is(err, errMissing) {
			return nil, err
		}
	}
	return nil, err
}
