package webhook

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

// checkRun takes the button of our check run about the lock. GitHub sends the
// event for our own check runs only, and the worker looks the run up among those
// that it has offered something on.
func checkRun(d delivery) (effect, error) {
	if d.action != "requested_action" {
		return nil, nil
	}
	var e github.CheckRunEvent
	if err := json.Unmarshal(d.payload, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", errPayload, err)
	}
	if e.RequestedAction == nil || e.RequestedAction.Identifier != queue.Accept || bot(e.GetSender()) {
		return nil, nil
	}
	r := requestOf(d, e.GetRepo(), e.GetInstallation(), e.GetSender())
	r.What, r.CheckRunID = queue.Accept, e.GetCheckRun().GetID()
	if !complete(r) || r.CheckRunID == 0 {
		return nil, fmt.Errorf("%w: no repository, check run or sender", errPayload)
	}
	if r.Installation == 0 {
		return nil, nil
	}
	return func(ctx context.Context, h *Handler, tx *store.Tx) (Outcome, error) {
		return h.ask(ctx, tx, r)
	}, nil
}
