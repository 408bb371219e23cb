package store

import (
	"context"
	"fmt"
	"time"
)

// Delivery is one webhook delivery that was accepted.
type Delivery struct {
	ID, Event, Action string
	// Outcome says in a word what became of it.
	Outcome string
}

// AddDelivery records a delivery and tells whether it is new. A delivery id
// seen before leaves the database unchanged.
func (q queries) AddDelivery(ctx context.Context, d Delivery) (fresh bool, err error) {
	res, err := q.on.ExecContext(ctx,
		`INSERT INTO deliveries (id, event, action, received_at, outcome) VALUES (?, ?, ?, ?, ?)
		 ON CONFLICT (id) DO NOTHING`,
		d.ID, d.Event, d.Action, millis(q.now()), d.Outcome)
	if err != nil {
		return false, fmt.Errorf("record delivery: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("record delivery: %w", err)
	}
	return n == 1, nil
}

// SetOutcome records what became of a delivery.
func (q queries) SetOutcome(ctx context.Context, id, outcome string) error {
	if _, err := q.on.ExecContext(ctx, `UPDATE deliveries SET outcome = ? WHERE id = ?`, outcome, id); err != nil {
		return fmt.Errorf("record outcome of delivery: %w", err)
	}
	return nil
}

// PruneDeliveries forgets deliveries received before the given time. GitHub
// redelivers those of the last three days
// (https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks),
// so anything older can go.
func (q queries) PruneDeliveries(ctx context.Context, before time.Time) (int64, error) {
	res, err := q.on.ExecContext(ctx, `DELETE FROM deliveries WHERE received_at < ?`, millis(before))
	if err != nil {
		return 0, fmt.Errorf("prune deliveries: %w", err)
	}
	return res.RowsAffected()
}
