package registry

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"

	npmversion "github.com/aquasecurity/go-npm-version/pkg"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

// git asks git servers over http and https.
type git struct{}

// Resolve finds the commit of a branch, a tag, a full ref name, or of the
// default branch; "semver:RANGE" is npm's word for the highest tag in a range.
// A name that is both a branch and a tag, of different commits, is unresolvable:
// launchers do not agree on which is meant.
func (git) Resolve(ctx context.Context, p Package) (Exact, error) {
	u, err := url.Parse(p.Name)
	switch {
	case err != nil || u.Host == "":
		return "", unresolvablef("the address of a git repository is no URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return "", unresolvablef("its repository is reached by another way than http and https, which are asked without credentials")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", unresolvablef("the address of a git repository holds more than host and path (credentials, a query or a fragment)")
	}
	refs, err := listRefs(ctx, p.Name)
	if err != nil {
		return "", err
	}
	if r, ok := strings.CutPrefix(p.Spec, "semver:"); ok {
		return refs.highest(r)
	}
	return refs.commit(p.Spec)
}

// refs maps full names, and "HEAD", to commits.
type refs map[string]string

func listRefs(ctx context.Context, address string) (refs, error) {
	dir, err := os.MkdirTemp("", "mcp-lint-refs-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	list, err := source.Refs(ctx, address, dir)
	switch {
	case errors.Is(err, source.ErrNotFound):
		return nil, unresolvablef("there is no such git repository, or none for everybody")
	case errors.Is(err, source.ErrUnauthorized):
		return nil, unresolvablef("the git server refuses an answer without credentials, and none are sent")
	}
	return list, err
}

func (r refs) commit(name string) (Exact, error) {
	if name == "" {
		name = "HEAD"
	}
	if sha, ok := r[name]; ok && (name == "HEAD" || strings.HasPrefix(name, "refs/")) {
		return Exact(sha), nil
	}
	branch, isBranch := r["refs/heads/"+name]
	tag, isTag := r["refs/tags/"+name]
	switch {
	case isBranch && isTag && branch != tag:
		return "", unresolvablef("the git repository has both a branch and a tag of that name, of different commits")
	case isTag:
		return Exact(tag), nil
	case isBranch:
		return Exact(branch), nil
	}
	return "", unresolvablef("the git repository has neither a branch nor a tag of that name")
}

// highest is the commit of the highest version among the tags.
func (r refs) highest(text string) (Exact, error) {
	allows, ok := parseNPMRange(text)
	if !ok {
		return "", unresolvablef("what is asked for is no range of npm versions")
	}
	var (
		best   npmversion.Version
		commit string
	)
	for name, sha := range r {
		tag, isTag := strings.CutPrefix(name, "refs/tags/")
		version, exact := exactNPM(strings.TrimPrefix(tag, "v"))
		if !isTag || !exact || !allows.has(version) {
			continue
		}
		v, err := npmversion.NewVersion(version)
		if err != nil {
			continue
		}
		if commit == "" || v.GreaterThan(best) {
			best, commit = v, sha
		}
	}
	if commit == "" {
		return "", unresolvablef("no tag of the git repository satisfies %q", text)
	}
	return Exact(commit), nil
}
