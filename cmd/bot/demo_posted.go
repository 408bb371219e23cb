package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// demoPosted is what the bot posted, as `bot demo --json` prints it.
type demoPosted struct {
	PullRequests []postedPull `json:"pull_requests"`

	urls       []string
	violations []string
}

type postedPull struct {
	Number    int          `json:"number"`
	Title     string       `json:"title"`
	CheckRuns []postedRun  `json:"check_runs"`
	SARIF     []postedScan `json:"sarif"`
	Comments  []string     `json:"comments"`
}

type postedRun struct {
	Name        string `json:"name"`
	Conclusion  string `json:"conclusion"`
	Annotations int    `json:"annotations"`
	Summary     string `json:"summary"`

	title string
}

type postedScan struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Results int    `json:"results"`
}

// posted reads everything back from GitHub's side.
func (d *demo) posted(repo *githubtest.Repository, pulls []*githubtest.PullRequest) *demoPosted {
	posted := &demoPosted{violations: d.github.Violations()}
	for i, p := range pulls {
		pull := postedPull{
			Number:    p.Number,
			Title:     demoPulls()[i].title,
			CheckRuns: []postedRun{},
			SARIF:     []postedScan{},
			Comments:  []string{},
		}
		for _, run := range d.github.CheckRuns(repo, p.HeadSHA()) {
			pull.CheckRuns = append(pull.CheckRuns, postedRun{
				Name: run.Name, Conclusion: run.Conclusion, Annotations: len(run.Annotations), Summary: run.Summary, title: run.Title,
			})
		}
		for _, up := range d.github.SARIFs(repo) {
			if up.CommitSHA == p.HeadSHA() {
				pull.SARIF = append(pull.SARIF, postedScan{ID: up.ID, Status: up.Status, Results: up.Results})
			}
		}
		for _, c := range d.github.Comments(repo, p.Number) {
			pull.Comments = append(pull.Comments, c.Body)
		}
		posted.PullRequests = append(posted.PullRequests, pull)
		posted.urls = append(posted.urls, p.URL())
	}
	return posted
}

func (posted *demoPosted) print(w io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(posted)
	}
	var b strings.Builder
	for i, p := range posted.PullRequests {
		fmt.Fprintf(&b, "\n#%d %s\n", p.Number, p.Title)
		for _, run := range p.CheckRuns {
			fmt.Fprintf(&b, "  %-14s %-8s %s (%d annotations)\n", run.Name, run.Conclusion, run.title, run.Annotations)
		}
		for _, scan := range p.SARIF {
			fmt.Fprintf(&b, "  code scanning  %s, %d results\n", scan.Status, scan.Results)
		}
		fmt.Fprintf(&b, "  comments       %d\n  see            %s\n", len(p.Comments), posted.urls[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrong compares what was posted with what the pull requests must get.
func (posted *demoPosted) wrong() []string {
	wrong := append([]string(nil), posted.violations...)
	for i, want := range demoPulls() {
		got := posted.PullRequests[i]
		say := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("#%d: ", got.Number)+fmt.Sprintf(format, args...))
		}
		if len(got.CheckRuns) != 2 {
			say("%d check runs, want 2", len(got.CheckRuns))
		}
		for name, conclusion := range map[string]report.Conclusion{report.LintCheck: want.lint, report.LockCheck: want.lock} {
			if run := got.run(name); run.Conclusion != string(conclusion) {
				say("%s is %q (%s), want %s", name, run.Conclusion, run.title, conclusion)
			}
		}
		if title := got.run(report.LockCheck).title; !strings.Contains(strings.ToLower(title), want.lockSays) {
			say("%s says %q, want …%s…", report.LockCheck, title, want.lockSays)
		}
		if len(got.Comments) != want.comments {
			say("%d comments, want %d", len(got.Comments), want.comments)
		}
		if len(got.SARIF) != 1 || got.SARIF[0].Status != "complete" {
			say("code scanning: %+v, want one complete upload", got.SARIF)
		}
	}
	return wrong
}

func (p postedPull) run(name string) postedRun {
	for _, run := range p.CheckRuns {
		if run.Name == name {
			return run
		}
	}
	return postedRun{}
}
