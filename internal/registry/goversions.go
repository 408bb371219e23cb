package registry

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// versions are the module's releases and pre-releases that "go" chooses from,
// in ascending order: without those that the newest version retracts, and
// without +incompatible ones where the newest compatible one has a go.mod
// (go.dev/ref/mod#version-queries).
func (m goModule) versions(ctx context.Context) ([]string, error) {
	body, err := m.get(ctx, "@v/list")
	if err != nil {
		return nil, err
	}
	var versions []string
	for line := range strings.Lines(string(body)) {
		version, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if m.canHave(version) && !module.IsPseudoVersion(version) {
			versions = append(versions, version)
		}
	}
	semver.Sort(versions)
	incompatible := func(v string) bool { return strings.HasSuffix(v, "+incompatible") }
	newest := (goQuery{}).choose(slices.DeleteFunc(slices.Clone(versions), incompatible))
	if newest != "" && slices.ContainsFunc(versions, incompatible) {
		has, err := m.hasGoMod(ctx, newest)
		if err != nil {
			return nil, err
		}
		if has {
			versions = slices.DeleteFunc(versions, incompatible)
		}
	}
	return m.withoutRetracted(ctx, versions)
}

// hasGoMod reports whether a version has a go.mod of its own: proxies make one
// of a single line for those that have none.
func (m goModule) hasGoMod(ctx context.Context, version string) (bool, error) {
	body, err := m.goMod(ctx, version)
	made := "module " + modfile.AutoQuote(m.path) + "\n"
	return err == nil && !bytes.Equal(body, []byte(made)), err
}

func (m goModule) goMod(ctx context.Context, version string) ([]byte, error) {
	escaped, err := module.EscapeVersion(version)
	if err != nil {
		return nil, errMissing
	}
	body, err := m.get(ctx, "@v/"+escaped+".mod")
	if errors.Is(err, errMissing) {
		return nil, errors.New("a module proxy lists a version that it does not have")
	}
	return body, err
}

// withoutRetracted drops what the newest version's go.mod retracts.
func (m goModule) withoutRetracted(ctx context.Context, versions []string) ([]string, error) {
	newest := (goQuery{}).choose(versions)
	if newest == "" {
		return versions, nil
	}
	body, err := m.goMod(ctx, newest)
	if err != nil {
		return nil, err
	}
	file, err := modfile.ParseLax("go.mod", body, nil)
	if err != nil {
		return nil, errors.New("a module proxy's go.mod cannot be read")
	}
	return slices.DeleteFunc(versions, func(v string) bool {
		return slices.ContainsFunc(file.Retract, func(r *modfile.Retract) bool {
			return semver.Compare(r.Low, v) <= 0 && semver.Compare(v, r.High) <= 0
		})
	}), nil
}

// goQuery is a version query that chooses from a list: a prefix (v1, v1.2) or a
// comparison (<v1.2.3). The zero value allows everything.
type goQuery struct{ operator, version string }

// parseGoQuery reads a prefix or comparison; false for anything else.
func parseGoQuery(text string) (goQuery, bool) {
	q := goQuery{version: text}
	for _, operator := range []string{"<=", ">=", "<", ">"} {
		if rest, ok := strings.CutPrefix(text, operator); ok {
			q = goQuery{operator, rest}
			break
		}
	}
	return q, semver.IsValid(q.version)
}

// choose picks from versions in ascending order: a release before any
// pre-release, and the highest of them, but for > and >= the lowest, which is
// nearest to what was named.
func (q goQuery) choose(versions []string) string {
	chosen := ""
	for _, v := range versions {
		switch {
		case !q.allows(v):
		case chosen == "", semver.Prerelease(chosen) != "" && semver.Prerelease(v) == "":
			chosen = v
		case semver.Prerelease(chosen) == "" && semver.Prerelease(v) != "", strings.HasPrefix(q.operator, ">"):
		default:
			chosen = v
		}
	}
	return chosen
}

func (q goQuery) allows(v string) bool {
	order := semver.Compare(v, q.version)
	switch q.operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return q.version == "" || v == q.version || strings.HasPrefix(v, q.version+".")
}
