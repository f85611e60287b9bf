package otelbridge_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/httpadapter/otelbridge"
)

// A host gives its providers of OpenTelemetry; exporters are its own choice. Here
// spans and metrics stay in memory.
func Example() {
	spans, metrics := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(metrics))

	ctx, quiet := context.Background(), slog.New(slog.DiscardHandler)
	d, err := drover.Open(ctx, drover.Options{
		Data: drover.InMemory, Logger: quiet,
		Tracer: otelbridge.Tracer(tracers),
		Meter:  otelbridge.Meter(meters, func(err error) { log.Print(err) }),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	request := httptest.NewRequest(http.MethodGet, "/v1/agents", nil)
	request.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	httpadapter.New(d, httpadapter.Options{Logger: quiet}).ServeHTTP(httptest.NewRecorder(), request)
	for _, s := range spans.GetSpans() {
		fmt.Println(s.Name, "in the trace", s.SpanContext.TraceID())
	}

	var all metricdata.ResourceMetrics
	if err := metrics.Collect(ctx, &all); err != nil {
		log.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if sum, ok := m.Data.(metricdata.Sum[float64]); ok && m.Name == "drover_http_requests_total" {
			fmt.Println(m.Name, sum.DataPoints[0].Value)
		}
	}
	// Output:
	// GET /v1/agents in the trace 4bf92f3577b34da6a3ce929d0e0e4736
	// drover_http_requests_total 1
}
