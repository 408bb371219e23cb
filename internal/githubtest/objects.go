package githubtest

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Real payloads are the templates for users, repositories and pull requests, so
// that ours have every key of the real ones. See payloads/README.md.
//
//go:embed payloads/pull_request.opened.json
var pullRequestExample []byte

//go:embed payloads/ping.json
var pingExample []byte

// templates parses the examples; callers copy before they change anything.
var templates = sync.OnceValue(func() (t struct{ pull, repository, user, hook obj }) {
	var event struct {
		Pull       obj `json:"pull_request"`
		Repository obj `json:"repository"`
		Sender     obj `json:"sender"`
	}
	var ping struct {
		Hook obj `json:"hook"`
	}
	for data, into := range map[*[]byte]any{&pullRequestExample: &event, &pingExample: &ping} {
		if err := json.Unmarshal(*data, into); err != nil {
			panic(err) // embedded, so a broken one never gets past the first test
		}
	}
	t.pull, t.repository, t.user, t.hook = event.Pull, event.Repository, event.Sender, ping.Hook
	return t
})

// user is an account: a person, or the App's bot.
type user struct {
	id    int64
	login string
	kind  string // User or Bot
}

// user returns the account of that login, creating it. Callers hold mu.
func (s *Server) user(login string) *user {
	key := strings.ToLower(login)
	if s.users[key] == nil {
		u := &user{id: s.newID(), login: login, kind: "User"}
		if strings.HasSuffix(login, "[bot]") {
			u.kind = "Bot"
		}
		s.users[key] = u
	}
	return s.users[key]
}

// fill copies a template and replaces the example's names and hosts in every string.
func (s *Server) fill(template obj, owner, name string) obj {
	replace := strings.NewReplacer(
		"https://api.github.com/", s.APIURL, "https://github.com/", s.WebURL+"/", "http://github.com/", s.WebURL+"/",
		"git://github.com/", "git://127.0.0.1/", "git@github.com:", "git@127.0.0.1:",
		"https://avatars1.githubusercontent.com/", s.WebURL+"/avatars/",
		"Codertocat", url.PathEscape(owner), "Hello-World", name,
	)
	var walk func(any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			return replace.Replace(v)
		case obj:
			out := make(obj, len(v))
			for key, value := range v {
				out[key] = walk(value)
			}
			return out
		case []any:
			out := make([]any, len(v))
			for i, value := range v {
				out[i] = walk(value)
			}
			return out
		}
		return v
	}
	return walk(template).(obj)
}

func (s *Server) userObject(u *user) obj {
	o := s.fill(templates().user, u.login, "")
	o["login"], o["id"], o["type"], o["node_id"] = u.login, u.id, u.kind, nodeID(u.kind, u.id)
	return o
}

func (s *Server) repositoryObject(r *Repository) obj {
	o := s.fill(templates().repository, r.Owner, r.Name)
	visibility := "public"
	if r.private {
		visibility = "private"
	}
	for key, value := range (obj{
		"id": r.ID, "node_id": nodeID("Repository", r.ID), "private": r.private, "visibility": visibility, "fork": r.parent != nil,
		"owner": s.userObject(s.user(r.Owner)), "default_branch": r.defaultBranch, "archived": false,
		"created_at": stamp(r.created), "updated_at": stamp(r.created), "pushed_at": stamp(r.pushed),
		"open_issues": r.openPulls(), "open_issues_count": r.openPulls(),
	}) {
		o[key] = value
	}
	return o
}

// pullObject is the full form of a pull request; lists use it too.
func (s *Server) pullObject(p *PullRequest) obj {
	r := p.repo
	o := s.fill(templates().pull, r.Owner, r.Name)
	number := fmt.Sprint(p.Number)
	for key, value := range o {
		if text, isText := value.(string); isText && strings.Contains(key, "url") {
			o[key] = renumber(text, number, p.headSHA)
		}
	}
	for _, link := range o["_links"].(obj) {
		link.(obj)["href"] = renumber(link.(obj)["href"].(string), number, p.headSHA)
	}
	side := func(repo *Repository, ref, sha string) obj {
		return obj{"label": repo.Owner + ":" + ref, "ref": ref, "sha": sha, "user": s.userObject(s.user(repo.Owner)), "repo": s.repositoryObject(repo)}
	}
	association := "NONE"
	if p.author == r.Owner {
		association = "OWNER"
	}
	files, err := r.changedFiles(p)
	if err != nil {
		s.log.Error("githubtest: changed files", "pr", p.Number, "error", err)
	}
	additions, deletions := 0, 0
	for _, f := range files {
		additions, deletions = additions+f.additions, deletions+f.deletions
	}
	for key, value := range (obj{
		"id": p.id, "node_id": nodeID("PullRequest", p.id), "number": p.Number, "state": p.state, "title": p.title, "body": nil,
		"user": s.userObject(s.user(p.author)), "draft": p.draft, "author_association": association,
		"assignees": []any{}, "requested_reviewers": []any{}, "labels": []any{},
		"head": side(p.head, p.headRef, p.headSHA), "base": side(r, p.baseRef, p.baseSHA),
		"created_at": stamp(p.created), "updated_at": stamp(p.updated), "closed_at": stampOrNil(p.closed),
		"merged": false, "merged_at": nil, "merge_commit_sha": nil, "mergeable": nil,
		"comments": len(p.comments), "commits": p.commits, "changed_files": len(files), "additions": additions, "deletions": deletions,
	}) {
		o[key] = value
	}
	if p.body != "" {
		o["body"] = p.body
	}
	return o
}

// renumber turns the example's pull request 2 and its head into another.
func renumber(text, number, sha string) string {
	for _, collection := range []string{"/pulls/2", "/pull/2", "/issues/2"} {
		if before, after, found := strings.Cut(text, collection); found && (after == "" || strings.ContainsAny(after[:1], "/.")) {
			return before + strings.TrimSuffix(collection, "2") + number + after
		}
	}
	if before, _, found := strings.Cut(text, "/statuses/"); found {
		return before + "/statuses/" + sha
	}
	return text
}

// appObject is the App; foreign apps differ in id, slug and name only.
func (s *Server) appObject(id int64, slug string) obj {
	permissions := obj{}
	for name, level := range DefaultPermissions() {
		permissions[name] = level
	}
	return obj{
		"id": id, "slug": slug, "node_id": nodeID("App", id), "client_id": s.clientID(), "owner": s.userObject(s.user("app-owner")),
		"name": slug, "description": nil, "external_url": s.WebURL + "/apps/" + slug, "html_url": s.WebURL + "/apps/" + slug,
		"created_at": stamp(epoch), "updated_at": stamp(epoch), "permissions": permissions, "events": s.opts.Events,
	}
}

// epoch dates what needs a date but has no history.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func nodeID(kind string, id int64) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%03d:%s%d", len(kind), kind, id))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func stampOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}
