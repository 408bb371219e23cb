package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
)

// sarifCategory is fixed: an alert is closed when a later analysis of the same
// category lacks it, so a varying one leaves alerts open for ever
// (https://github.com/OpenHands/OpenHands-Cloud/pull/517).
const sarifCategory = "mcp-lint/app/"

// scanning is the document for code scanning, nil when none must be uploaded.
func (j *job) scanning(ctx context.Context, p *pair, r *report.Review) ([]byte, error) {
	if r.Empty {
		return nil, nil
	}
	now := judged(r)
	if closes, err := j.closesAlerts(ctx, r, now); err != nil || closes {
		return nil, err
	}
	var missing *githubapp.PermissionMissing
	client, token := j.w.o.App.Installation(j.pull.Installation, githubapp.SARIFScope(j.pull.RepositoryID))
	if err := token.Check(ctx); err == nil {
		p.options.SARIF = client
	} else if !errors.As(err, &missing) {
		return nil, fmt.Errorf("code scanning: %w", err)
	}
	var document bytes.Buffer
	if err := r.WriteSARIF(&document, report.SARIFOptions{Category: sarifCategory, Rules: rules.All()}); err != nil {
		return nil, fmt.Errorf("code scanning document: %w", err)
	}
	p.options.State = p.State()
	p.options.State.SARIF.Judged = now
	return document.Bytes(), p.renew()
}

// judged are the keys of the servers of which everything is known that counts. One
// whose launch is refused is among them: how it is started is what is wrong.
func judged(r *report.Review) []string {
	var keys []string
	for i := range r.Report.Servers {
		if s := &r.Report.Servers[i]; s.Error == nil || s.Error.Kind == report.ErrRefused {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// closesAlerts tells whether an upload would close alerts of servers that nobody
// looked at this time: an alert is closed by an analysis that lacks it. It would
// when something was not checked and the last upload of the pull request holds
// findings of a server that is not among those judged now. (A server that never
// could be checked here has no alerts, and must not keep the others' away.)
func (j *job) closesAlerts(ctx context.Context, r *report.Review, now []string) (bool, error) {
	if r.Report.Summary.NotChecked == 0 {
		return false, nil
	}
	uploads, err := j.w.o.Store.Uploads(ctx, j.run)
	if err != nil {
		return false, err
	}
	for _, text := range uploads {
		var last checks.SARIFState
		if err := json.Unmarshal([]byte(text), &last); err != nil {
			return false, fmt.Errorf("decode an earlier upload: %w", err)
		}
		if !last.Asked {
			continue // nothing was uploaded then
		}
		return slices.ContainsFunc(last.Judged, func(key string) bool { return !slices.Contains(now, key) }), nil
	}
	return false, nil
}
