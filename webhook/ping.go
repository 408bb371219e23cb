package webhook

import (
	"context"

	"github.com/mcp-lint/mcp-lint/internal/store"
)

// ping is GitHub's first delivery to a new webhook.
func ping(delivery) (effect, error) {
	return func(context.Context, *Handler, *store.Tx) (Outcome, error) { return Noted, nil }, nil
}
