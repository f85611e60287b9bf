package fetch

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of fetches.
type metrics struct {
	*telemetry.Telemetry
	fetches *telemetry.Counter
	lasts   *telemetry.Histogram
}

func newMetrics(t *telemetry.Telemetry) metrics {
	return metrics{
		Telemetry: t,
		fetches:   t.Counter("drover_fetches_total", "Fetches, by format and by what became of them: ok (whatever the status of the page), or the kind of the error. Of streams (format stream) it is whether the content began.", "format", "outcome"),
		lasts:     t.Histogram("drover_fetch_seconds", "How long fetches took; of streams, until the content began.", nil, "format"),
	}
}

// streamLabel is the format of what is streamed.
const streamLabel = "stream"

// begin begins to count a fetch; what it returns is called at its end.
func (m metrics) begin(ctx context.Context, format string) (context.Context, func(err error)) {
	if m.Telemetry == nil {
		return ctx, func(error) {}
	}
	began := time.Now()
	ctx, span := m.Span(ctx, telemetry.Client, "fetch "+format)
	return ctx, func(err error) {
		outcome, failure := "ok", ""
		if err != nil {
			failure = errtypes.KindOf(err).String()
			outcome = failure
		}
		m.fetches.Inc(format, outcome)
		m.lasts.Seconds(time.Since(began), format)
		span.End(failure)
	}
}

// formatLabel keeps what a caller makes up out of labels.
func formatLabel(f Format) string {
	switch f = cmpFormat(f); f {
	case Raw, Markdown, JSON:
		return string(f)
	}
	return "unknown"
}
