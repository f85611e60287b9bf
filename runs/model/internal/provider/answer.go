package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/sse"
)

// An Answer is the body of a response, as the events of a stream or as one
// document: servers give either for the other.
type Answer struct {
	client      *Client
	caller, ctx context.Context // ctx ends also when the provider is too slow
	cancel      context.CancelCauseFunc
	timers      []clock.Timer
	first       clock.Timer
	idle        clock.Timer    // since the last byte; nil before the first
	res         *http.Response // nil until it has come
	left        int64          // bytes that may still come
	events      interface{ Next() (sse.Event, error) }
	whole       io.Reader // the one document; nil once it was read
}

// within ends the request with the cause unless it has ended before.
func (a *Answer) within(limit time.Duration, cause error) clock.Timer {
	t := a.client.opts.Clock.AfterFunc(limit, func() { a.cancel(cause) })
	a.timers = append(a.timers, t)
	return t
}

// RequestID is what the provider calls the request in its own logs; empty where
// it says nothing.
func (a *Answer) RequestID() string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Goog-Request-Id"} {
		if id := a.res.Header.Get(name); id != "" {
			return shorten.Bytes(a.client.clean(id), 200)
		}
	}
	return ""
}

// Received is how many bytes of the body have come, after decompression.
func (a *Answer) Received() int { return int(a.client.opts.MaxAnswer - a.left) }

// open finds out what the body is.
func (a *Answer) open() {
	kind, _, _ := mime.ParseMediaType(a.res.Header.Get("Content-Type"))
	switch kind {
	case "text/event-stream":
		a.events = sse.NewReader(body{a}, a.client.opts.MaxEvent)
	case "application/x-ndjson":
		a.events = sse.NewLines(body{a}, a.client.opts.MaxEvent)
	default:
		a.whole = body{a}
	}
}

// Next returns what comes next: of a document its bytes, with an empty name. The
// error is io.EOF at the end, which says nothing about whether all was said: a
// provider's own mark does. Else it is a [*model.Error], or that of the caller's
// context.
func (a *Answer) Next() (sse.Event, error) {
	if a.events == nil {
		return a.document()
	}
	e, err := a.events.Next()
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return e, err
	case errors.Is(err, sse.ErrTooLong):
		return e, a.tooLong()
	}
	return e, a.failed(err)
}

// A Reach is how far an answer has come.
type Reach int

// The ways that an answer comes.
const (
	Going    Reach = iota // more of it is to come
	Finished              // all was said; what it has cost may follow
	Whole                 // nothing follows
)

// What follows an answer is waited for this long only: some servers leave the
// connection open.
const (
	tailWait  = 2 * time.Second        // for what a finished answer has cost
	drainWait = 100 * time.Millisecond // for the end of the body of a whole one
	drainSize = 16 << 10               // bytes of it
)

// Each hands what comes to take until that says that the answer is whole, or
// nothing more comes, which says nothing about whether all was said. Of an answer
// that take calls finished, no end is missed: neither one that does not come nor
// one of a connection that breaks. What the provider says went wrong is that of
// [Client.Fault]; the other errors are those of Next and of take.
func (a *Answer) Each(take func(data []byte) (Reach, error)) error {
	finished := false
	for {
		e, err := a.Next()
		if errors.Is(err, io.EOF) || err != nil && finished && a.caller.Err() == nil {
			return nil
		}
		if err != nil {
			return err
		}
		if f, ok := ReadFault(e.Data); ok {
			if f.Code == "" {
				f.Code = "server_error" // there is no word for it, and no status any more
			}
			return a.client.Fault(f)
		}
		reach, err := take(e.Data)
		if err != nil {
			return err
		}
		if reach == Whole {
			a.drain()
			return nil
		}
		if reach == Finished && !finished {
			finished = true
			a.within(tailWait, errTail)
		}
	}
}

// drain reads on to the end of the body, if that is near: only then the
// connection serves again.
func (a *Answer) drain() {
	a.within(drainWait, errTail)
	_, _ = io.CopyN(io.Discard, a.res.Body, drainSize) // the answer is whole, whatever comes
}

// document reads a body of no events. Text that looks like a stream is one:
// servers forget the type.
func (a *Answer) document() (sse.Event, error) {
	if a.whole == nil {
		return sse.Event{}, io.EOF
	}
	raw, err := io.ReadAll(a.whole)
	a.whole = nil
	if err != nil {
		return sse.Event{}, a.failed(err)
	}
	raw = bytes.TrimSpace(raw)
	if bytes.HasPrefix(raw, []byte("data:")) || bytes.HasPrefix(raw, []byte("event:")) {
		a.events = sse.NewReader(bytes.NewReader(raw), a.client.opts.MaxEvent)
		return a.Next()
	}
	if len(raw) == 0 {
		return sse.Event{}, io.EOF
	}
	return sse.Event{Data: raw}, nil
}

// Close ends the request, and its connection where the answer was not read to
// its end.
func (a *Answer) Close() {
	for _, t := range a.timers {
		t.Stop()
	}
	a.cancel(nil)
	if a.res != nil {
		_ = a.res.Body.Close()
	}
}

var errTooLong = errors.New("provider: the answer is too long")

func (a *Answer) failed(err error) error {
	if errors.Is(err, errTooLong) {
		return a.tooLong()
	}
	return a.broken(err, model.ErrorCut, "broke off its answer")
}

func (a *Answer) tooLong() error {
	return &model.Error{Kind: model.ErrorMalformed, Message: fmt.Sprintf("the answer of the language model at %s is too long", a.client.host())}
}

// broken is a connection that failed: an error of the caller's context where that
// has ended.
func (a *Answer) broken(err error, kind model.ErrorKind, what string) error {
	if a.caller.Err() != nil {
		return context.Cause(a.caller)
	}
	if slow, ok := errors.AsType[tooSlow](context.Cause(a.ctx)); ok {
		kind, what = model.ErrorNetwork, string(slow)
	}
	return (&model.Error{Kind: kind, Temporary: true, Message: fmt.Sprintf("the language model at %s %s", a.client.host(), what)}).
		WithCause(errors.New(a.client.clean(err.Error())))
}

// body counts what is read, and moves the time limit with it.
type body struct{ a *Answer }

func (b body) Read(p []byte) (int, error) {
	a := b.a
	n, err := a.res.Body.Read(p)
	if n > 0 {
		a.moved()
	}
	if a.left -= int64(n); a.left < 0 {
		return n, errTooLong
	}
	return n, err
}

func (a *Answer) moved() {
	if idle := a.client.opts.Timeouts.Idle; a.idle != nil {
		a.idle.Reset(idle)
		return
	}
	a.first.Stop()
	a.idle = a.within(a.client.opts.Timeouts.Idle, errIdle)
}
