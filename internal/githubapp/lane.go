package githubapp

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The pace of writes of one installation. GitHub allows 80 content-creating
// requests a minute and asks for serial writes, one second apart
// (docs.github.com: rate limits and best practices for the REST API).
const (
	writeRefill = rate.Limit(1) // per second
	writeBurst  = 8
	// writeWait is the longest wait for our own pace that is slept; beyond it
	// the caller is told to come back.
	writeWait = 10 * time.Second
)

// lane is the single file of one installation: every client of it goes through
// the same one, so the pace and GitHub's demands to wait hold for all jobs, and
// all share what is known by its ETag.
type lane struct {
	cache   cache
	limiter *rate.Limiter
	turn    chan struct{} // holds one token: the right to write

	mu     sync.Mutex
	until  time.Time // GitHub wants silence until then
	reason string
}

func newLane() *lane {
	return &lane{limiter: rate.NewLimiter(writeRefill, writeBurst), turn: make(chan struct{}, 1)}
}

// blocked reports whether GitHub still wants silence.
func (l *lane) blocked(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Before(l.until) {
		return &RetryLater{After: l.until.Sub(now), Reason: l.reason}
	}
	return nil
}

func (l *lane) block(until time.Time, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until) {
		l.until, l.reason = until, reason
	}
}

// enter waits for the pace and for the write before us; leave must follow when
// the error is nil.
func (l *lane) enter(ctx context.Context, a *App) error {
	now := a.now()
	slot := l.limiter.ReserveN(now, 1)
	if wait := slot.DelayFrom(now); wait > writeWait {
		slot.CancelAt(now)
		return &RetryLater{After: wait, Reason: "too many writes of this installation are waiting"}
	} else if wait > 0 {
		if err := a.sleep(ctx, wait); err != nil {
			slot.CancelAt(now)
			return err
		}
	}
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *lane) leave() { <-l.turn }

// writes tells whether a request changes something.
func writes(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }
