package webhook

import (
	"encoding/json"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/queue"
)

// checkRun takes the button of our check run about the lock, and GitHub's own
// "Re-run". GitHub sends both for our own check runs only; the worker looks the
// first one up among those that it has offered something on, and compares the
// App of the other.
func checkRun(d delivery) (effect, error) {
	switch d.action {
	case rerequested:
		return rerun(d)
	case "requested_action":
	default:
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
	return asking(r), nil
}
