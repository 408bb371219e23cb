package githubtest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// CheckRun is what a check run looks like now.
type CheckRun struct {
	ID                     int64
	AppID                  int64
	Name, HeadSHA          string
	Status, Conclusion     string // Conclusion "" = none yet
	ExternalID, DetailsURL string
	StartedAt, CompletedAt time.Time
	Title, Summary, Text   string
	Annotations            []Annotation
	Actions                []CheckAction
	URL                    string // its page
}

func (run *checkRun) snapshot() CheckRun {
	return CheckRun{
		ID: run.id, AppID: run.suite.appID, Name: run.name, HeadSHA: run.sha, Status: run.status, Conclusion: run.conclusion,
		ExternalID: run.externalID, DetailsURL: run.detailsURL, StartedAt: run.started, CompletedAt: run.completed,
		Title: run.title, Summary: run.summary, Text: run.text,
		Annotations: slices.Clone(run.annotations), Actions: slices.Clone(run.actions), URL: run.repo.page("runs", run.id),
	}
}

// CheckRuns lists all runs on a commit, of every app, oldest first.
func (s *Server) CheckRuns(r *Repository, sha string) []CheckRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []CheckRun
	for _, run := range r.runs {
		if run.sha == sha {
			out = append(out, run.snapshot())
		}
	}
	return out
}

// WaitForChecks waits until the App's newest run of each name on a commit is
// completed, and returns these in the order of names. The error says what was
// there when ctx ended.
func (s *Server) WaitForChecks(ctx context.Context, r *Repository, sha string, names ...string) ([]CheckRun, error) {
	for {
		s.mu.Lock()
		changed := s.changed
		var done []CheckRun
		var seen []string
		for _, name := range names {
			for _, run := range slices.Backward(r.runs) {
				if run.sha == sha && run.name == name && run.suite.appID == AppID {
					seen = append(seen, name+" "+run.status)
					if run.status == "completed" {
						done = append(done, run.snapshot())
					}
					break
				}
			}
		}
		s.mu.Unlock()
		if len(done) == len(names) {
			return done, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("githubtest: waiting for %s on %s of %s, saw [%s]: %w", strings.Join(names, ", "), sha, r.FullName(), strings.Join(seen, ", "), ctx.Err())
		}
	}
}

// Comment is a comment on a pull request.
type Comment struct {
	ID                   int64
	Author, Body         string
	CreatedAt, UpdatedAt time.Time
	URL                  string
	Reactions            []string // of the App
}

func (k *comment) url() string {
	return fmt.Sprintf("%s#issuecomment-%d", k.pull.URL(), k.id)
}

// Comments lists the comments of a pull request, oldest first.
func (s *Server) Comments(r *Repository, number int) []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := r.pull(int64(number))
	if p == nil {
		return nil
	}
	var out []Comment
	for _, k := range p.comments {
		out = append(out, Comment{ID: k.id, Author: k.author.login, Body: k.body, CreatedAt: k.created, UpdatedAt: k.updated, URL: k.url(), Reactions: slices.Clone(k.reactions)})
	}
	return out
}

// SARIF is one upload to code scanning.
type SARIF struct {
	ID, Ref, CommitSHA string
	Status             string   // pending, complete or failed
	Errors             []string // why it failed
	Document           json.RawMessage
	Tool, Category     string // of the first run
	Results            int    // in all runs
}

// SARIFs lists the uploads to a repository, oldest first. Looking does not
// process them: an upload stays pending until the client has polled.
func (s *Server) SARIFs(r *Repository) []SARIF {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []SARIF
	for _, up := range r.sarifs {
		x := SARIF{ID: up.id, Ref: up.ref, CommitSHA: up.sha, Status: "pending", Document: slices.Clone(up.document)}
		if up.done {
			x.Status, x.Errors = up.finish(), slices.Clone(up.errors)
		}
		for i, run := range up.runs {
			if i == 0 {
				x.Tool, x.Category = run.tool, run.category
			}
			x.Results += len(run.results)
		}
		out = append(out, x)
	}
	return out
}

// Alert is a code scanning alert.
type Alert struct {
	Number             int
	State              string // open or fixed
	Tool, Rule         string
	Severity, Message  string
	Fingerprint        string
	Path               string
	StartLine, EndLine int
	Ref, Category      string
}

func (a *alert) snapshot(i *alertInstance, state string) Alert {
	return Alert{
		Number: a.number, State: state, Tool: a.tool, Rule: a.rule.id, Severity: i.result.level, Message: i.result.message,
		Fingerprint: a.fingerprint, Path: i.result.path, StartLine: i.result.startLine, EndLine: i.result.endLine, Ref: i.ref, Category: i.category,
	}
}

// Alerts lists all alerts of a repository as last seen on any ref, oldest first.
func (s *Server) Alerts(r *Repository) []Alert {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Alert
	for _, a := range r.alerts {
		out = append(out, a.snapshot(a.last, a.state()))
	}
	return out
}

// alertsOn lists the alerts of a ref with their state there.
func (r *Repository) alertsOn(ref string) []Alert {
	var out []Alert
	for _, a := range r.alerts {
		if i := a.on(ref); i != nil {
			out = append(out, a.snapshot(i, i.state()))
		}
	}
	return out
}

// CommitInfo is what is in a commit.
type CommitInfo struct {
	Parents         []string
	Author, Message string   // Author as NAME <EMAIL>
	Files           []string // that it changes against its first parent
}

// Inspect returns what is in a commit.
func (r *Repository) Inspect(sha string) (CommitInfo, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	out, err := r.run(nil, "log", "-1", "--format=%P%n%an <%ae>%n%B", sha)
	if err != nil {
		return CommitInfo{}, err
	}
	f := strings.SplitN(string(out), "\n", 3)
	info := CommitInfo{Parents: strings.Fields(f[0]), Author: f[1], Message: strings.TrimSpace(f[2])}
	out, err = r.run(nil, "diff-tree", "-r", "-z", "--name-only", "--no-commit-id", "--root", sha)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info.Files = append(info.Files, name)
	}
	return info, err
}
