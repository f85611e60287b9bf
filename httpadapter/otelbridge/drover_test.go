package otelbridge_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/httpadapter/otelbridge"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/storage/projects"
)

const traceID = "4bf92f3577b34da6a3ce929d0e0e4736"

// request sends a request within a trace, and returns its answer.
func request(t *testing.T, base, method, path, key, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Traceparent", "00-"+traceID+"-00f067aa0ba902b7-01")
	r.Header.Set("X-BB-API-Key", key)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		t.Fatal(res.Status, string(answer), err)
	}
	return string(answer)
}

// TestARequestAndWhatItStartsAreOneTrace follows a run from the request to its
// steps, a failed invocation, and a fetch.
func TestARequestAndWhatItStartsAreOneTrace(t *testing.T) {
	t.Parallel()
	spans, metrics := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	secret := "a-secret-value"
	seen := make(chan http.Header, 10)
	page := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- r.Header }))
	t.Cleanup(page.Close)
	d := drovertest.New(t, drover.Options{
		Tracer: otelbridge.Tracer(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))),
		Meter:  otelbridge.Meter(sdkmetric.NewMeterProvider(sdkmetric.WithReader(metrics)), func(err error) { t.Error(err) }),
		Model: scripted.New(scripted.Turn{
			Say: scripted.Call("done", map[string]any{"success": true, "result": map[string]any{}}).Say, Usage: model.Usage{Input: 7},
		}),
		Functions: []functions.Definition{functions.Func("fails", func(context.Context, *functions.Invocation) (any, error) { return nil, io.ErrUnexpectedEOF }, functions.FuncOptions{})},
		Logger:    slog.New(slog.DiscardHandler),
	})
	_, key, err := d.Projects.CreateKey(t.Context(), projects.Default, "test")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpadapter.New(d.Drover, httpadapter.Options{Logger: slog.New(slog.DiscardHandler)}))
	t.Cleanup(server.Close)
	request(t, server.URL, "POST", "/v1/agents/runs", key, `{"task": "do `+secret+`"}`)
	all, err := d.Runs.List(t.Context(), runs.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if run, err := d.Runs.Wait(t.Context(), all.Runs[0].ID); err != nil || run.Status != runs.Completed {
		t.Fatal(run, err)
	}
	request(t, server.URL, "POST", "/v1/fetch", key, `{"url": "`+page.URL+`/?token=`+secret+`"}`)
	inv, err := d.Functions.Invoke(t.Context(), "fails", functions.Invoke{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Functions.Wait(t.Context(), inv.ID); err != nil {
		t.Fatal(err)
	}
	if header := <-seen; header.Get("Traceparent") != "" || header.Get("Tracestate") != "" {
		t.Error("a page is told of the trace", header)
	}
	var got metricdata.ResourceMetrics
	if err := metrics.Collect(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	if n := len(got.ScopeMetrics[0].Metrics); n < 30 {
		t.Errorf("there are %d metrics", n)
	}
	if err := d.Close(); err != nil { // the spans of what is under way end
		t.Fatal(err)
	}
	checkTrace(t, spans.GetSpans(), secret)
}

func checkTrace(t *testing.T, all tracetest.SpanStubs, secret string) {
	t.Helper()
	parents := map[string]string{} // by name
	names := map[trace.SpanID]string{}
	for _, s := range all {
		names[s.SpanContext.SpanID()] = s.Name
	}
	for _, s := range all {
		if s.SpanContext.TraceID().String() == traceID {
			parents[s.Name] = names[s.Parent.SpanID()]
		}
		for _, a := range s.Attributes {
			if strings.Contains(a.Value.String(), secret) {
				t.Errorf("%s tells a secret: %v", s.Name, a)
			}
		}
	}
	for child, parent := range map[string]string{
		"POST /v1/agents/runs": "", "execute agent-run": "POST /v1/agents/runs", "step": "execute agent-run", "ask unnamed": "step", "tool done": "step",
		"POST /v1/fetch": "", "fetch raw": "POST /v1/fetch",
	} {
		if got, there := parents[child]; !there || got != parent {
			t.Errorf("%q is a child of %q (%v), want %q", child, got, there, parent)
		}
	}
	failed := slices.IndexFunc(all, func(s tracetest.SpanStub) bool { return s.Name == "execute function" })
	if failed < 0 || all[failed].Status.Description != "FAILED" || all[failed].SpanContext.TraceID().String() == traceID {
		t.Error("the invocation that failed", all[max(failed, 0)])
	}
}
