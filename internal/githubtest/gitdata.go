package githubtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// The git data endpoints, with which an App makes a commit without pushing.
func gitDataRoutes() map[string]route {
	read, write := []string{"contents:read"}, []string{"contents:write"}
	return map[string]route{
		"git/get-commit":    {needs: read, handle: getGitCommit},
		"git/get-tree":      {needs: read, handle: getTree},
		"git/create-blob":   {needs: write, creates: true, handle: createBlob},
		"git/create-tree":   {needs: write, creates: true, handle: createTree},
		"git/create-commit": {needs: write, creates: true, handle: createCommit},
		"git/update-ref":    {needs: write, creates: true, handle: updateRef},
	}
}

func (r *Repository) gitCommitObject(k commit) obj {
	person := func(name, email string) obj { return obj{"name": name, "email": email, "date": k.date} }
	parents := []obj{}
	for _, sha := range k.parents {
		parents = append(parents, obj{"sha": sha, "url": r.api("git/commits/%s", sha), "html_url": r.s.WebURL + "/" + r.FullName() + "/commit/" + sha})
	}
	return obj{
		"sha": k.sha, "node_id": "C_" + k.sha, "url": r.api("git/commits/%s", k.sha), "html_url": r.s.WebURL + "/" + r.FullName() + "/commit/" + k.sha,
		"author": person(commitName, commitEmail), "committer": person(commitName, commitEmail), "message": k.message,
		"tree": obj{"sha": k.tree, "url": r.api("git/trees/%s", k.tree)}, "parents": parents,
		"verification": obj{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil},
	}
}

func getGitCommit(c *call) reply {
	k, err := c.repo.commit(c.params["commit_sha"])
	if err != nil {
		return notFound()
	}
	return ok(c.repo.gitCommitObject(k))
}

func (r *Repository) treeObject(sha string) (obj, error) {
	entries, err := r.list(sha, "")
	if err != nil {
		return nil, err
	}
	types := map[string]string{"040000": "tree", "160000": "commit"}
	out := []obj{}
	for _, e := range entries {
		kind := "blob"
		if known, special := types[e.mode]; special {
			kind = known
		}
		o := obj{"path": e.name, "mode": e.mode, "type": kind, "sha": e.sha}
		if kind == "blob" {
			o["size"] = e.size
		}
		out = append(out, o)
	}
	return obj{"sha": sha, "url": r.api("git/trees/%s", sha), "truncated": false, "tree": out}, nil
}

func getTree(c *call) reply {
	sha := c.params["tree_sha"]
	if !fullSHA.MatchString(sha) {
		return notFound()
	}
	o, err := c.repo.treeObject(sha)
	if err != nil {
		return notFound()
	}
	return ok(o)
}

func createBlob(c *call) reply {
	var ask struct{ Content, Encoding string }
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	content := []byte(ask.Content)
	if ask.Encoding == "base64" {
		var err error
		if content, err = base64.StdEncoding.DecodeString(ask.Content); err != nil {
			return invalid("content is not valid Base64.")
		}
	}
	sha, err := c.repo.writeObject("blob", content)
	if err != nil {
		return refuse(http.StatusInternalServerError, "%v", err)
	}
	return created(obj{"url": c.repo.api("git/blobs/%s", sha), "sha": sha})
}

// created is the answer to a request that made the object o.
func created(o obj) reply {
	return reply{status: http.StatusCreated, body: o, header: http.Header{"Location": {o["url"].(string)}}}
}

func (r *Repository) writeObject(kind string, content []byte) (string, error) {
	out, err := r.run(content, "hash-object", "-t", kind, "-w", "--stdin")
	return strings.TrimSpace(string(out)), err
}

func createTree(c *call) reply {
	var ask struct {
		BaseTree string `json:"base_tree"`
		Tree     []struct {
			Path, Mode, Type string
			SHA              *string
			Content          *string
		}
	}
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	dir, err := os.MkdirTemp(c.s.dir, "index-")
	if err != nil {
		return refuse(http.StatusInternalServerError, "%v", err)
	}
	defer os.RemoveAll(dir)
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if ask.BaseTree != "" {
		if _, err := c.repo.runWith(index, nil, "read-tree", ask.BaseTree); err != nil {
			return invalid("base_tree is not a tree")
		}
	}
	for _, e := range ask.Tree {
		if e.SHA == nil || e.Content != nil {
			return invalid("tree.sha is all that this stand-in takes")
		}
		if _, err := c.repo.runWith(index, nil, "update-index", "--add", "--cacheinfo", e.Mode+","+*e.SHA+","+e.Path); err != nil {
			return invalid("tree.path contains a malformed path component")
		}
	}
	out, err := c.repo.runWith(index, nil, "write-tree")
	if err != nil {
		return invalid("%v", err)
	}
	o, err := c.repo.treeObject(strings.TrimSpace(string(out)))
	if err != nil {
		return refuse(http.StatusInternalServerError, "%v", err)
	}
	return created(o)
}

// createCommit writes as the App's bot when no author is sent, which is what
// GitHub does.
func createCommit(c *call) reply {
	var ask struct {
		Message, Tree string
		Parents       []string
		Author        *struct{ Name, Email string }
	}
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "tree %s\n", ask.Tree)
	for _, p := range ask.Parents {
		if _, err := c.repo.commit(p); err != nil {
			return invalid("Parent SHA does not exist or is not a commit object")
		}
		fmt.Fprintf(&text, "parent %s\n", p)
	}
	name, email := c.s.BotLogin(), c.s.BotLogin()+"@users.noreply.github.com"
	if ask.Author != nil {
		name, email = ask.Author.Name, ask.Author.Email
	}
	when := c.now.Unix()
	fmt.Fprintf(&text, "author %s <%s> %d +0000\ncommitter %s <%s> %d +0000\n\n%s\n", name, email, when, name, email, when, ask.Message)
	sha, err := c.repo.writeObject("commit", text.Bytes())
	if err != nil {
		return invalid("Tree SHA does not exist")
	}
	k, err := c.repo.commit(sha)
	if err != nil {
		return refuse(http.StatusInternalServerError, "%v", err)
	}
	return created(c.repo.gitCommitObject(k))
}

// updateRef moves a branch. Who listens is told as after any other push.
func updateRef(c *call) reply {
	var ask struct {
		SHA   string
		Force bool
	}
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	ref := "refs/" + c.params["ref"]
	old, err := c.repo.resolve(ref)
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if _, err := c.repo.commit(ask.SHA); err != nil {
		return refuse(http.StatusUnprocessableEntity, "Object does not exist")
	}
	if _, err := c.repo.run(nil, "merge-base", "--is-ancestor", old, ask.SHA); err != nil && !ask.Force {
		return refuse(http.StatusUnprocessableEntity, "Update is not a fast forward")
	}
	branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
	if isBranch && c.repo.protected[branch] {
		return refuse(http.StatusUnprocessableEntity, "Changes must be made through a pull request.")
	}
	if _, err := c.repo.run(nil, "update-ref", ref, ask.SHA, old); err != nil {
		return refuse(http.StatusConflict, "%v", err)
	}
	if isBranch {
		c.s.later.Go(func() {
			if err := c.repo.Push(branch); err != nil {
				c.s.log.Error("githubtest: push", "branch", branch, "error", err)
			}
		})
	}
	return ok(obj{
		"ref": ref, "node_id": "REF_" + ask.SHA, "url": c.repo.api("git/%s", ref),
		"object": obj{"type": "commit", "sha": ask.SHA, "url": c.repo.api("git/commits/%s", ask.SHA)},
	})
}
