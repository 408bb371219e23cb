package registrytest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Repository is a bare git repository for a Server to give out.
type Repository struct {
	Dir     string
	backend string
}

// NewRepository makes an empty repository in a folder. The error wraps
// exec.ErrNotFound where git or its http-backend is missing.
func NewRepository(dir string) (*Repository, error) {
	r := &Repository{Dir: filepath.Join(dir, "served.git")}
	libexec, err := r.Git("--exec-path")
	if err != nil {
		return nil, err
	}
	r.backend = filepath.Join(libexec, "git-http-backend")
	if _, err := os.Stat(r.backend); err != nil {
		return nil, fmt.Errorf("git http-backend: %w", exec.ErrNotFound)
	}
	_, err = r.Git("init", "--quiet", "--bare", "--initial-branch=main", r.Dir)
	return r, err
}

// Git runs git on the repository and returns what it prints, without the line's
// end.
func (r *Repository) Git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(r.Dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=" + r.Dir,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// Commit makes an empty commit that refs point to, and returns its name. Equal
// messages make equal commits.
func (r *Repository) Commit(message string, refs ...string) (string, error) {
	tree, err := r.Git("hash-object", "-w", "-t", "tree", os.DevNull)
	if err != nil {
		return "", err
	}
	sha, err := r.Git("commit-tree", tree, "-m", message)
	for _, ref := range refs {
		if err == nil {
			_, err = r.Git("update-ref", ref, sha)
		}
	}
	return sha, err
}

// Handler serves the repository over smart HTTP below /git/served.git.
func (r *Repository) Handler() http.Handler {
	return &cgi.Handler{
		Path: r.backend, Root: "/git", Stderr: io.Discard,
		Env: []string{
			"GIT_PROJECT_ROOT=" + filepath.Dir(r.Dir), "GIT_HTTP_EXPORT_ALL=1",
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		},
	}
}
