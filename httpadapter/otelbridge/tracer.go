package otelbridge

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/drover-go/drover"
)

// Tracer returns what drover.Options.Tracer wants. Spans of requests continue the
// trace of their callers by the header fields traceparent and tracestate, and those
// of executions that of whoever has asked for them, in the same process. What
// Drover sends to others carries neither.
func Tracer(p trace.TracerProvider) drover.Tracer { return tracer{p.Tracer(scope)} }

type tracer struct{ of trace.Tracer }

// w3c reads and writes header fields.
var w3c propagation.TraceContext

func (t tracer) Start(ctx context.Context, name, kind string) (context.Context, drover.TracerSpan) {
	ctx, s := t.of.Start(ctx, name, trace.WithSpanKind(kinds[kind]))
	return ctx, span{s}
}

var kinds = map[string]trace.SpanKind{"internal": trace.SpanKindInternal, "server": trace.SpanKindServer, "client": trace.SpanKindClient}

func (t tracer) Continue(ctx context.Context, traceparent, tracestate string) context.Context {
	return w3c.Extract(ctx, propagation.MapCarrier{"traceparent": traceparent, "tracestate": tracestate})
}

func (t tracer) Parent(ctx context.Context) (traceparent, tracestate string) {
	fields := propagation.MapCarrier{}
	w3c.Inject(ctx, fields)
	return fields["traceparent"], fields["tracestate"]
}

type span struct{ of trace.Span }

func (s span) SetString(key, value string)    { s.of.SetAttributes(attribute.String(key, value)) }
func (s span) SetInt(key string, value int64) { s.of.SetAttributes(attribute.Int64(key, value)) }
func (s span) SetName(name string)            { s.of.SetName(name) }

func (s span) End(failure string) {
	if failure != "" {
		s.of.SetStatus(codes.Error, failure)
	}
	s.of.End()
}
