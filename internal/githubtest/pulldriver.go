package githubtest

import (
	"fmt"
	"slices"
	"time"
)

// PullOptions of a new pull request.
type PullOptions struct {
	Body   string
	Author string // "" means the owner of the repository with the head branch
	Draft  bool
	From   *Repository // the fork that has the head branch; nil means none
}

// OpenPull opens a pull request and delivers pull_request.opened. Like all calls
// here that deliver, it returns after the webhook has answered (or failed to).
func (r *Repository) OpenPull(title, head, base string, opts PullOptions) (*PullRequest, error) {
	r.s.mu.Lock()
	from := r
	if opts.From != nil {
		from = opts.From
	}
	if opts.Author == "" {
		opts.Author = from.Owner
	}
	now := r.s.now()
	p := &PullRequest{
		Number: len(r.pulls) + 1, repo: r, id: r.s.newID(), title: title, body: opts.Body, author: opts.Author, state: "open", draft: opts.Draft,
		head: from, headRef: head, baseRef: base, heads: map[string]bool{}, created: now, updated: now,
	}
	err := p.refresh()
	if err != nil {
		r.s.mu.Unlock()
		return nil, fmt.Errorf("githubtest: open pull request: %w", err)
	}
	r.pulls = append(r.pulls, p)
	p.deliver("opened", nil)
	return p, nil
}

// refresh takes the tips of both branches and keeps refs/pull/N/head, through
// which a fork's commits can be fetched from the base repository.
func (p *PullRequest) refresh() error {
	base, err := p.repo.resolve("refs/heads/" + p.baseRef)
	if err != nil {
		return fmt.Errorf("base branch %s: %w", p.baseRef, err)
	}
	head, err := p.head.resolve("refs/heads/" + p.headRef)
	if err != nil {
		return fmt.Errorf("head branch %s: %w", p.headRef, err)
	}
	ref := fmt.Sprintf("refs/pull/%d/head", p.Number)
	if p.head == p.repo {
		_, err = p.repo.run(nil, "update-ref", ref, head)
	} else {
		_, err = p.repo.run(nil, "fetch", "--quiet", p.head.dir, "+"+head+":"+ref)
	}
	if err != nil {
		return err
	}
	p.baseSHA, p.headSHA, p.heads[head] = base, head, true
	p.updated = p.repo.s.now()
	_, err = p.repo.changedFiles(p)
	return err
}

// deliver sends a pull_request event. It is called with the lock held and
// releases it before it sends.
func (p *PullRequest) deliver(action string, extra obj) {
	payload := obj{"number": p.Number, "pull_request": p.repo.s.pullObject(p), "sender": p.repo.s.userObject(p.repo.s.user(p.author))}
	for key, value := range extra {
		payload[key] = value
	}
	d := p.repo.s.prepare("pull_request", action, p.repo, payload)
	p.repo.s.notify()
	p.repo.s.mu.Unlock()
	p.repo.s.deliver(d)
}

// HeadSHA is the commit that checks belong to.
func (p *PullRequest) HeadSHA() string {
	p.repo.s.mu.Lock()
	defer p.repo.s.mu.Unlock()
	return p.headSHA
}

// URL is the pull request's page.
func (p *PullRequest) URL() string { return p.repo.page("pull", int64(p.Number)) }

// Close closes without merging.
func (p *PullRequest) Close() {
	p.repo.s.mu.Lock()
	p.state, p.closed, p.updated = "closed", p.repo.s.now(), p.repo.s.now()
	p.deliver("closed", nil)
}

// Reopen opens a closed pull request again.
func (p *PullRequest) Reopen() {
	p.repo.s.mu.Lock()
	p.state, p.closed, p.updated = "open", time.Time{}, p.repo.s.now()
	p.deliver("reopened", nil)
}

// MarkReady ends the draft state.
func (p *PullRequest) MarkReady() {
	p.repo.s.mu.Lock()
	p.draft, p.updated = false, p.repo.s.now()
	p.deliver("ready_for_review", nil)
}

// EditTitle delivers pull_request.edited, of which only a changed base matters.
func (p *PullRequest) EditTitle(title string) {
	p.repo.s.mu.Lock()
	old := p.title
	p.title, p.updated = title, p.repo.s.now()
	p.deliver("edited", obj{"changes": obj{"title": obj{"from": old}}})
}

