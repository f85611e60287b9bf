package execution

import (
	"context"

	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of the rows of a domain: where its queue reports to.
type metrics struct {
	*telemetry.Telemetry
	ends  *telemetry.Counter
	lasts *telemetry.Histogram
}

func newMetrics(t *telemetry.Telemetry) metrics {
	return metrics{
		Telemetry: t,
		ends:      t.Counter("drover_executions_ended_total", "Agent runs, invocations, Actor runs and builds that have ended, as this process has written it, by their kind and the status in which they ended.", "kind", "status"),
		lasts:     t.Histogram("drover_execution_seconds", "How long they took from their start to their end; those that were never started are left out.", nil, "kind"),
	}
}

// ended counts an end.
func (m metrics) ended(kind string, s State) {
	m.ends.Inc(kind, s.Status)
	if !s.StartedAt.IsZero() {
		m.lasts.Seconds(s.EndedAt.Sub(s.StartedAt), kind)
	}
}

// begin begins the span of an execution, within that of whoever asked for it.
func (m metrics) begin(ctx context.Context, kind, id string) (context.Context, *telemetry.Span) {
	ctx, span := m.Span(ctx, telemetry.Internal, "execute "+kind)
	span.Set("drover.id", id)
	return ctx, span
}

// Failer is an end that knows whether it is a failure: its status then, else empty.
// Spans of executions say so.
type Failer interface{ Failure() string }

func endSpan(span *telemetry.Span, end any, err error) {
	failure := ""
	if f, ok := end.(Failer); ok {
		failure = f.Failure()
	}
	if err != nil {
		failure = "broken off"
	}
	span.End(failure)
}
