// Package access is what is known of one request beside its answer: the
// outermost handler makes a [Record] for the log, those below fill it in.
package access

import (
	"context"
	"time"
)

// Record is one request. It belongs to the goroutine that serves the request.
type Record struct {
	// RequestID is what the answer and the log call the request.
	RequestID string
	// Route is the pattern that matched, without anything the caller wrote;
	// empty for an unknown path.
	Route string
	// ProjectID is the caller's project; empty before the key is known.
	ProjectID string
	// ID is what the answer calls the failure, where that is not RequestID.
	ID string
	// Dropping is how long what the caller still sent was dropped, once the answer had
	// been written.
	Dropping time.Duration
	// Err is the whole error behind the answer, which only the log may see.
	Err error
}

type contextKey struct{}

// With returns a context that carries the record.
func With(ctx context.Context, r *Record) context.Context {
	return context.WithValue(ctx, contextKey{}, r)
}

// From returns the record of a request; one that nobody reads where there is
// none, so that no caller has to ask.
func From(ctx context.Context) *Record {
	if r, ok := ctx.Value(contextKey{}).(*Record); ok {
		return r
	}
	return &Record{}
}
