package request

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// guarded is a body of which is known what has become of it.
type guarded struct {
	io.ReadCloser
	ended   bool // to its end, or to a failure
	givenUp bool
	refused bool // because of its announced length, unread
}

func (g *guarded) Read(p []byte) (int, error) {
	n, err := g.ReadCloser.Read(p)
	g.ended = g.ended || err != nil
	return n, err
}

// Guard bounds how long the server itself waits for a body that nobody reads:
// it wants to have read some of it before it answers. Call it first, and answered
// once the answer is written: what the caller is still sending is read and dropped,
// within the limits. Many clients look at an answer only when they have sent all,
// and take a connection that is closed before for a failure of the network.
func Guard(w http.ResponseWriter, r *http.Request, l Limits) (_ *http.Request, answered func()) {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return r, func() {}
	}
	l = l.WithDefaults()
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(l.IdleTimeout))
	body := &guarded{ReadCloser: r.Body}
	own := *r // the server looks at the body of its own
	own.Body = body
	return &own, func() {
		if body.mayDrain(r) {
			body.drain(w, l)
		}
	}
}

// maySend reports whether the caller of a request may be sending: who waits for
// "100 Continue" does not, and streams of HTTP/2 end one by one.
func maySend(r *http.Request) bool {
	return r.ProtoMajor == 1 && !strings.EqualFold(r.Header.Get("Expect"), "100-continue")
}

// mayDrain reports whether there is a body left that the server has not read itself,
// as it does with what is small.
func (g *guarded) mayDrain(r *http.Request) bool {
	const small = 256 << 10 // net/http: maxPostHandlerReadBytes
	return !g.ended && !g.givenUp && maySend(r) && (g.refused || r.ContentLength < 0 || r.ContentLength > small)
}

// drain sends the answer that is written, and reads what comes after it. Of a body that
// nobody wanted it reads as much as may be sent, and for no longer than a piece may take.
func (g *guarded) drain(w http.ResponseWriter, l Limits) {
	most := l.MaxDiscard
	if !g.refused {
		most, l.TotalTimeout = l.MaxBody, min(l.TotalTimeout, l.IdleTimeout)
	}
	timed := newTimedReader(w, g.ReadCloser, l)
	defer timed.expire()
	if timed.control.Flush() == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(timed, most))
	}
}

// refuse has an answer go out before any of the body is read, which is dropped after it.
func (b *body) refuse() {
	b.w.Header().Set("Connection", "close")
	g, ok := b.r.Body.(*guarded)
	if !ok || !maySend(b.r) || b.timed.control.EnableFullDuplex() != nil {
		b.giveUp()
		return
	}
	g.refused = true
}

// refused reports whether the body is dropped after the answer.
func (b *body) refused() bool {
	g, ok := b.r.Body.(*guarded)
	return ok && g.refused
}
