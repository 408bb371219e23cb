package registry

import (
	"context"
	"errors"
	"regexp"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// pypi asks Python package indexes, the first that has the package.
type pypi struct {
	client  client
	indexes []string
}

// simpleAPI asks for the index's JSON form (PEP 691) and takes its HTML form
// (PEP 503), which is all that many private indexes have.
const simpleAPI = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"

var pypiName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// Resolve chooses the highest version that the spec allows and that is not
// yanked (PEP 592). Pre-releases count when the spec names one, or when the
// package has nothing else, as uv does. What Python a version requires and for
// which systems it has wheels is not looked at: where it will run is not known
// here.
func (p pypi) Resolve(ctx context.Context, pkg Package) (Exact, error) {
	if !pypiName.MatchString(pkg.Name) {
		return "", unresolvablef("its name is none that a Python package can have")
	}
	allows, err := parseSpecifiers(pkg.Spec)
	if err != nil {
		return "", err
	}
	releases, err := p.releases(ctx, normalizePyPI(pkg.Name))
	if err != nil {
		return "", err
	}
	best, ok := highestRelease(releases, allows)
	if !ok {
		return "", unresolvablef("no version of %s in the package index satisfies %q and is neither yanked nor a pre-release", pkg.Name, pkg.Spec)
	}
	return Exact(best.String()), nil
}

// releases are the versions with at least one file that is not yanked.
func (p pypi) releases(ctx context.Context, name string) ([]pep440.Version, error) {
	for _, index := range p.indexes {
		body, mediaType, err := p.client.get(ctx, index+"/"+name+"/", simpleAPI)
		switch {
		case errors.Is(err, errMissing):
			continue
		case err != nil:
			return nil, err
		}
		files, err := readIndex(body, mediaType)
		if err != nil {
			return nil, err
		}
		return versionsOf(name, files), nil
	}
	return nil, unresolvablef("the Python package index has no package %s", name)
}

var separators = regexp.MustCompile(`[-_.]+`)

// normalizePyPI is a name as the index spells it (PEP 503).
func normalizePyPI(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// specifiers are what a requirement allows (PEP 440).
type specifiers struct {
	any            bool
	set            pep440.Specifiers
	namePreRelease bool
}

var specifierForm = regexp.MustCompile(`^\s*(===|==|!=|~=|<=|>=|<|>)\s*([^\s,;|]+)\s*$`)

func parseSpecifiers(text string) (specifiers, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || text == "*" || text == "latest" {
		return specifiers{any: true}, nil // "latest" is uvx's own word
	}
	var s specifiers
	parts := strings.Split(strings.TrimSuffix(text, ","), ",")
	for i, part := range parts {
		m := specifierForm.FindStringSubmatch(part)
		if m == nil {
			// uvx NAME@1.2 means NAME==1.2.
			if _, err := pep440.Parse(part); err != nil || len(parts) > 1 {
				return s, unresolvablef("what is asked for is no specifier of Python versions")
			}
			parts[i], m = "=="+strings.TrimSpace(part), []string{"", "==", strings.TrimSpace(part)}
		}
		v, err := pep440.Parse(strings.TrimSuffix(m[2], ".*"))
		if err != nil {
			return s, unresolvablef("what is asked for is no specifier of Python versions")
		}
		s.namePreRelease = s.namePreRelease || m[1] != "!=" && v.IsPreRelease()
	}
	set, err := pep440.NewSpecifiers(strings.Join(parts, ","))
	if err != nil {
		return s, unresolvablef("what is asked for is no specifier of Python versions")
	}
	s.set = set
	return s, nil
}

func (s specifiers) has(v pep440.Version) bool { return s.any || s.set.Check(v) }

// highestRelease chooses among the versions of a package.
func highestRelease(versions []pep440.Version, allows specifiers) (best pep440.Version, found bool) {
	preReleases := allows.namePreRelease || onlyPreReleases(versions)
	for _, v := range versions {
		if !allows.has(v) || v.IsPreRelease() && !preReleases {
			continue
		}
		if !found || v.GreaterThan(best) {
			best, found = v, true
		}
	}
	return best, found
}

func onlyPreReleases(versions []pep440.Version) bool {
	for _, v := range versions {
		if !v.IsPreRelease() {
			return false
		}
	}
	return true
}
