package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	npmversion "github.com/aquasecurity/go-npm-version/pkg"
)

// npm asks an npm registry.
type npm struct {
	client   client
	settings Settings
}

// packument is the abbreviated document of a package
// (github.com/npm/registry/blob/main/docs/responses/package-metadata.md): the
// full one can have 50 MB and more.
type packument struct {
	Tags     map[string]string `json:"dist-tags"`
	Versions map[string]struct {
		// Deprecated is a text, or false.
		Deprecated any `json:"deprecated"`
	} `json:"versions"`
}

const abbreviated = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8"

var npmName = regexp.MustCompile(`^(@[A-Za-z0-9~-][A-Za-z0-9._~-]*/)?[A-Za-z0-9~_-][A-Za-z0-9._~-]*$`)

// Resolve chooses as npm does (npm-pick-manifest): a tag or an exact version is
// what it says; of a range it is "latest" when that is in it and not
// deprecated, else the highest that is not deprecated, else the highest. The
// engines that a version names are not looked at: which Node will run it is not
// known here.
func (n npm) Resolve(ctx context.Context, p Package) (Exact, error) {
	if !npmName.MatchString(p.Name) {
		return "", unresolvablef("its name is none that an npm package can have")
	}
	doc, err := n.document(ctx, p.Name)
	if err != nil {
		return "", err
	}
	return doc.pick(p)
}

func (n npm) document(ctx context.Context, name string) (packument, error) {
	registry := n.settings.NPM
	if scope, _, scoped := strings.Cut(name, "/"); scoped {
		registry = first(n.settings.NPMScopes[scope], registry)
	}
	body, _, err := n.client.get(ctx, registry+"/"+url.PathEscape(name), abbreviated)
	switch {
	case errors.Is(err, errMissing):
		return packument{}, unresolvablef("the npm registry has no package %s", name)
	case err != nil:
		return packument{}, err
	}
	var doc packument
	if err := json.Unmarshal(body, &doc); err != nil {
		return packument{}, fmt.Errorf("the npm registry's answer about %s is not what a registry says: %w", name, err)
	}
	return doc, nil
}

// pick chooses a version.
func (doc packument) pick(p Package) (Exact, error) {
	spec := strings.TrimSpace(p.Spec)
	if version, ok := exactNPM(strings.TrimLeft(spec, "=v")); ok {
		if _, there := doc.Versions[version]; there {
			return Exact(version), nil
		}
		return "", unresolvablef("the npm registry has no version %s of %s", version, p.Name)
	}
	allows, ok := parseNPMRange(spec)
	if !ok {
		return doc.tagged(p.Name, spec)
	}
	// "*" takes latest even when it is a pre-release.
	everything := spec == "" || spec == "*"
	if latest, ok := exactNPM(doc.Tags["latest"]); ok && (everything || allows.has(latest)) {
		if v, there := doc.Versions[latest]; there && !deprecated(v.Deprecated) {
			return Exact(latest), nil
		}
	}
	return doc.highest(p, allows)
}

// tagged is what a tag says, and nothing else will do.
func (doc packument) tagged(name, tag string) (Exact, error) {
	if url.QueryEscape(tag) != tag {
		return "", unresolvablef("what is asked for is neither a version nor a range nor a tag of npm")
	}
	version, ok := exactNPM(doc.Tags[tag])
	if _, there := doc.Versions[version]; !ok || !there {
		return "", unresolvablef("%s has no tag %s in the npm registry", name, tag)
	}
	return Exact(version), nil
}

func (doc packument) highest(p Package, allows npmRange) (Exact, error) {
	var (
		best        npmversion.Version
		chosen      string
		chosenStale bool
	)
	for version, about := range doc.Versions {
		if _, ok := exactNPM(version); !ok || !allows.has(version) {
			continue
		}
		v, err := npmversion.NewVersion(version)
		if err != nil {
			continue
		}
		stale := deprecated(about.Deprecated)
		if chosen == "" || chosenStale && !stale || chosenStale == stale && v.GreaterThan(best) {
			best, chosen, chosenStale = v, version, stale
		}
	}
	if chosen == "" {
		return "", unresolvablef("no version of %s in the npm registry satisfies %q", p.Name, p.Spec)
	}
	return Exact(chosen), nil
}

// deprecated reads npm's mark: a text that is not empty, or true.
func deprecated(mark any) bool {
	switch m := mark.(type) {
	case string:
		return m != ""
	case bool:
		return m
	}
	return false
}

// semverForm is semver.org's own expression without build metadata, which npm
// registries drop.
var semverForm = regexp.MustCompile(`^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// exactNPM reports whether the text is one version and nothing else.
func exactNPM(text string) (string, bool) {
	const longest = 256 // semver's own limit
	return text, len(text) <= longest && semverForm.MatchString(text)
}
