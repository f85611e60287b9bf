package request

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// guarded is a body of which is known whether it was refused unread.
type guarded struct {
	io.ReadCloser
	refused bool
}

// Guard bounds how long the server itself waits for a body that nobody reads:
// it wants to have read some of it before it answers. Call it first, and what it
// returns once the answer is written.
func Guard(w http.ResponseWriter, r *http.Request, l Limits) (answered func()) {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	l = l.WithDefaults()
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(l.IdleTimeout))
	body := &guarded{ReadCloser: r.Body}
	r.Body = body
	return func() {
		if body.refused {
			drain(w, body.ReadCloser, l)
		}
	}
}

// refuse has an answer go out before any of the body is read, and the body be read
// and dropped after it: many clients look at an answer only when they have sent all,
// and take a connection that is closed before for a failure of the network. One who
// waits for "100 Continue" is not sending. Streams of HTTP/2 need none of this.
func (b *body) refuse() {
	b.w.Header().Set("Connection", "close")
	body, ok := b.r.Body.(*guarded)
	waits := strings.EqualFold(b.r.Header.Get("Expect"), "100-continue")
	if !ok || waits || b.r.ProtoMajor != 1 || b.timed.control.EnableFullDuplex() != nil {
		b.giveUp()
		return
	}
	body.refused = true
}

// refused reports whether the body is dropped after the answer.
func (b *body) refused() bool {
	body, ok := b.r.Body.(*guarded)
	return ok && body.refused
}

// drain sends the answer that is written, and reads what the caller goes on sending,
// within the limits.
func drain(w http.ResponseWriter, from io.Reader, l Limits) {
	timed := newTimedReader(w, from, l)
	defer timed.expire()
	if timed.control.Flush() == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(timed, l.MaxDiscard))
	}
}
