package otelbridge_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/embedded"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/drover-go/drover/httpadapter/otelbridge"
	"github.com/drover-go/drover/internal/telemetry"
)

// collected reads everything, by name.
func collected(t *testing.T, r sdkmetric.Reader) map[string]metricdata.Metrics {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := r.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	byName := map[string]metricdata.Metrics{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			byName[m.Name] = m
		}
	}
	return byName
}

func TestMetricsAreThoseOfTheText(t *testing.T) {
	t.Parallel()
	reader := sdkmetric.NewManualReader()
	tel := telemetry.New(telemetry.Options{Meter: otelbridge.Meter(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)), func(err error) { t.Error(err) })})
	tel.Counter("pages_total", "Pages.", "kind").Add(3, "a")
	tel.Counter("pages_total", "Pages.", "kind").Add(4, "b")
	tel.Gauge("open", "Open.").Add(2)
	tel.Histogram("took_seconds", "Took.", []float64{1, 10}, "kind").Seconds(5*time.Second, "a")
	tel.Read(0, func(_ context.Context, r *telemetry.Report) { r.Value("free_bytes", 7, "x") },
		telemetry.Metric{Name: "free_bytes", Help: "Free.", Kind: telemetry.GaugeKind, Labels: []string{"where"}})
	tel.ReadProcess()
	if _, early := collected(t, reader)["free_bytes"]; early {
		t.Error("it was read before the start")
	}
	tel.Start()
	got := collected(t, reader)
	of := map[string]float64{}
	for _, p := range got["pages_total"].Data.(metricdata.Sum[float64]).DataPoints {
		kind, _ := p.Attributes.Value("kind")
		of[kind.AsString()] = p.Value
	}
	if diff := cmp.Diff(map[string]float64{"a": 3, "b": 4}, of); diff != "" {
		t.Error(diff)
	}
	if s := got["pages_total"].Data.(metricdata.Sum[float64]); !s.IsMonotonic || s.Temporality != metricdata.CumulativeTemporality {
		t.Error(s)
	}
	free := got["free_bytes"].Data.(metricdata.Gauge[float64]).DataPoints
	if where, _ := free[0].Attributes.Value("where"); len(free) != 1 || free[0].Value != 7 || where.AsString() != "x" || got["free_bytes"].Unit != "By" {
		t.Error(got["free_bytes"])
	}
	h := got["took_seconds"].Data.(metricdata.Histogram[float64]).DataPoints
	if len(h) != 1 || h[0].Sum != 5 || h[0].BucketCounts[1] != 1 || len(h[0].Bounds) != 2 || got["took_seconds"].Unit != "s" {
		t.Error(h)
	}
	if _, there := got["go_goroutines"]; there || got["drover_build_info"].Data == nil {
		t.Error("the process is the host's to count", got)
	}
	tel.Close()
	if got := collected(t, reader); got["free_bytes"].Data != nil || got["pages_total"].Data != nil {
		t.Error("it was read after the end", got)
	}
}

// refusing is a MeterProvider whose instruments cannot be made.
type refusing struct{ embedded.MeterProvider }

func (refusing) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{} }

type refusingMeter struct{ metric.Meter }

var errRefused = errors.New("refused")

func (refusingMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return nil, errRefused
}

func (refusingMeter) Float64ObservableCounter(string, ...metric.Float64ObservableCounterOption) (metric.Float64ObservableCounter, error) {
	return nil, errRefused
}

func (refusingMeter) RegisterCallback(metric.Callback, ...metric.Observable) (metric.Registration, error) {
	return nil, errRefused
}

func TestInstrumentsThatAreRefusedDoNoHarm(t *testing.T) {
	t.Parallel()
	var failed []error
	tel := telemetry.New(telemetry.Options{Meter: otelbridge.Meter(refusing{}, func(err error) { failed = append(failed, err) })})
	tel.Counter("a_total", "A.").Inc()
	tel.Histogram("b_seconds", "B.", nil).Observe(1)
	tel.Close()
	if len(failed) != 3 || !errors.Is(failed[0], errRefused) {
		t.Error(failed)
	}
}

func TestSpansContinueTraces(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	tel := telemetry.New(telemetry.Options{Tracer: otelbridge.Tracer(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)))})
	caller := telemetry.Parent{Traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", Tracestate: "vendor=1"}
	ctx, request := tel.Span(tel.Continue(t.Context(), caller), telemetry.Server, "GET")
	request.SetName("GET /v1/agents")
	request.Set("http.route", "/v1/agents")
	request.SetInt("http.response.status_code", 500)
	_, inner := tel.Span(ctx, telemetry.Client, "fetch")
	inner.End("")
	kept := tel.Parent(ctx)
	request.End("500")
	_, later := tel.Span(tel.Continue(t.Context(), kept), telemetry.Internal, "execute")
	later.End("")
	all := spans.GetSpans()
	if len(all) != 3 {
		t.Fatal(all)
	}
	for _, s := range all {
		if s.SpanContext.TraceID().String() != "4bf92f3577b34da6a3ce929d0e0e4736" {
			t.Error(s.Name, s.SpanContext.TraceID())
		}
	}
	if s := all[1]; s.Name != "GET /v1/agents" || s.SpanKind != trace.SpanKindServer || s.Parent.SpanID().String() != "00f067aa0ba902b7" ||
		s.Status.Code != codes.Error || s.Status.Description != "500" || s.SpanContext.TraceState().Get("vendor") != "1" {
		t.Error(s)
	}
	want := []attribute.KeyValue{attribute.String("http.route", "/v1/agents"), attribute.Int("http.response.status_code", 500)}
	if got := all[1].Attributes; len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Error(got)
	}
	if all[0].Parent.SpanID() != all[1].SpanContext.SpanID() || all[2].Parent.SpanID() != all[1].SpanContext.SpanID() || !all[2].Parent.IsRemote() {
		t.Error("whose children are they?", all)
	}
}

func TestCallersThatSendNonsenseBeginATrace(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	tel := telemetry.New(telemetry.Options{Tracer: otelbridge.Tracer(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)))})
	for _, p := range []string{"", "nonsense", "00-00000000000000000000000000000000-0000000000000000-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"} {
		_, s := tel.Span(tel.Continue(t.Context(), telemetry.Parent{Traceparent: p, Tracestate: "\x00\xff==,,"}), telemetry.Server, p)
		s.End("")
	}
	for _, s := range spans.GetSpans() {
		if s.Parent.IsValid() || s.SpanContext.TraceID().String() == "4bf92f3577b34da6a3ce929d0e0e4736" {
			t.Errorf("%q is believed", s.Name)
		}
	}
	if got := tel.Parent(t.Context()); got != (telemetry.Parent{}) {
		t.Error(got)
	}
}
