package httpadapter

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/access"
)

// logged gives every request an id, counts it, and writes a line about it when it is
// over.
// The line holds the pattern of the route, never the path, the query or a
// header: those may carry ids of others and secrets.
func logged(o Options, metrics requestMetrics, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record := &access.Record{RequestID: requestID(r)}
		counted := &countingWriter{ResponseWriter: w}
		w.Header().Set(requestIDHeader, record.RequestID)
		start := time.Now()
		ctx, done := metrics.begin(r, record)
		// In a defer, because a panic passes here that tells net/http to break
		// off the connection.
		defer func() {
			took := time.Since(start) - record.Dropping
			done(counted.answered(), took)
			writeLine(o.Logger, r, record, counted, took)
		}()
		h.ServeHTTP(counted, r.WithContext(access.With(ctx, record)))
	})
}

func writeLine(log *slog.Logger, r *http.Request, record *access.Record, w *countingWriter, took time.Duration) {
	status := w.answered()
	attrs := []slog.Attr{
		slog.String("method", knownMethod(r.Method)), slog.String("route", record.Route), slog.Int("status", status),
		slog.Int64("bytes", w.bytes), slog.Duration("took", took), slog.String("request", record.RequestID),
	}
	if record.ProjectID != "" {
		attrs = append(attrs, slog.String("project", record.ProjectID))
	}
	if record.ID != "" {
		attrs = append(attrs, slog.String("id", record.ID))
	}
	level := slog.LevelInfo
	if record.Err != nil && status >= http.StatusInternalServerError {
		level = slog.LevelWarn
		if errtypes.KindOf(record.Err) == errtypes.Internal {
			level = slog.LevelError
		}
		attrs = append(attrs, slog.String("error", errorText(record.Err)))
	}
	log.LogAttrs(r.Context(), level, "request", attrs...)
}

// errorText is the whole error where it is ours to repair. That of a server
// that was asked for the caller may repeat the URL and what is in it.
func errorText(err error) string {
	switch errtypes.KindOf(err) {
	case errtypes.BadGateway, errtypes.GatewayTimeout:
		return errtypes.Public(err).Message
	}
	return err.Error()
}

// knownMethod keeps what callers make up out of the log.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// countingWriter notes what was answered.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// answered is the status, or that of a request that was broken off before its answer
// began.
func (w *countingWriter) answered() int {
	if w.status == 0 {
		return errtypes.Canceled.HTTPStatus()
	}
	return w.status
}

func (w *countingWriter) WriteHeader(status int) {
	if w.status == 0 && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
