package registry

import (
	"regexp"
	"slices"
	"strings"

	npmversion "github.com/aquasecurity/go-npm-version/pkg"
)

// npmRange is a range of npm's language: alternatives of comparators.
type npmRange []npmAlternative

type npmAlternative struct {
	constraints npmversion.Constraints
	// releases are those (1.2.3) of which the alternative names a pre-release.
	releases []string
}

var (
	hyphenRange   = regexp.MustCompile(`^\s*(\S+)\s+-\s+(\S+)\s*$`)
	tildeGreater  = regexp.MustCompile(`~>\s*`)
	looseVersions = regexp.MustCompile(`(^|[\s<>=~^])v(\d)`)
	preReleases   = regexp.MustCompile(`(\d+\.\d+\.\d+)-[0-9A-Za-z]`)
	// rangeForm is what ranges consist of; a tag (next, v1-lts) is none.
	rangeForm = regexp.MustCompile(`^(\s*(>=|<=|>|<|=|~|\^)?\s*(\d+|[xX*])(\.(\d+|[xX*])){0,2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?\s*)*$`)
)

// parseNPMRange reads a range; false for what is none. The library refuses
// hyphen ranges and ~>, so it gets them in other words. It also leaves a
// pre-release out as soon as one comparator names none, where npm asks for one
// that names a pre-release of the same release: the method has does that.
func parseNPMRange(text string) (npmRange, bool) {
	var r npmRange
	for alternative := range strings.SplitSeq(text, "||") {
		alternative = looseVersions.ReplaceAllString(alternative, "$1$2")
		if m := hyphenRange.FindStringSubmatch(alternative); m != nil {
			alternative = ">=" + m[1] + " <=" + m[2]
		}
		alternative = tildeGreater.ReplaceAllString(alternative, "~")
		if !rangeForm.MatchString(alternative) {
			return nil, false
		}
		if strings.TrimSpace(alternative) == "" {
			alternative = "*"
		}
		constraints, err := npmversion.NewConstraints(alternative, npmversion.WithPreRelease(true))
		if err != nil {
			return nil, false
		}
		a := npmAlternative{constraints: constraints}
		for _, m := range preReleases.FindAllStringSubmatch(alternative, -1) {
			a.releases = append(a.releases, m[1])
		}
		r = append(r, a)
	}
	return r, true
}

// has reports whether an exact version is in the range.
func (r npmRange) has(version string) bool {
	v, err := npmversion.NewVersion(version)
	if err != nil {
		return false
	}
	for _, a := range r {
		if (!v.IsPreRelease() || a.names(version)) && a.constraints.Check(v) {
			return true
		}
	}
	return false
}

// names reports whether the alternative names a pre-release of the same release.
func (a npmAlternative) names(version string) bool {
	release, _, _ := strings.Cut(version, "-")
	return slices.Contains(a.releases, release)
}
