package checks

import (
	"context"
	"fmt"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

const (
	inProgress = "in_progress"
	completed  = "completed"
	perPage    = 100 // the most that GitHub lists at once
	// lostTries is how often a write is tried whose answer does not arrive;
	// each try first looks at what the former one did.
	lostTries = 3
	lostPause = 2 * time.Second
	// mixed stands for the digest when a run carries annotations of more than
	// one list.
	mixed = "mixed"
)

// Begin makes sure that the named check run exists on the commit, and returns
// its id. It looks for a run of our App with this external id before it creates
// one, so a create whose answer was lost is found again. A run that is
// completed already stays as it is.
//
// The external id must name the job's generation: a re-run is a new check run,
// because GitHub keeps the conclusion of a run that is reset
// (https://github.com/Mergifyio/mergify/issues/541).
func (p *Publisher) Begin(ctx context.Context, name, sha, externalID string) (int64, error) {
	if r := p.state.Runs[name]; r.ID != 0 && r.ExternalID == externalID && r.SHA == sha {
		return r.ID, nil
	}
	id, err := p.begin(ctx, name, sha, externalID)
	if err != nil {
		return 0, fmt.Errorf("begin check run %q: %w", name, err)
	}
	return id, nil
}

func (p *Publisher) begin(ctx context.Context, name, sha, externalID string) (int64, error) {
	opts := github.CreateCheckRunOptions{
		Name: name, HeadSHA: sha, ExternalID: &externalID, DetailsURL: p.detailsURL(),
		Status: github.String(inProgress), StartedAt: &github.Timestamp{Time: p.o.Now()},
	}
	for try := 1; ; try++ {
		run, err := p.findRun(ctx, name, sha, externalID)
		if err != nil {
			return 0, err
		}
		if run == nil {
			run, _, err = p.o.Client.Checks.CreateCheckRun(ctx, p.o.Owner, p.o.Repo, opts)
		}
		if err == nil {
			p.o.Log.Info("check run begun", "check_run", run.GetID(), "name", name)
			return run.GetID(), p.setRun(name, RunState{
				ID: run.GetID(), ExternalID: externalID, SHA: sha, URL: run.GetHTMLURL(),
				Completed: run.GetStatus() == completed, Conclusion: run.GetConclusion(),
			})
		}
		if try == lostTries || !lost(ctx, err) {
			return 0, err
		}
		if err := p.o.Sleep(ctx, lostPause); err != nil {
			return 0, err
		}
	}
}

// findRun returns our newest run with the external id, or nil. Another App may
// use the same name, and a former generation of ours does.
func (p *Publisher) findRun(ctx context.Context, name, sha, externalID string) (*github.CheckRun, error) {
	opts := &github.ListCheckRunsOptions{
		CheckName: &name, AppID: &p.o.AppID, Filter: github.String("all"),
		ListOptions: github.ListOptions{PerPage: perPage},
	}
	var found *github.CheckRun
	for {
		list, resp, err := p.o.Client.Checks.ListCheckRunsForRef(ctx, p.o.Owner, p.o.Repo, sha, opts)
		if err != nil {
			return nil, fmt.Errorf("list check runs: %w", err)
		}
		for _, r := range list.CheckRuns {
			ours := r.GetApp().GetID() == p.o.AppID && r.GetName() == name && r.GetExternalID() == externalID
			if ours && (found == nil || r.GetID() > found.GetID()) {
				found = r
			}
		}
		if resp.NextPage == 0 {
			return found, nil
		}
		opts.Page = resp.NextPage
	}
}

// Complete publishes the verdict on the run that [Publisher.Begin] made:
// annotations in batches, the conclusion and the summary with the last one
// only, so that no half-told verdict is ever final. A run that is completed
// already is left alone.
func (p *Publisher) Complete(ctx context.Context, run report.CheckRun) error {
	st := p.state.Runs[run.Name]
	switch {
	case st.ID == 0:
		return fmt.Errorf("complete check run %q: it was not begun", run.Name)
	case st.Completed:
		return nil
	}
	list, note := annotations(run.Annotations)
	for try := 1; ; try++ {
		err := p.send(ctx, run, list, note)
		if err == nil {
			return nil
		}
		if try == lostTries || !lost(ctx, err) {
			return fmt.Errorf("complete check run %q: %w", run.Name, err)
		}
		if err := p.o.Sleep(ctx, lostPause); err != nil {
			return err
		}
	}
}

// send sends what GitHub does not have yet.
func (p *Publisher) send(ctx context.Context, run report.CheckRun, list []*github.CheckRunAnnotation, note string) error {
	st := p.state.Runs[run.Name]
	rest := list
	if st.Digest != "" {
		// Somebody tried before: the answer to the last request may be lost.
		var err error
		if rest, err = p.missing(ctx, &st, list); err != nil {
			return err
		}
		if st.Completed {
			return p.setRun(run.Name, st)
		}
	} else {
		st.Digest = digest(list)
	}
	if err := p.setRun(run.Name, st); err != nil {
		return err
	}
	return p.deliver(ctx, run, st, list, rest, note)
}

// Rejudge gives a completed run another conclusion and text: another pull
// request with the same commit was judged meanwhile. Annotations that the run
// has already are not sent again, for GitHub appends. A run that is not
// completed, or has the conclusion, is left alone.
func (p *Publisher) Rejudge(ctx context.Context, run report.CheckRun) error {
	st := p.state.Runs[run.Name]
	if !st.Completed || st.Conclusion == string(run.Conclusion) {
		return nil
	}
	list, note := annotations(run.Annotations)
	sent, err := p.sentAnnotations(ctx, st.ID)
	if err == nil {
		st.Digest = mixed
		err = p.deliver(ctx, run, st, list, without(list, sent), note)
	}
	if err != nil {
		return fmt.Errorf("judge check run %q again: %w", run.Name, err)
	}
	return nil
}

// deliver sends the rest of the list in batches, and the verdict with the last.
func (p *Publisher) deliver(ctx context.Context, run report.CheckRun, st RunState, list, rest []*github.CheckRunAnnotation, note string) error {
	for len(rest) > MaxAnnotationsPerRequest {
		batch := rest[:MaxAnnotationsPerRequest]
		progress := fmt.Sprintf("Publishing: %d of %d annotations.", len(list)-len(rest)+len(batch), len(list))
		err := p.update(ctx, st.ID, github.UpdateCheckRunOptions{
			Name:   run.Name,
			Output: &github.CheckRunOutput{Title: github.String("In progress"), Summary: &progress, Annotations: batch},
		})
		if err != nil {
			return err
		}
		rest = rest[len(batch):]
		st.Sent = len(list) - len(rest)
		if err := p.setRun(run.Name, st); err != nil {
			return err
		}
	}
	err := p.update(ctx, st.ID, github.UpdateCheckRunOptions{
		Name: run.Name, DetailsURL: p.detailsURL(), Status: github.String(completed),
		Conclusion: github.String(string(run.Conclusion)), CompletedAt: &github.Timestamp{Time: p.o.Now()},
		Output: &github.CheckRunOutput{
			Title: github.String(title(run)), Summary: github.String(p.summary(run.Summary, note)), Annotations: rest,
		},
		Actions: actions(run.Actions),
	})
	if err != nil {
		return err
	}
	st.Sent, st.Completed, st.Conclusion = len(list), true, string(run.Conclusion)
	p.o.Log.Info("check run completed", "check_run", st.ID, "name", run.Name, "conclusion", st.Conclusion, "annotations", len(list))
	return p.setRun(run.Name, st)
}

func (p *Publisher) update(ctx context.Context, id int64, o github.UpdateCheckRunOptions) error {
	if o.Output == nil || len(o.Output.Annotations) == 0 {
		ctx = githubapp.Idempotent(ctx) // annotations are appended, the rest is replaced
	}
	_, _, err := p.o.Client.Checks.UpdateCheckRun(ctx, p.o.Owner, p.o.Repo, id, o)
	return err
}

// missing asks GitHub what it has, and returns the annotations that it lacks.
// Of the same list the number decides. When the verdict was made anew and its
// list differs, every annotation is looked for by itself.
func (p *Publisher) missing(ctx context.Context, st *RunState, list []*github.CheckRunAnnotation) ([]*github.CheckRunAnnotation, error) {
	run, _, err := p.o.Client.Checks.GetCheckRun(ctx, p.o.Owner, p.o.Repo, st.ID)
	if err != nil {
		return nil, err
	}
	if run.GetStatus() == completed {
		st.Completed, st.Conclusion = true, run.GetConclusion()
		return nil, nil
	}
	has := max(run.GetOutput().GetAnnotationsCount(), st.Sent)
	switch {
	case has == 0:
		st.Digest = digest(list)
		return list, nil
	case st.Digest == digest(list):
		return list[min(has, len(list)):], nil
	}
	st.Digest = mixed
	sent, err := p.sentAnnotations(ctx, st.ID)
	if err != nil {
		return nil, err
	}
	return without(list, sent), nil
}

func (p *Publisher) sentAnnotations(ctx context.Context, id int64) ([]*github.CheckRunAnnotation, error) {
	var all []*github.CheckRunAnnotation
	opts := &github.ListOptions{PerPage: perPage}
	for {
		list, resp, err := p.o.Client.Checks.ListCheckRunAnnotations(ctx, p.o.Owner, p.o.Repo, id, opts)
		if err != nil {
			return nil, fmt.Errorf("list annotations: %w", err)
		}
		all = append(all, list...)
		if resp.NextPage == 0 {
			return all, nil
		}
		opts.Page = resp.NextPage
	}
}

// Cancel completes the run with the given value (report.Superseded, say) if it
// exists and is not completed. It never creates one, so a job that was
// superseded before it began leaves nothing behind.
func (p *Publisher) Cancel(ctx context.Context, run report.CheckRun, sha, externalID string) error {
	st := p.state.Runs[run.Name]
	if st.ID == 0 || st.ExternalID != externalID || st.SHA != sha {
		found, err := p.findRun(ctx, run.Name, sha, externalID)
		if err != nil || found == nil {
			return err
		}
		err = p.setRun(run.Name, RunState{
			ID: found.GetID(), ExternalID: externalID, SHA: sha, URL: found.GetHTMLURL(),
			Completed: found.GetStatus() == completed, Conclusion: found.GetConclusion(),
		})
		if err != nil {
			return err
		}
	}
	return p.Complete(ctx, run)
}

// actions fits buttons into GitHub's limits. One whose identifier does not fit
// is left out: it would come back as another.
func actions(all []report.Action) (list []*github.CheckRunAction) {
	for _, a := range all {
		if len(a.Identifier) <= MaxActionIdentifier && len(list) < MaxActions {
			list = append(list, &github.CheckRunAction{
				Label:       cutLine(a.Label, MaxActionLabel, 4*MaxActionLabel),
				Description: cutLine(a.Description, MaxActionDescription, 4*MaxActionDescription),
				Identifier:  a.Identifier,
			})
		}
	}
	return list
}

func title(run report.CheckRun) string {
	return cutLine(firstText(run.Title, string(run.Conclusion)), MaxTitle, 4*MaxTitle)
}

// summary fits the text and the note about left-out annotations into the limit.
func (p *Publisher) summary(text, note string) string {
	if note != "" {
		note = "\n\n" + note + "\n"
	}
	end := "_The rest did not fit here._"
	if p.o.DetailsURL != "" {
		end = "_The rest did not fit here; it is in the [full report](" + p.o.DetailsURL + ")._"
	}
	// GitHub wants a summary with every output.
	return cut(firstText(text, "Nothing to say."), MaxOutput-len(note), end) + note
}

func (p *Publisher) detailsURL() *string {
	if p.o.DetailsURL == "" {
		return nil
	}
	return &p.o.DetailsURL
}
