package githubtest

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// comment is one comment on a pull request.
type comment struct {
	id               int64
	pull             *PullRequest
	author           *user
	byApp            bool
	body             string
	created, updated time.Time
	reactions        []string // ours
}

// Comments of pull requests are issue comments; either permission will do
// (https://github.com/hasura/comment-progress/issues/9).
func commentRoutes() map[string]route {
	read, write := []string{"issues:read", "pull_requests:read"}, []string{"issues:write", "pull_requests:write"}
	return map[string]route{
		"issues/list-comments":  {needs: read, handle: listComments},
		"issues/create-comment": {needs: write, creates: true, handle: createComment},
		"issues/get-comment":    {needs: read, handle: getComment},
		"issues/update-comment": {needs: write, creates: true, handle: updateComment},
		"issues/delete-comment": {needs: write, handle: deleteComment},
	}
}

func (k *comment) object() obj {
	s, r := k.pull.repo.s, k.pull.repo
	o := obj{
		"id": k.id, "node_id": nodeID("IssueComment", k.id), "url": r.api("issues/comments/%d", k.id),
		"html_url":  k.url(),
		"issue_url": r.api("issues/%d", k.pull.Number), "body": k.body, "user": s.userObject(k.author),
		"created_at": stamp(k.created), "updated_at": stamp(k.updated), "author_association": "NONE", "performed_via_github_app": nil,
	}
	if k.byApp {
		o["performed_via_github_app"] = s.appObject(AppID, s.AppSlug())
	}
	return o
}

func (r *Repository) findComment(id int64) *comment {
	for _, p := range r.pulls {
		for _, k := range p.comments {
			if k.id == id {
				return k
			}
		}
	}
	return nil
}

func listComments(c *call) reply {
	p := c.repo.pull(c.id("issue_number"))
	if p == nil {
		return notFound()
	}
	since, _ := time.Parse(time.RFC3339, c.query("since"))
	found := slices.DeleteFunc(slices.Clone(p.comments), func(k *comment) bool { return k.updated.Before(since) })
	return listed(c, found, (*comment).object)
}

// commentBody reads and checks the one field that comments have.
func commentBody(c *call) (string, *reply) {
	var ask struct {
		Body string `json:"body"`
	}
	err := c.decode(&ask)
	bad := refuse(http.StatusUnprocessableEntity, "Validation Failed")
	detail := ""
	switch n := utf8.RuneCountInString(ask.Body); {
	case err != nil:
		detail = err.Error()
	case n == 0:
		detail = "Body cannot be blank"
	case n > MaxCommentCharacters:
		detail = "Body is too long (maximum is 65536 characters)"
	default:
		return ask.Body, nil
	}
	bad.body.(obj)["errors"] = []obj{{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": detail}}
	return "", &bad
}

func createComment(c *call) reply {
	p := c.repo.pull(c.id("issue_number"))
	if p == nil {
		return notFound()
	}
	body, bad := commentBody(c)
	if bad != nil {
		return *bad
	}
	k := &comment{id: c.s.newID(), pull: p, author: c.s.user(c.s.BotLogin()), byApp: true, body: body, created: c.now, updated: c.now}
	p.comments = append(p.comments, k)
	o := k.object()
	return reply{status: http.StatusCreated, body: o, header: http.Header{"Location": {o["url"].(string)}}}
}

func getComment(c *call) reply {
	k := c.repo.findComment(c.id("comment_id"))
	if k == nil {
		return notFound()
	}
	return ok(k.object())
}

func updateComment(c *call) reply {
	k := c.repo.findComment(c.id("comment_id"))
	if k == nil {
		return notFound()
	}
	body, bad := commentBody(c)
	if bad != nil {
		return *bad
	}
	k.body, k.updated = body, c.now
	return ok(k.object())
}

func deleteComment(c *call) reply {
	k := c.repo.findComment(c.id("comment_id"))
	if k == nil {
		return notFound()
	}
	k.pull.comments = slices.DeleteFunc(k.pull.comments, func(x *comment) bool { return x == k })
	return reply{status: http.StatusNoContent}
}
