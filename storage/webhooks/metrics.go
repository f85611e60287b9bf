package webhooks

import (
	"cmp"

	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of deliveries, in the process that sends them.
type metrics struct {
	*telemetry.Telemetry
	attempts *telemetry.Counter
	ended    *telemetry.Counter
	took     *telemetry.Histogram
}

func newMetrics(t *telemetry.Telemetry) metrics {
	return metrics{
		Telemetry: t,
		attempts:  t.Counter("drover_webhook_attempts_total", "Requests to receivers of webhooks: succeeded, refused (an answer that is none of 2xx) or unanswered.", "protocol", "outcome"),
		ended:     t.Counter("drover_webhook_dispatches_total", "Dispatches of webhooks that have ended: SUCCEEDED, or FAILED after the last attempt, or at once where there was too much to send.", "protocol", "status"),
		took:      t.Histogram("drover_webhook_attempt_seconds", "How long requests to receivers of webhooks took.", nil, "protocol"),
	}
}

// attempted counts a request that was recorded.
func (m metrics) attempted(p Protocol, a Attempt) {
	m.attempts.Add(1, string(p), cmp.Or(failure(a.Error, a.ResponseStatus), "succeeded"))
	m.took.Seconds(max(0, a.FinishedAt.Sub(a.StartedAt)), string(p))
}

// failure is how a request has failed; empty where it has not.
func failure(why string, status int) string {
	switch {
	case why == "":
		return ""
	case status != 0:
		return "refused"
	}
	return "unanswered"
}
