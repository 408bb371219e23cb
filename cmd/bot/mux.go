package main

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/webhook"
)

// probeTimeout bounds what a probe waits for the database.
const probeTimeout = 2 * time.Second

// newMux is everything that the bot answers.
func newMux(hooks, metrics http.Handler, db *store.Store, ready *atomic.Bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(webhook.Path, hooks)
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), probeTimeout)
		defer cancel()
		if !ready.Load() {
			http.Error(w, "starting or stopping", http.StatusServiceUnavailable)
		} else if err := db.Ping(ctx); err != nil {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
		} else {
			io.WriteString(w, "ok\n")
		}
	})
	return mux
}

// metricsHandler answers Prometheus.
func metricsHandler(jobs *queue.Queue, more ...prometheus.Collector) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(more...)
	registry.MustRegister(queueDepth{jobs}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// queueDepth counts the jobs whenever Prometheus asks.
type queueDepth struct{ jobs *queue.Queue }

func depthDesc() *prometheus.Desc {
	return prometheus.NewDesc("mcp_lint_jobs", "Jobs in the queue by state.", []string{"state"}, nil)
}

// Describe implements prometheus.Collector.
func (q queueDepth) Describe(c chan<- *prometheus.Desc) { c <- depthDesc() }

// Collect implements prometheus.Collector.
func (q queueDepth) Collect(c chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	depth, err := q.jobs.Depth(ctx)
	if err != nil {
		c <- prometheus.NewInvalidMetric(depthDesc(), err)
		return
	}
	for state, n := range depth {
		c <- prometheus.MustNewConstMetric(depthDesc(), prometheus.GaugeValue, float64(n), state)
	}
}
