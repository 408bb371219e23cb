package webhook

import "github.com/prometheus/client_golang/prometheus"

// Outcome says in a word what became of a delivery.
type Outcome string

// The outcomes.
const (
	Accepted     Outcome = "accepted"  // a job was stored
	Noted        Outcome = "noted"     // understood; nothing to do
	Ignored      Outcome = "ignored"   // an event or action that means nothing to us
	Duplicate    Outcome = "duplicate" // delivery id seen before
	Stale        Outcome = "stale"     // something newer is known
	Unauthorized Outcome = "unauthorized"
	TooLarge     Outcome = "too_large"
	BadRequest   Outcome = "bad_request"
	Failed       Outcome = "failed" // our fault; GitHub may redeliver
)

// Metrics counts deliveries for Prometheus. It is a prometheus.Collector.
type Metrics struct{ deliveries *prometheus.CounterVec }

func newMetrics() *Metrics {
	return &Metrics{deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mcp_lint_deliveries_total",
		Help: "Webhook deliveries by event and outcome.",
	}, []string{"event", "outcome"})}
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(c chan<- *prometheus.Desc) { m.deliveries.Describe(c) }

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(c chan<- prometheus.Metric) { m.deliveries.Collect(c) }

// count counts one delivery. The event's name is a header that nobody signed,
// so only known names become label values.
func (m *Metrics) count(event string, o Outcome) {
	if events(event) == nil {
		event = "other"
	}
	m.deliveries.WithLabelValues(event, string(o)).Inc()
}
