package worker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Metrics counts runs for Prometheus. It is a prometheus.Collector.
type Metrics struct {
	conclusions *prometheus.CounterVec
	uploads     *prometheus.CounterVec
	seconds     prometheus.Histogram
}

func newMetrics() *Metrics {
	return &Metrics{
		conclusions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcp_lint_check_runs_total", Help: "Finished runs by check and conclusion.",
		}, []string{"check", "conclusion"}),
		uploads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcp_lint_sarif_uploads_total", Help: "Uploads to code scanning by outcome.",
		}, []string{"status"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "mcp_lint_run_seconds", Help: "Time of a run's last attempt, from start to its published verdict.",
			Buckets: []float64{.25, .5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1200},
		}),
	}
}

func (m *Metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.conclusions, m.uploads, m.seconds}
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(c chan<- *prometheus.Desc) {
	for _, x := range m.all() {
		x.Describe(c)
	}
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(c chan<- prometheus.Metric) {
	for _, x := range m.all() {
		x.Collect(c)
	}
}

func (m *Metrics) finished(v verdictPair, took time.Duration) {
	for name, conclusion := range map[string]report.Conclusion{
		report.LintCheck: v.lint.Conclusion, report.LockCheck: v.lock.Conclusion,
	} {
		if conclusion == "" {
			conclusion = "none" // GitHub gave no access
		}
		m.conclusions.WithLabelValues(name, string(conclusion)).Inc()
	}
	m.seconds.Observe(took.Seconds())
}

func (m *Metrics) sarif(status string) { m.uploads.WithLabelValues(status).Inc() }
