package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Request says what to fetch.
type Request struct {
	// URL is the clone URL (http or https), without credentials.
	URL string
	// Token returns the text of a token that may read the contents; nil means
	// anonymous. It is asked for each fetch, so a long job gets a fresh one.
	// The text reaches git through its environment only.
	Token func(context.Context) (string, error)
	// Head and Base are full commit SHAs: the pull request's head, and the tip
	// of its base branch. Base may be empty (nothing to compare with).
	Head, Base string
	// PullNumber, when set, names refs/pull/N/head as another way to Head, for
	// servers that do not serve a bare SHA.
	PullNumber int
	// Dir is an existing private directory; the bare repository is made in it.
	// The caller removes it.
	Dir    string
	Limits Limits
}

func (r Request) check() error {
	u, err := url.Parse(r.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("source: the clone URL is no http or https URL")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("source: the clone URL must hold no credentials, query or fragment")
	case !isSHA(r.Head):
		return fmt.Errorf("source: head %q is no full commit SHA", r.Head)
	case r.Base != "" && !isSHA(r.Base):
		return fmt.Errorf("source: base %q is no full commit SHA", r.Base)
	case !filepath.IsAbs(r.Dir):
		return errors.New("source: the directory is no absolute path")
	}
	return nil
}

func isSHA(s string) bool { return len(s) == 40 && isObject(s) }

// isObject reports whether s is the full name of an object, in either of git's
// two formats.
func isObject(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// Repository is a fetched bare repository. It holds nothing that changes: all
// methods may be used concurrently.
type Repository struct {
	git     git
	request Request
}

// Fetch gets the head and base commits with their trees and nothing of their
// history. Errors: ErrNotFound, ErrUnauthorized, ErrTooLarge, the context's.
func Fetch(ctx context.Context, r Request) (*Repository, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	repo := &Repository{git: git{dir: filepath.Join(r.Dir, "repository.git"), limits: r.Limits.withDefaults()}, request: r}
	if err := repo.git.init(ctx); err != nil {
		return nil, err
	}
	if err := repo.fetchHead(ctx); err != nil {
		return nil, fmt.Errorf("fetch head %s: %w", r.Head, err)
	}
	if r.Base != "" && r.Base != r.Head {
		if err := repo.fetchCommit(ctx, r.Base); err != nil {
			return nil, fmt.Errorf("fetch base %s: %w", r.Base, err)
		}
	}
	return repo, nil
}

// init makes the bare repository, without templates and thus without hooks.
func (g git) init(ctx context.Context) error {
	if _, err := os.Stat(g.dir); err == nil {
		return fmt.Errorf("source: %s exists already", filepath.Base(g.dir))
	}
	_, err := g.output(ctx, stderrBytes, "init", "--quiet", "--bare", "--template=", "--object-format=sha1", g.dir)
	return err
}

func (r *Repository) fetchHead(ctx context.Context) error {
	err := r.fetchCommit(ctx, r.request.Head)
	if r.request.PullNumber == 0 || !errors.Is(err, ErrNotFound) {
		return err
	}
	// The ref may have moved on; what counts is whether it brought our commit.
	ref := "refs/pull/" + strconv.Itoa(r.request.PullNumber) + "/head"
	if r.fetch(ctx, r.git, "--depth=1", "--", r.request.URL, ref) != nil {
		return err // the first error names the commit
	}
	if _, missing := r.git.output(ctx, stderrBytes, "cat-file", "-e", r.request.Head+"^{commit}"); missing != nil {
		return err
	}
	return nil
}

// fetchCommit gets one commit and its tree.
func (r *Repository) fetchCommit(ctx context.Context, sha string) error {
	return r.fetch(ctx, r.git, "--depth=1", "--", r.request.URL, sha)
}

func (r *Repository) fetch(ctx context.Context, into git, args ...string) error {
	token := ""
	if r.request.Token != nil {
		var err error
		if token, err = r.request.Token(ctx); err != nil {
			return err
		}
	}
	return into.fetch(ctx, r.request.URL, token, args...)
}
