package githubtest

import (
	"slices"
	"strings"
	"time"
)

// checkSuite groups the runs of one app on one commit.
type checkSuite struct {
	id               int64
	repo             *Repository
	sha              string
	appID            int64
	appSlug          string
	created, updated time.Time
}

// suite returns the suite of an app on a commit, creating it as GitHub does when
// the first run arrives.
func (r *Repository) suite(sha string, appID int64, slug string, now time.Time) *checkSuite {
	for _, s := range r.suites {
		if s.sha == sha && s.appID == appID {
			return s
		}
	}
	s := &checkSuite{id: r.s.newID(), repo: r, sha: sha, appID: appID, appSlug: slug, created: now, updated: now}
	r.suites = append(r.suites, s)
	return s
}

func suiteRoutes() map[string]route {
	read := []string{"checks:read"}
	return map[string]route{
		"checks/get-suite":           {needs: read, handle: getSuite},
		"checks/list-for-suite":      {needs: read, handle: listChecksForSuite},
		"checks/list-suites-for-ref": {needs: read, handle: listSuitesForRef},
	}
}

func (r *Repository) findSuite(id int64) *checkSuite {
	for _, s := range r.suites {
		if s.id == id {
			return s
		}
	}
	return nil
}

func getSuite(c *call) reply {
	s := c.repo.findSuite(c.id("check_suite_id"))
	if s == nil {
		return notFound()
	}
	return ok(s.object())
}

func listChecksForSuite(c *call) reply {
	s := c.repo.findSuite(c.id("check_suite_id"))
	if s == nil {
		return notFound()
	}
	var found []*checkRun
	for _, run := range slices.Backward(c.repo.runs) {
		if run.suite == s && c.wants(run) {
			found = append(found, run)
		}
	}
	return counted(c, "check_runs", found, (*checkRun).object)
}

func listSuitesForRef(c *call) reply {
	sha, err := c.repo.resolve(strings.TrimPrefix(c.params["ref"], "heads/"))
	if err != nil {
		return invalid("No commit found for SHA: %s", c.params["ref"])
	}
	app := int64(atLeast(0, c.query("app_id"), 0))
	var found []*checkSuite
	for _, s := range c.repo.suites {
		if s.sha == sha && (app == 0 || s.appID == app) {
			found = append(found, s)
		}
	}
	return counted(c, "check_suites", found, (*checkSuite).object)
}

// state sums the suite's newest runs up: completed when all are, with the worst
// conclusion in GitHub's order of severity.
func (s *checkSuite) state() (status string, conclusion any, runs int) {
	worst := []string{"success", "neutral", "skipped", "cancelled", "timed_out", "action_required", "failure"}
	status, at := "completed", -1
	seen := map[string]bool{}
	for _, run := range slices.Backward(s.repo.runs) {
		if run.suite != s || seen[run.name] {
			continue
		}
		seen[run.name] = true
		runs++
		if run.status != "completed" {
			status = "in_progress"
		}
		at = max(at, slices.Index(worst, run.conclusion))
	}
	if runs == 0 {
		status = "queued"
	}
	if status == "completed" && at >= 0 {
		conclusion = worst[at]
	}
	return status, conclusion, runs
}

func (s *checkSuite) object() obj {
	status, conclusion, runs := s.state()
	k, _ := s.repo.commit(s.sha) // a suite exists only for a commit that was found
	person := obj{"name": commitName, "email": commitEmail}
	var before any
	if len(k.parents) > 0 {
		before = k.parents[0]
	}
	var branch any
	for _, p := range s.repo.pulls {
		if p.headSHA == s.sha && p.head == s.repo {
			branch = p.headRef
		}
	}
	url := s.repo.api("check-suites/%d", s.id)
	return obj{
		"id": s.id, "node_id": nodeID("CheckSuite", s.id), "head_branch": branch, "head_sha": s.sha, "status": status, "conclusion": conclusion,
		"url": url, "check_runs_url": url + "/check-runs", "before": before, "after": s.sha, "pull_requests": s.repo.pullsWithHead(s.sha),
		"app": s.repo.s.appObject(s.appID, s.appSlug), "repository": s.repo.s.repositoryObject(s.repo),
		"created_at": stamp(s.created), "updated_at": stamp(s.updated), "latest_check_runs_count": runs,
		"head_commit": obj{"id": k.sha, "tree_id": k.tree, "message": k.message, "timestamp": k.date, "author": person, "committer": person},
	}
}

// pullsWithHead is the short form that runs and suites carry. It stays empty for
// pull requests from forks (openapi, checks/create).
func (r *Repository) pullsWithHead(sha string) []obj {
	short := func(ref, sha string) obj {
		return obj{"ref": ref, "sha": sha, "repo": obj{"id": r.ID, "name": r.Name, "url": r.s.APIURL + "repos/" + r.FullName()}}
	}
	out := []obj{}
	for _, p := range r.pulls {
		if p.headSHA == sha && p.state == "open" && p.head == r {
			out = append(out, obj{"id": p.id, "number": p.Number, "url": r.api("pulls/%d", p.Number), "head": short(p.headRef, p.headSHA), "base": short(p.baseRef, p.baseSHA)})
		}
	}
	return out
}
