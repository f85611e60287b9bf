package request

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// guarded is a body of which is known what has become of it.
type guarded struct {
	io.ReadCloser
	ended     bool // the handler has read it to its end, or to a failure; the server may have since
	givenUp   bool
	dropLater bool // what the handler has refused is dropped after the answer
}

func (g *guarded) Read(p []byte) (int, error) {
	n, err := g.ReadCloser.Read(p)
	g.ended = g.ended || err != nil
	return n, err
}

// Guard bounds how long the server itself waits for a body that nobody reads:
// it wants to have read some of it before it answers. Call it first, and answered
// once the answer is written: what the caller is still sending is read and dropped,
// within the limits, and answered returns how long that took. Many clients look at an
// answer only when they have sent all, and take a connection that is closed before for a
// failure of the network. Nothing is dropped after an answer without a length, which
// ends with its handler.
func Guard(w http.ResponseWriter, r *http.Request, l Limits) (_ *http.Request, answered func() time.Duration) {
	none := func() time.Duration { return 0 }
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return r, none
	}
	l = l.WithDefaults()
	if http.NewResponseController(w).SetReadDeadline(time.Now().Add(l.IdleTimeout)) != nil {
		return r, none // it comes from within the process
	}
	body := &guarded{ReadCloser: r.Body}
	own := *r // the server looks at the body of its own
	own.Body = body
	return &own, func() time.Duration {
		if w.Header().Get("Content-Length") == "" || !body.mayDrain(r) {
			return 0
		}
		begun := time.Now()
		body.drain(r.Context(), w, l)
		return time.Since(begun)
	}
}

// maySend reports whether the caller of a request may be sending: who waits for
// "100 Continue" does not, and streams of HTTP/2 end one by one.
func maySend(r *http.Request) bool {
	return r.ProtoMajor == 1 && !strings.EqualFold(r.Header.Get("Expect"), "100-continue")
}

// mayDrain reports whether there may be a body left that the server has not read
// itself, as it does with what is small.
func (g *guarded) mayDrain(r *http.Request) bool {
	const small = 256 << 10 // net/http: maxPostHandlerReadBytes
	return !g.ended && !g.givenUp && maySend(r) && (g.dropLater || r.ContentLength < 0 || r.ContentLength > small)
}

// drain sends the answer that is written, and reads what comes after it. Of a body that
// nobody wanted it reads as much as may be sent, and for no longer than a piece may
// take. Once the server itself has come to the end of the body, it listens on the
// connection already: a deadline that has passed would cancel the requests to come.
func (g *guarded) drain(ctx context.Context, w http.ResponseWriter, l Limits) {
	most := l.MaxDiscard
	if !g.dropLater {
		most, l.TotalTimeout = l.MaxBody, min(l.TotalTimeout, l.IdleTimeout)
	}
	timed := newTimedReader(w, g.ReadCloser, l)
	if timed.control.Flush() != nil {
		return
	}
	stop := context.AfterFunc(ctx, timed.expire)
	n, err := io.Copy(io.Discard, io.LimitReader(timed, most))
	if stop() && (err == nil && n < most || errors.Is(err, http.ErrBodyReadAfterClose)) {
		timed.release()
		return
	}
	timed.expire()
}

// refuseUnread has an answer go out before any of the body is read, which is dropped
// after it.
func (b *body) refuseUnread() {
	b.w.Header().Set("Connection", "close")
	g, ok := b.r.Body.(*guarded)
	if !ok || !maySend(b.r) || b.timed.control.EnableFullDuplex() != nil {
		b.giveUp()
		return
	}
	g.dropLater = true
}

// droppedLater reports whether the body is dropped after the answer.
func (b *body) droppedLater() bool {
	g, ok := b.r.Body.(*guarded)
	return ok && g.dropLater
}
