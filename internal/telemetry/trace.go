package telemetry

import "context"

// The parts that a span can have in its trace: work within the process, a request
// that came in, one that goes out.
const (
	Internal = "internal"
	Server   = "server"
	Client   = "client"
)

// Parent is a span as the header fields traceparent and tracestate of the W3C
// Trace Context have it. The zero value is none.
type Parent struct{ Traceparent, Tracestate string }

// Tracer is drover.Tracer, which says what is wanted of it: hosts cannot name what
// is here.
type Tracer interface {
	Start(ctx context.Context, name, kind string) (context.Context, TracerSpan)
	Continue(ctx context.Context, traceparent, tracestate string) context.Context
	Parent(ctx context.Context) (traceparent, tracestate string)
}

// TracerSpan is drover.TracerSpan.
type TracerSpan = interface {
	SetString(key, value string)
	SetInt(key string, value int64)
	SetName(name string)
	End(failure string)
}

// Span is work that takes time. Its methods may be called on nil.
type Span struct{ of TracerSpan }

// Span begins a span. Without a Tracer ctx comes back as it was, with nil.
func (t *Telemetry) Span(ctx context.Context, kind, name string) (context.Context, *Span) {
	if !t.Traces() {
		return ctx, nil
	}
	ctx, of := t.opts.Tracer.Start(ctx, name, kind)
	return ctx, &Span{of}
}

// Traces reports whether there is a Tracer.
func (t *Telemetry) Traces() bool { return t != nil && t.opts.Tracer != nil }

// Continue returns ctx within a span that was begun elsewhere.
func (t *Telemetry) Continue(ctx context.Context, p Parent) context.Context {
	if !t.Traces() || p.Traceparent == "" {
		return ctx
	}
	return t.opts.Tracer.Continue(ctx, p.Traceparent, p.Tracestate)
}

// Parent returns the span of ctx for others to continue.
func (t *Telemetry) Parent(ctx context.Context) Parent {
	if !t.Traces() {
		return Parent{}
	}
	traceparent, tracestate := t.opts.Tracer.Parent(ctx)
	return Parent{traceparent, tracestate}
}

// Set notes something of the span.
func (s *Span) Set(key, value string) {
	if s != nil {
		s.of.SetString(key, value)
	}
}

// SetInt notes a number.
func (s *Span) SetInt(key string, value int64) {
	if s != nil {
		s.of.SetInt(key, value)
	}
}

// SetName gives the span another name.
func (s *Span) SetName(name string) {
	if s != nil {
		s.of.SetName(name)
	}
}

// End ends the span; failure is empty where nothing has failed.
func (s *Span) End(failure string) {
	if s != nil {
		s.of.End(failure)
	}
}
