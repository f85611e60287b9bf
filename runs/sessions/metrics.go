package sessions

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
)

// metrics are what is counted of sessions, those of agent runs, functions and
// one-shots included.
type metrics struct {
	*telemetry.Telemetry
	started, ended, refused *telemetry.Counter
	opens                   *telemetry.Histogram
}

func newMetrics(t *telemetry.Telemetry, s *service) metrics {
	const open = "drover_sessions_open"
	t.Read(0, func(_ context.Context, r *telemetry.Report) {
		r.Value(open, float64(s.opened()))
	}, telemetry.Metric{Name: open, Help: "Sessions that are open in this process.", Kind: telemetry.GaugeKind})
	return metrics{
		Telemetry: t,
		started:   t.Counter("drover_sessions_started_total", "Sessions that have become RUNNING."),
		ended:     t.Counter("drover_sessions_ended_total", "Sessions whose end this process has written, by the status in which they ended.", "status"),
		refused:   t.Counter("drover_sessions_failed_total", "Sessions that could not be opened."),
		opens:     t.Histogram("drover_session_open_seconds", "How long it took to open a session, the wait for a place included.", nil),
	}
}

// opened is how many sessions are open.
func (s *service) opened() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.live {
		if l != nil {
			n++
		}
	}
	return n
}

// opening begins to count a session that is being opened; what it returns is called
// once it is open, or cannot be.
func (m metrics) opening(ctx context.Context) (context.Context, func(err error)) {
	began := time.Now()
	ctx, span := m.Span(ctx, telemetry.Internal, "open session")
	return ctx, func(err error) {
		if err != nil {
			m.refused.Inc()
			span.End(errtypes.KindOf(err).String())
			return
		}
		m.opens.Seconds(time.Since(began))
		span.End("")
	}
}

// countEnd counts an end once it is committed.
func (s *service) countEnd(tx *storage.Tx, r row) {
	tx.AfterCommit(func() { s.metrics.ended.Inc(string(r.Status)) })
}
