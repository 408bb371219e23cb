package checks

import (
	"context"
	"fmt"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// The reactions to a comment with a command.
const (
	Seen     = "eyes"     // it is being done
	Confused = "confused" // it cannot be done as it was asked
)

// React answers a comment with a reaction. The same one again changes nothing.
func (p *Publisher) React(ctx context.Context, commentID int64, reaction string) error {
	_, _, err := p.o.Client.Reactions.CreateIssueCommentReaction(githubapp.Idempotent(ctx), p.o.Owner, p.o.Repo, commentID, reaction)
	if err != nil {
		return fmt.Errorf("react to comment %d: %w", commentID, err)
	}
	return nil
}
