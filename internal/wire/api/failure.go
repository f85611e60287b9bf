package api

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Failure is an error that is about to be answered with.
type Failure struct {
	// Err is the whole error, which the caller must not see.
	Err error
	// Public is what the caller may see of it.
	Public *errtypes.Error
	// Status is that of the kind of Public, but where only HTTP knows the failure
	// (416). An interface that has types goes by the type where there is one.
	Status int
}

// Fail answers with an error. It is the one place where errors become HTTP.
func (x *Exchange) Fail(err error) {
	x.Record.Err = err
	e := errtypes.Public(err)
	if e.Kind == errtypes.Canceled {
		if x.R.Context().Err() != nil {
			panic(http.ErrAbortHandler) // nobody is left to read it
		}
		e = errtypes.New(errtypes.Unavailable, "the service is closing")
	}
	x.refuse(Failure{err, e, e.Kind.HTTPStatus()})
}

func (x *Exchange) refuse(f Failure) {
	switch f.Public.Kind {
	case errtypes.RateLimited, errtypes.Unavailable:
		x.W.Header().Set("Retry-After", "1") // seconds: places come free as others end
	}
	x.Write(x.in.Error(x, f))
}

// recoverPanic answers 500 to a panic, whose text and stack only the log gets.
// An answer that has begun is broken off, so that nobody takes it for whole.
func (x *Exchange) recoverPanic() {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	err := fmt.Errorf("panic: %v", p)
	x.in.Logger.ErrorContext(x.R.Context(), "panic", "request", x.Record.RequestID, "route", x.Record.Route,
		"error", err, "stack", strings.TrimSpace(string(debug.Stack())))
	if x.started {
		x.Record.Err = err
		panic(http.ErrAbortHandler)
	}
	x.Fail(err)
}
