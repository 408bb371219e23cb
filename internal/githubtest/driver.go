package githubtest

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// RepositoryOptions of a new repository. The zero value is a private repository
// with code scanning, in the owner's installation.
type RepositoryOptions struct {
	Public          bool
	CodeScanningOff bool
	NotInstalled    bool
	// DefaultBranch; "" means main.
	DefaultBranch string
	// Permissions of the owner's installation, which all of the owner's
	// repositories share; nil leaves them, at first DefaultPermissions.
	Permissions map[string]string
}

var nameRule = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

// CreateRepository makes an empty repository, and installs the App on the owner's
// account if it is not yet.
func (s *Server) CreateRepository(owner, name string, opts RepositoryOptions) (*Repository, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !nameRule.MatchString(owner) || !nameRule.MatchString(name) || strings.HasSuffix(name, ".git") {
		return nil, fmt.Errorf("githubtest: %s/%s is not a repository name", owner, name)
	}
	if s.repo(owner, name) != nil {
		return nil, fmt.Errorf("githubtest: %s/%s exists", owner, name)
	}
	if opts.DefaultBranch == "" {
		opts.DefaultBranch = "main"
	}
	r := &Repository{
		ID: s.newID(), Owner: owner, Name: name, s: s, dir: s.gitDir(owner, name), inst: s.install(owner), installed: !opts.NotInstalled,
		private: !opts.Public, codeScanning: !opts.CodeScanningOff, defaultBranch: opts.DefaultBranch, created: s.now(), pushed: s.now(),
		protected: map[string]bool{}, collaborators: map[string]string{}, known: map[string]commit{}, announced: map[string]string{}, alertIndex: map[string]*alert{},
	}
	if opts.Permissions != nil {
		r.inst.permissions = maps.Clone(opts.Permissions)
	}
	if err := r.initGit(); err != nil {
		return nil, fmt.Errorf("githubtest: %w", err)
	}
	if r.installed {
		r.inst.repos = append(r.inst.repos, r)
	}
	s.repos[strings.ToLower(r.FullName())] = r
	return r, nil
}

// install returns the App's installation on an account, making it if needed.
func (s *Server) install(owner string) *installation {
	key := strings.ToLower(owner)
	if s.installations[key] == nil {
		s.installations[key] = &installation{id: s.newID(), owner: s.user(owner).login, permissions: DefaultPermissions(), created: s.now(), primary: s.opts.PrimaryLimit}
	}
	return s.installations[key]
}

// Fork copies a repository to another account, where the App is not installed.
func (r *Repository) Fork(owner string) (*Repository, error) {
	fork, err := r.s.CreateRepository(owner, r.Name, RepositoryOptions{Public: !r.private, NotInstalled: true, DefaultBranch: r.defaultBranch})
	if err != nil {
		return nil, err
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	fork.parent, fork.ticks = r, r.ticks
	if _, err := fork.run(nil, "fetch", "--quiet", r.dir, "+refs/heads/*:refs/heads/*"); err != nil {
		return nil, fmt.Errorf("githubtest: fork: %w", err)
	}
	return fork, nil
}

// Suspend stops an installation: no new tokens, and the old ones are refused.
func (s *Server) Suspend(owner string, suspended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.install(owner).suspended = suspended
}

// SetPermissions changes what an owner's installation grants, from now on.
func (s *Server) SetPermissions(owner string, permissions map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.install(owner).permissions = maps.Clone(permissions)
}

// SetCodeScanning switches code scanning on or off.
func (r *Repository) SetCodeScanning(on bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.codeScanning = on
}

// Protect makes a branch a protected one.
func (r *Repository) Protect(branch string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.protected[branch] = true
}

// AddCollaborator gives an account admin, write, read or no ("none") access.
func (r *Repository) AddCollaborator(login, permission string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.user(login)
	r.collaborators[strings.ToLower(login)] = permission
}

// AddForeignCheckRun adds a completed run of another app, which our App sees but
// cannot change.
func (r *Repository) AddForeignCheckRun(appID int64, slug, name, sha, conclusion string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	now := r.s.now()
	r.addRun(&checkRun{
		id: r.s.newID(), repo: r, suite: r.suite(sha, appID, slug, now), name: name, sha: sha,
		status: "completed", conclusion: conclusion, started: now, completed: now,
	})
	r.s.notify()
}

// page is the address of one of the pages for people.
func (r *Repository) page(kind string, number int64) string {
	return fmt.Sprintf("%s/%s/%s/%d", r.s.WebURL, r.FullName(), kind, number)
}
