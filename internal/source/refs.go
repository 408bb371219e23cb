package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
)

// refBytes bounds a server's list of refs.
const refBytes = 64 << 20

// Refs lists what the refs of a repository point to, anonymously: full names
// and "HEAD", each with a commit's SHA. An annotated tag gives the commit that
// it tags. dir is an existing private directory, which the caller removes.
// Errors: ErrNotFound, ErrUnauthorized, ErrTooLarge, the context's.
func Refs(ctx context.Context, address, dir string) (map[string]string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, errors.New("source: the clone URL is no http or https URL without credentials")
	}
	g := git{dir: filepath.Join(dir, "refs.git"), limits: Limits{}.withDefaults(), anonymous: true, httpsOnly: u.Scheme == "https"}
	if err := g.init(ctx); err != nil {
		return nil, err
	}
	out, err := g.output(ctx, refBytes, "ls-remote", "--quiet", "--", address)
	if err != nil {
		return nil, err
	}
	refs := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		sha, name, ok := strings.Cut(lines.Text(), "\t")
		if !ok || !isSHA(sha) {
			continue // sha256 repositories have no commits of 40 digits
		}
		if tag, peeled := strings.CutSuffix(name, "^{}"); peeled {
			refs[tag] = sha // comes behind the tag itself
			continue
		}
		refs[name] = sha
	}
	return refs, nil
}
