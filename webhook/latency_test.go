package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/webhook"
)

// BenchmarkDeliveryTo202 measures what GitHub waits for: 200 deliveries a
// second over HTTP, each of another pull request, into a SQLite file, while
// four workers are busy and save their progress. The budget is p99 ≤ 25 ms.
// Times count from the moment at which a delivery is due, so that a server
// which falls behind cannot hide it; a handler that does nothing, measured
// first, shows what the machine itself adds, and so does the disk's own time
// for one fsync: every delivery waits for one.
func BenchmarkDeliveryTo202(b *testing.B) {
	const perSecond = 200
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "bot.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	q, err := queue.New(b.Context(), s.DB(), queue.Options{Workers: 4, SoftStop: time.Millisecond, Work: func(ctx context.Context, j queue.Review, _ queue.Attempt) error {
		run, err := s.Run(ctx, j.RepositoryID, j.PR, j.Generation)
		if err != nil || run == nil {
			return err
		}
		if _, err := s.Start(ctx, run.ID); err != nil {
			return err
		}
		for step := range int64(8) { // as many as a run with a comment and an upload has
			err := s.InTx(ctx, func(tx *store.Tx) error {
				return tx.SavePublished(ctx, run, store.Published{Pair: step, Checks: "{}"})
			})
			if err != nil {
				return err
			}
			select {
			case <-time.After(100 * time.Millisecond): // GitHub answers no sooner
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		_, err = s.Finish(ctx, run.ID, "success", "success")
		return err
	}})
	if err != nil {
		b.Fatal(err)
	}
	if err := q.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer q.Stop(context.Background())
	h, err := webhook.New(webhook.Options{Secrets: [][]byte{[]byte(secret)}, Store: s, Queue: q})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	nothing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer nothing.Close()
	n := max(b.N, perSecond*3)
	opened := octokit(b, "pull_request.opened")
	bodies := make([]string, n)
	for i := range bodies {
		bodies[i] = edit(b, opened, func(event, _ map[string]any) { event["number"] = i + 1 })
	}
	b.ResetTimer()
	floor := paced(b, nothing.URL, bodies, perSecond)
	took := paced(b, server.URL, bodies, perSecond)
	b.StopTimer()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(took, .5), "ms-p50")
	b.ReportMetric(percentile(took, .99), "ms-p99")
	b.ReportMetric(percentile(floor, .99), "ms-p99-of-empty-handler")
	b.ReportMetric(percentile(fsyncs(b), .99), "ms-p99-of-fsync")
	b.ReportMetric(percentile(took, .99)/25, "of-budget")
}

// paced delivers at a steady rate, whatever the answers do, and returns how
// long each took from the moment at which it was due, sorted.
func paced(b *testing.B, address string, bodies []string, perSecond int) []time.Duration {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: perSecond}}
	defer client.CloseIdleConnections()
	took := make([]time.Duration, len(bodies))
	var all sync.WaitGroup
	start := time.Now()
	for i, body := range bodies {
		r := request(fmt.Sprint("delivery-", i), "pull_request", body)
		r.RequestURI = ""
		var err error
		if r.URL, err = r.URL.Parse(address + webhook.Path); err != nil {
			b.Fatal(err)
		}
		due := start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		time.Sleep(time.Until(due))
		all.Go(func() {
			resp, err := client.Do(r)
			if err != nil {
				b.Error(err)
				return
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			took[i] = time.Since(due)
			if resp.StatusCode != http.StatusAccepted {
				b.Errorf("delivery %d: status %d", i, resp.StatusCode)
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took
}

// fsyncs measures the disk under the database, sorted.
func fsyncs(b *testing.B) []time.Duration {
	f, err := os.Create(filepath.Join(b.TempDir(), "fsync"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	took := make([]time.Duration, 300)
	page := make([]byte, 8<<10)
	for i := range took {
		if _, err := f.Write(page); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	return took
}

// percentile is in milliseconds.
func percentile(sorted []time.Duration, share float64) float64 {
	return float64(sorted[int(share*float64(len(sorted)-1))].Microseconds()) / 1000
}
