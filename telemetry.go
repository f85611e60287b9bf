package drover

import (
	"context"
	"io"

	"github.com/drover-go/drover/internal/telemetry"
)

// Metrics are what a Drover counts of what it does; docs/observability.md lists
// them. Handlers of package httpadapter count their requests there, too, and serve
// it.
type Metrics interface {
	// WriteText writes all metrics in the text format of Prometheus, version 0.0.4.
	WriteText(ctx context.Context, w io.Writer) error
}

// Tracer is where a host wants spans: of requests, executions, steps, questions to
// models, tools, fetches, and sessions that are opened. Package
// httpadapter/otelbridge makes one of OpenTelemetry's. Its methods are called by
// any goroutine.
type Tracer interface {
	// Start begins a span within that of ctx, and returns a context that carries it.
	// kind is "internal", "server" for a request that came in, or "client" for one
	// that goes out.
	Start(ctx context.Context, name, kind string) (context.Context, TracerSpan)
	// Continue returns ctx with a span that somebody else has begun, as the header
	// fields of the W3C Trace Context say. What is malformed is none.
	Continue(ctx context.Context, traceparent, tracestate string) context.Context
	// Parent returns the span of ctx for others to continue; empty for none.
	Parent(ctx context.Context) (traceparent, tracestate string)
}

// TracerSpan is a span that a [Tracer] has begun. It is used by one goroutine at a
// time, and not after End. SetName gives it another name: that of a route is known
// late. End ends it; failure says in a word or two why what it was about has failed,
// and is empty where it has not. Nothing in it is a secret, a URL, or content.
type TracerSpan = interface {
	SetString(key, value string)
	SetInt(key string, value int64)
	SetName(name string)
	End(failure string)
}

// Meter is where a host wants metrics, besides the text. Package
// httpadapter/otelbridge makes one of OpenTelemetry's. Its methods are called once
// for each metric, in [Open], and what they return, or are given, by any goroutine.
type Meter interface {
	// Histogram returns what hears each value of a histogram with these upper
	// bounds; labels of a value are in the order of those names. record must neither
	// keep nor change them.
	Histogram(name, help string, buckets []float64, labels []string) (record func(value float64, labels []string))
	// Observe is given counters and gauges, and a function that reads all of them: of
	// counters what they have come to, not what was added. After stop, which Close
	// calls, read is not called any more.
	Observe(all []Observed, read func(ctx context.Context, report func(name string, value float64, labels []string))) (stop func())
}

// Observed is a counter or a gauge, with the names of its labels.
type Observed = struct {
	Name, Help string
	Counter    bool
	Labels     []string
}

// Metrics returns what the Drover counts. They can be read after Close, too, but
// for what is only read when somebody asks.
func (d *Drover) Metrics() Metrics { return d.telemetry }

// openTelemetry comes before all that report.
func (d *Drover) openTelemetry(context.Context) error {
	o := d.opts
	d.telemetry = telemetry.New(telemetry.Options{Tracer: o.Tracer, Meter: o.Meter, MaxSeries: o.MaxSeries})
	d.telemetry.ReadProcess()
	d.open.push("telemetry", atOnce(d.telemetry.Close))
	return nil
}

// startTelemetry lets it be read, once all is there that reports.
func (d *Drover) startTelemetry(context.Context) error {
	d.telemetry.Start()
	return nil
}
