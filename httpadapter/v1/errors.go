package v1

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/sessions"
)

// errorBody is the body of every error (DECISIONS 10).
type errorBody struct {
	StatusCode int    `json:"statusCode"`
	Error      string `json:"error"`
	Message    string `json:"message"`
	// ID is the id of a fetch.
	ID string `json:"id,omitempty"`
}

// fail answers with an error. It is the one place where errors become HTTP.
func (x *exchange) fail(err error) {
	x.record.Err = err
	e := errtypes.Public(err)
	if e.Kind == errtypes.Canceled {
		if x.r.Context().Err() != nil {
			panic(http.ErrAbortHandler) // nobody is left to read it
		}
		e = errtypes.New(errtypes.Unavailable, "the service is closing")
	}
	x.errorHeaders(e.Kind)
	x.limitHeaders(err)
	status := e.Kind.HTTPStatus()
	x.record.ID = fetchID(err)
	x.write(answer{status, errorBody{status, http.StatusText(status), e.Message, x.record.ID}})
}

func (x *exchange) errorHeaders(kind errtypes.Kind) {
	h := x.w.Header()
	switch kind {
	case errtypes.Unauthenticated:
		challenge(h, x.opts.KeyHeaders)
	case errtypes.RateLimited, errtypes.Unavailable:
		h.Set("Retry-After", "1") // seconds: places come free as others end
	case errtypes.Conflict:
		h.Set("X-Should-Retry", "false") // the clients repeat every 409 otherwise
	}
}

// limitHeaders say how many sessions the project may have open. When the next
// place comes free nobody knows.
func (x *exchange) limitHeaders(err error) {
	var limit *sessions.LimitError
	if errors.As(err, &limit) {
		h := x.w.Header()
		h.Set("X-RateLimit-Limit", strconv.Itoa(limit.Limit))
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", "1")
	}
}

// recoverPanic answers 500 to a panic, whose text and stack only the log gets.
// An answer that has begun is broken off, so that nobody takes it for whole.
func (x *exchange) recoverPanic() {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	err := fmt.Errorf("panic: %v", p)
	x.opts.Logger.ErrorContext(x.r.Context(), "panic", "request", x.record.RequestID, "route", x.record.Route,
		"error", err, "stack", strings.TrimSpace(string(debug.Stack())))
	if x.started {
		x.record.Err = err
		panic(http.ErrAbortHandler)
	}
	x.fail(err)
}