// EditBase changes the base branch and delivers pull_request.edited.
func (p *PullRequest) EditBase(branch string) error {
	p.repo.s.mu.Lock()
	oldRef, oldSHA := p.baseRef, p.baseSHA
	p.baseRef = branch
	if err := p.refresh(); err != nil {
		p.baseRef = oldRef
		p.repo.s.mu.Unlock()
		return fmt.Errorf("githubtest: edit base: %w", err)
	}
	p.deliver("edited", obj{"changes": obj{"base": obj{"ref": obj{"from": oldRef}, "sha": obj{"from": oldSHA}}}})
	return nil
}

// Comment adds a comment by any account and returns its id. No webhook is sent.
func (p *PullRequest) Comment(login, body string) int64 {
	p.repo.s.mu.Lock()
	defer p.repo.s.mu.Unlock()
	now := p.repo.s.now()
	k := &comment{id: p.repo.s.newID(), pull: p, author: p.repo.s.user(login), body: body, created: now, updated: now}
	p.comments = append(p.comments, k)
	p.repo.s.notify()
	return k.id
}

// Push announces what Commit did to a branch: it delivers push, and
// pull_request.synchronize for every open pull request from that branch whose
// head moved.
func (r *Repository) Push(branch string) error {
	r.s.mu.Lock()
	tip, err := r.resolve("refs/heads/" + branch)
	if err != nil {
		r.s.mu.Unlock()
		return fmt.Errorf("githubtest: push %s: %w", branch, err)
	}
	payload, err := r.pushPayload(branch, tip)
	if err != nil {
		r.s.mu.Unlock()
		return fmt.Errorf("githubtest: push %s: %w", branch, err)
	}
	d := r.s.prepare("push", "", r, payload)
	moved := r.pullsFrom(branch, tip)
	r.s.mu.Unlock()
	r.s.deliver(d)
	for _, p := range moved {
		r.s.mu.Lock()
		before := p.headSHA
		if err := p.refresh(); err != nil {
			r.s.mu.Unlock()
			return fmt.Errorf("githubtest: push %s: %w", branch, err)
		}
		p.deliver("synchronize", obj{"before": before, "after": p.headSHA})
	}
	return nil
}

// pullsFrom finds the open pull requests whose head is that branch, in any
// repository, and is not yet at tip.
func (r *Repository) pullsFrom(branch, tip string) []*PullRequest {
	var found []*PullRequest
	for _, into := range r.s.repos {
		for _, p := range into.pulls {
			if p.state == "open" && p.head == r && p.headRef == branch && p.headSHA != tip {
				found = append(found, p)
			}
		}
	}
	slices.SortFunc(found, func(a, b *PullRequest) int { return int(a.id - b.id) })
	return found
}

// pushPayload describes the move of a branch since the last Push.
func (r *Repository) pushPayload(branch, tip string) (obj, error) {
	k, err := r.commit(tip)
	if err != nil {
		return nil, err
	}
	before := r.announced[branch]
	created := before == ""
	if created {
		before = "0000000000000000000000000000000000000000"
	}
	r.announced[branch] = tip
	person := obj{"name": commitName, "email": commitEmail}
	head := obj{
		"id": k.sha, "tree_id": k.tree, "distinct": true, "message": k.message, "timestamp": k.date, "url": r.s.WebURL + "/" + r.FullName() + "/commit/" + k.sha,
		"author": person, "committer": person, "added": []any{}, "removed": []any{}, "modified": []any{},
	}
	return obj{
		"ref": "refs/heads/" + branch, "before": before, "after": tip, "pusher": person, "created": created, "deleted": false, "forced": false, "base_ref": nil,
		"compare": r.s.WebURL + "/" + r.FullName() + "/compare/" + before + "..." + tip, "commits": []any{head}, "head_commit": head,
	}, nil
}

// Tip is the commit at the tip of a branch.
func (r *Repository) Tip(branch string) (string, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.resolve("refs/heads/" + branch)
}

// ReadFile is the content of a file in a commit.
func (r *Repository) ReadFile(sha, name string) ([]byte, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.run(nil, "cat-file", "blob", sha+":"+name)
}
