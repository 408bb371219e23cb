package githubtest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"
)

// Repository is one repository on a Server; see CreateRepository.
type Repository struct {
	// ID, Owner and Name are constant.
	ID          int64
	Owner, Name string

	s             *Server
	dir           string // the bare git repository
	inst          *installation
	installed     bool
	private       bool
	codeScanning  bool
	defaultBranch string
	parent        *Repository // of a fork
	created       time.Time
	pushed        time.Time
	protected     map[string]bool   // branches
	collaborators map[string]string // login → permission
	known         map[string]commit // commits looked up before; they never change
	ticks         int               // commits made, dates them
	announced     map[string]string // branch → SHA of the last Push

	pulls      []*PullRequest
	runs       []*checkRun
	suites     []*checkSuite
	sarifs     []*sarif
	alerts     []*alert
	alertIndex map[string]*alert // by tool, rule and fingerprint
}

// FullName is OWNER/NAME.
func (r *Repository) FullName() string { return r.Owner + "/" + r.Name }

// CloneURL is where git fetches from, without credentials.
func (r *Repository) CloneURL() string { return r.s.WebURL + "/" + r.FullName() + ".git" }

// InstallationID is the App's installation on the owner's account.
func (r *Repository) InstallationID() int64 { return r.inst.id }

func (s *Server) repo(owner, name string) *Repository {
	return s.repos[strings.ToLower(owner+"/"+name)]
}

func (r *Repository) openPulls() int {
	n := 0
	for _, p := range r.pulls {
		if p.state == "open" {
			n++
		}
	}
	return n
}

func repoRoutes() map[string]route {
	return map[string]route{
		"repos/get":         {needs: []string{"metadata:read"}, handle: getRepo},
		"repos/get-branch":  {needs: []string{"contents:read"}, handle: getBranch},
		"repos/get-content": {needs: []string{"contents:read"}, handle: getContent},
		"git/get-ref":       {needs: []string{"contents:read"}, handle: getRef},
		"repos/get-collaborator-permission-level": {needs: []string{"metadata:read"}, handle: getPermission},
	}
}

func getRepo(c *call) reply {
	o := c.s.repositoryObject(c.repo)
	o["subscribers_count"], o["network_count"], o["has_discussions"] = 0, 0, false
	return ok(o)
}

func getBranch(c *call) reply {
	name := c.params["branch"]
	sha, err := c.repo.resolve("refs/heads/" + name)
	if err != nil {
		return refuse(http.StatusNotFound, "Branch not found")
	}
	known, err := c.repo.commit(sha)
	if err != nil {
		return notFound()
	}
	self := c.repo.api("branches/%s", name)
	return ok(obj{
		"name": name, "commit": c.repo.commitObject(known), "protected": c.repo.protected[name],
		"_links":         obj{"self": self, "html": c.s.WebURL + "/" + c.repo.FullName() + "/tree/" + name},
		"protection":     obj{"enabled": c.repo.protected[name], "required_status_checks": obj{"enforcement_level": "off", "contexts": []any{}, "checks": []any{}}},
		"protection_url": self + "/protection",
	})
}

// api is the address of something in the repository.
func (r *Repository) api(format string, args ...any) string {
	return r.s.APIURL + "repos/" + r.FullName() + "/" + fmt.Sprintf(format, args...)
}

func (r *Repository) commitObject(k commit) obj {
	author := obj{"name": commitName, "email": commitEmail, "date": k.date}
	parents := []obj{}
	for _, sha := range k.parents {
		parents = append(parents, obj{"sha": sha, "url": r.api("commits/%s", sha)})
	}
	self := r.api("commits/%s", k.sha)
	return obj{
		"sha": k.sha, "node_id": "C_" + k.sha, "url": self, "html_url": r.s.WebURL + "/" + r.FullName() + "/commit/" + k.sha, "comments_url": self + "/comments",
		"commit": obj{
			"url": r.api("git/commits/%s", k.sha), "author": author, "committer": author, "message": k.message, "comment_count": 0,
			"tree": obj{"sha": k.tree, "url": r.api("git/trees/%s", k.tree)},
		},
		"author": nil, "committer": nil, "parents": parents,
	}
}

func getRef(c *call) reply {
	ref := "refs/" + c.params["ref"]
	sha, err := c.repo.resolve(ref)
	if err != nil {
		return notFound()
	}
	return ok(obj{
		"ref": ref, "node_id": "REF_" + sha, "url": c.repo.api("git/%s", ref),
		"object": obj{"type": "commit", "sha": sha, "url": c.repo.api("git/commits/%s", sha)},
	})
}

// getContent answers with a file, a link, a submodule or a directory.
func getContent(c *call) reply {
	ref := c.query("ref")
	if ref == "" {
		ref = c.repo.defaultBranch
	}
	sha, err := c.repo.resolve(ref)
	if err != nil {
		return refuse(http.StatusNotFound, "No commit found for the ref %s", ref)
	}
	name := strings.Trim(c.params["path"], "/")
	entries, err := c.repo.list(sha, name)
	if err != nil {
		return notFound()
	}
	if name != "" && len(entries) == 1 && entries[0].name == name {
		return ok(c.repo.contentObject(entries[0], ref, true))
	}
	if len(entries) == 0 && name != "" {
		return notFound()
	}
	out := []obj{}
	for _, e := range entries {
		out = append(out, c.repo.contentObject(e, ref, false))
	}
	return ok(out)
}

// maxInlineContent: files over 1 MB come without content (docs, repos/get-content).
const maxInlineContent = 1 << 20

func (r *Repository) contentObject(e treeEntry, ref string, full bool) obj {
	self, gitURL := r.api("contents/%s?ref=%s", e.name, ref), r.api("git/blobs/%s", e.sha)
	page := r.s.WebURL + "/" + r.FullName() + "/blob/" + ref + "/" + e.name
	o := obj{
		"name": path.Base(e.name), "path": e.name, "sha": e.sha, "size": e.size, "url": self, "git_url": gitURL, "html_url": page, "download_url": nil,
		"type": e.kind(), "_links": obj{"self": self, "git": gitURL, "html": page},
	}
	if !full {
		return o
	}
	switch e.kind() {
	case "symlink":
		o["target"] = string(r.blob(e.sha))
	case "submodule":
		o["submodule_git_url"] = nil
	case "file":
		o["encoding"], o["content"] = "none", ""
		if e.size <= maxInlineContent {
			o["encoding"], o["content"] = "base64", base64.StdEncoding.EncodeToString(r.blob(e.sha))
		}
	}
	return o
}

// getPermission: everyone may read a public repository, nobody else's private one.
func getPermission(c *call) reply {
	login := c.params["username"]
	u := c.s.users[strings.ToLower(login)]
	if u == nil {
		return refuse(http.StatusNotFound, "%s is not a user", login)
	}
	level := c.repo.collaborators[strings.ToLower(login)]
	switch {
	case strings.EqualFold(login, c.repo.Owner):
		level = "admin"
	case level == "" && c.repo.private:
		level = "none"
	case level == "":
		level = "read"
	}
	o := c.s.userObject(u)
	o["role_name"] = level
	return ok(obj{"permission": level, "role_name": level, "user": o})
}
