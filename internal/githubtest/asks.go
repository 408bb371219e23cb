package githubtest

import (
	"fmt"
	"net/http"
	"slices"
)

// Say adds a comment by any account and delivers issue_comment.created, if the
// installation grants what GitHub wants for that event: issues, read.
func (p *PullRequest) Say(login, body string) int64 {
	id := p.Comment(login, body)
	s := p.repo.s
	s.mu.Lock()
	if !grants(p.repo.inst.permissions, "issues:read") {
		s.mu.Unlock()
		return id
	}
	k := p.repo.findComment(id)
	d := s.prepare("issue_comment", "created", p.repo, obj{"issue": p.issueObject(), "comment": k.object(), "sender": s.userObject(k.author)})
	s.mu.Unlock()
	s.deliver(d)
	return id
}

// issueObject is a pull request as an issue.
func (p *PullRequest) issueObject() obj {
	r, page := p.repo, p.URL()
	self := r.api("issues/%d", p.Number)
	return obj{
		"url": self, "repository_url": r.s.APIURL + "repos/" + r.FullName(), "comments_url": self + "/comments", "events_url": self + "/events",
		"labels_url": self + "/labels{/name}", "html_url": page, "id": p.id, "node_id": nodeID("PullRequest", p.id), "number": p.Number,
		"title": p.title, "body": p.body, "user": r.s.userObject(r.s.user(p.author)), "state": p.state, "locked": false, "labels": []any{},
		"assignees": []any{}, "comments": len(p.comments), "author_association": "NONE",
		"created_at": stamp(p.created), "updated_at": stamp(p.updated), "closed_at": stampOrNil(p.closed), "draft": p.draft,
		"pull_request": obj{"url": r.api("pulls/%d", p.Number), "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch", "merged_at": nil},
	}
}

// Press presses a button of a check run as any account, whether GitHub would
// show it to that account or not, and delivers check_run.requested_action.
func (r *Repository) Press(login string, checkRunID int64, identifier string) error {
	r.s.mu.Lock()
	run := r.findRun(checkRunID)
	if run == nil {
		r.s.mu.Unlock()
		return fmt.Errorf("githubtest: no check run %d", checkRunID)
	}
	d := r.s.prepare("check_run", "requested_action", r, obj{
		"check_run": run.object(), "requested_action": obj{"identifier": identifier}, "sender": r.s.userObject(r.s.user(login)),
	})
	r.s.mu.Unlock()
	r.s.deliver(d)
	return nil
}

// Rerun presses GitHub's own "Re-run" of a check run as any account and delivers
// check_run.rerequested. The run itself stays as it is (docs, rerequest a check
// run).
func (r *Repository) Rerun(login string, checkRunID int64) error {
	r.s.mu.Lock()
	run := r.findRun(checkRunID)
	if run == nil {
		r.s.mu.Unlock()
		return fmt.Errorf("githubtest: no check run %d", checkRunID)
	}
	d := r.s.prepare("check_run", "rerequested", r, obj{"check_run": run.object(), "sender": r.s.userObject(r.s.user(login))})
	r.s.mu.Unlock()
	r.s.deliver(d)
	return nil
}

// RerunAll presses "Re-run all checks" on a commit as any account and delivers
// check_suite.rerequested for each App's suite.
func (r *Repository) RerunAll(login, sha string) {
	r.s.mu.Lock()
	var all []*delivery
	for _, suite := range r.suites {
		if suite.sha == sha {
			all = append(all, r.s.prepare("check_suite", "rerequested", r, obj{"check_suite": suite.object(), "sender": r.s.userObject(r.s.user(login))}))
		}
	}
	r.s.mu.Unlock()
	for _, d := range all {
		r.s.deliver(d)
	}
}

func reactionRoutes() map[string]route {
	return map[string]route{
		"reactions/create-for-issue-comment": {needs: []string{"issues:write", "pull_requests:write"}, creates: true, handle: createReaction},
	}
}

// createReaction answers 200 when the account has reacted so before (openapi).
func createReaction(c *call) reply {
	k := c.repo.findComment(c.id("comment_id"))
	if k == nil {
		return notFound()
	}
	var ask struct{ Content string }
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	status := http.StatusOK
	if !slices.Contains(k.reactions, ask.Content) {
		k.reactions, status = append(k.reactions, ask.Content), http.StatusCreated
	}
	id := k.id*10 + int64(slices.Index(k.reactions, ask.Content))
	return reply{status: status, body: obj{
		"id": id, "node_id": nodeID("Reaction", id), "user": c.s.userObject(c.s.user(c.s.BotLogin())), "content": ask.Content, "created_at": stamp(c.now),
	}}
}
