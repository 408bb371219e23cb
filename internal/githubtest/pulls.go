package githubtest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// PullRequest is one pull request; see Repository.OpenPull. Number is constant.
type PullRequest struct {
	Number int

	repo             *Repository
	id               int64
	title, body      string
	author           string
	state            string // open or closed
	draft            bool
	head             *Repository // a fork, or repo itself
	headRef, baseRef string
	headSHA, baseSHA string
	heads            map[string]bool // every head SHA it had
	created, updated time.Time
	closed           time.Time // zero while open
	comments         []*comment

	diffKey string // base and head of the cached difference
	diff    []changedFile
	commits int
}

func (r *Repository) pull(number int64) *PullRequest {
	if number < 1 || number > int64(len(r.pulls)) {
		return nil
	}
	return r.pulls[number-1]
}

// changedFiles is cached: pull requests are shown far more often than they change.
func (r *Repository) changedFiles(p *PullRequest) ([]changedFile, error) {
	if key := p.baseSHA + p.headSHA; p.diffKey != key {
		files, err := r.difference(p.baseSHA, p.headSHA)
		if err != nil {
			return nil, err
		}
		out, err := r.run(nil, "rev-list", "--count", p.baseSHA+".."+p.headSHA)
		if err != nil {
			return nil, err
		}
		p.commits, _ = strconv.Atoi(strings.TrimSpace(string(out)))
		p.diff, p.diffKey = files, key
	}
	return p.diff, nil
}

func pullRoutes() map[string]route {
	read := []string{"pull_requests:read"}
	return map[string]route{
		"pulls/list":       {needs: read, handle: listPulls},
		"pulls/get":        {needs: read, handle: getPull},
		"pulls/list-files": {needs: read, handle: listPullFiles},
		"repos/list-pull-requests-associated-with-commit": {needs: read, handle: listCommitPulls},
	}
}

func listPulls(c *call) reply {
	state := c.query("state")
	if state == "" {
		state = "open"
	}
	var found []*PullRequest
	for _, p := range c.repo.pulls {
		if (state == "all" || p.state == state) &&
			(c.query("base") == "" || p.baseRef == c.query("base")) &&
			(c.query("head") == "" || p.head.Owner+":"+p.headRef == c.query("head")) {
			found = append(found, p)
		}
	}
	if c.query("direction") != "asc" {
		slices.Reverse(found)
	}
	return listed(c, found, c.s.pullObject)
}

func getPull(c *call) reply {
	p := c.repo.pull(c.id("pull_number"))
	if p == nil {
		return notFound()
	}
	return ok(c.s.pullObject(p))
}

func listPullFiles(c *call) reply {
	p := c.repo.pull(c.id("pull_number"))
	if p == nil {
		return notFound()
	}
	files, err := c.repo.changedFiles(p)
	if err != nil {
		return refuse(http.StatusInternalServerError, "%v", err)
	}
	return listed(c, files[:min(len(files), MaxPullFiles)], func(f changedFile) obj {
		web := c.s.WebURL + "/" + c.repo.FullName()
		o := obj{
			"sha": f.sha, "filename": f.name, "status": f.status, "additions": f.additions, "deletions": f.deletions, "changes": f.additions + f.deletions,
			"blob_url": web + "/blob/" + p.headSHA + "/" + f.name, "raw_url": web + "/raw/" + p.headSHA + "/" + f.name,
			"contents_url": c.repo.api("contents/%s?ref=%s", f.name, p.headSHA),
		}
		if f.previous != "" {
			o["previous_filename"] = f.previous
		}
		return o
	})
}

// listCommitPulls finds open pull requests that contain a commit as their head.
func listCommitPulls(c *call) reply {
	sha := c.params["commit_sha"]
	if _, err := c.repo.commit(sha); err != nil {
		return invalid("No commit found for SHA: %s", sha)
	}
	var found []*PullRequest
	for _, p := range c.repo.pulls {
		if p.heads[sha] {
			found = append(found, p)
		}
	}
	return listed(c, found, c.s.pullObject)
}
