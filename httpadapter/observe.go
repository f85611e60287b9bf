package httpadapter

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/internal/wire/access"
)

// requestMetrics are what is counted of requests. Labels are of patterns, never of
// what a caller has written: all paths that no route has are one.
type requestMetrics struct {
	*telemetry.Telemetry
	requests *telemetry.Counter
	lasts    *telemetry.Histogram
	underWay *telemetry.Gauge
}

// newRequestMetrics counts where everything is counted. Metrics of a host's own
// count no requests.
func newRequestMetrics(all drover.Metrics) requestMetrics {
	t, _ := all.(*telemetry.Telemetry)
	return requestMetrics{
		Telemetry: t,
		requests:  t.Counter("drover_http_requests_total", "Requests that were answered, by interface (v1, v2 or other), method, pattern of the route (empty for unknown paths) and class of the status.", "interface", "method", "route", "status"),
		lasts:     t.Histogram("drover_http_request_seconds", "How long requests took, to the end of their answers.", nil, "interface", "route"),
		underWay:  t.Gauge("drover_http_requests_in_flight", "Requests that are being answered."),
	}
}

// begin begins to count a request, and its span within that of the caller; what
// it returns is called when the answer has ended.
func (m requestMetrics) begin(r *http.Request, record *access.Record) (context.Context, func(status int, took time.Duration)) {
	if m.Telemetry == nil {
		return r.Context(), func(int, time.Duration) {}
	}
	m.underWay.Add(1)
	ctx := m.Continue(r.Context(), telemetry.Parent{Traceparent: r.Header.Get("Traceparent"), Tracestate: strings.Join(r.Header.Values("Tracestate"), ",")})
	method, in := knownMethod(r.Method), interfaceOf(r.URL.Path)
	ctx, span := m.Span(ctx, telemetry.Server, method)
	return ctx, func(status int, took time.Duration) {
		m.underWay.Add(-1)
		m.requests.Inc(in, method, record.Route, classOf(status))
		m.lasts.Seconds(took, in, record.Route)
		endRequest(span, method, status, record)
	}
}

// endRequest says of a span what the log says of the request. The names of what it
// says are OpenTelemetry's.
func endRequest(span *telemetry.Span, method string, status int, record *access.Record) {
	if span == nil {
		return
	}
	if record.Route != "" {
		span.SetName(method + " " + record.Route)
		span.Set("http.route", record.Route)
	}
	span.Set("http.request.method", method)
	span.SetInt("http.response.status_code", int64(status))
	span.Set("drover.request", record.RequestID)
	if record.ProjectID != "" {
		span.Set("drover.project", record.ProjectID)
	}
	failure := ""
	if status >= http.StatusInternalServerError {
		failure = strconv.Itoa(status)
	}
	span.End(failure)
}

// interfaceOf is the interface that a path belongs to.
func interfaceOf(path string) string {
	switch {
	case strings.HasPrefix(path, "/v1/"):
		return "v1"
	case strings.HasPrefix(path, "/v2/"):
		return "v2"
	}
	return "other"
}

// classOf is the class of a status: 2xx.
func classOf(status int) string {
	if status < 100 || status > 599 {
		return "other"
	}
	return string('0'+rune(status/100)) + "xx"
}
