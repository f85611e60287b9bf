package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

var (
	errIdle     = errors.New("sessions: the client was silent for too long")
	errTooLong  = errors.New("sessions: the client sends a message that is too long")
	errNoPong   = errors.New("sessions: the client does not answer")
	errSockets  = errtypes.New(errtypes.RateLimited, "the session has as many clients as it may, or is ending")
	errSlowPeer = errors.New("sessions: the client reads too slowly")
)

// socket is the websocket of a client or a viewer. It is closed with the
// context that join returns.
type socket struct {
	conn  *websocket.Conn
	plain net.Conn // of a peer that understands messages and no other frames; else nil
	live  *live
	idle  clock.Timer // nil where silence is fine

	frames chan []byte   // what pump has read
	gone   chan struct{} // closed when it reads no more
	once   sync.Once
	unhold func() // the API key it was opened with
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// admit lets a client or a viewer join that may, and makes a websocket of its
// request. Who is refused has the answer, and c is nil.
func (l *live) admit(w http.ResponseWriter, r *http.Request, may func(*http.Request, string) (grant, error)) (c *socket, g grant) {
	if !l.join() {
		refuse(w, errSockets)
		return nil, g
	}
	g, err := may(r, l.ID)
	if err != nil { // this very moment
		refuse(w, err)
	} else {
		c, err = l.upgrade(w, r, g)
	}
	if err != nil {
		l.leave()
	}
	return c, g
}

// upgrade makes a websocket of a request, which lasts no longer than the API key
// that it is owed to. What is refused is refused before.
func (l *live) upgrade(w http.ResponseWriter, r *http.Request, g grant) (*socket, error) {
	conn, plain, err := accept(w, r)
	if err != nil {
		return nil, err // which it has answered with
	}
	conn.SetReadLimit(l.conf.Limits.MaxClientMessage)
	if plain != nil {
		conn.SetReadLimit(-1) // or it would be told by a frame; see read
	}
	s := &socket{conn: conn, plain: plain, live: l, frames: make(chan []byte), gone: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancelCause(l.ctx)
	s.unhold = l.whenRevoked(g.apiKey, func() { s.cancel(errRevoked) })
	return s, nil
}

// watchIdle ends the socket when nothing is read from it for too long.
func (s *socket) watchIdle() {
	s.idle = s.live.conf.Clock.AfterFunc(s.live.conf.Limits.IdleTimeout, func() { s.cancel(errIdle) })
}

// pump reads until the connection is closed, also while the peer is being told
// why: its answer to that is among what comes.
func (s *socket) pump() {
	defer close(s.gone)
	for {
		data, err := s.read()
		if err != nil {
			return // however it left
		}
		s.idle.Reset(s.live.conf.Limits.IdleTimeout)
		select {
		case s.frames <- data:
		case <-s.ctx.Done():
		}
	}
}

// read returns the next message. One that is longer than it may be ends the
// connection.
func (s *socket) read() ([]byte, error) {
	_, r, err := s.conn.Reader(context.Background())
	if err != nil {
		return nil, err
	}
	limit := s.live.conf.Limits.MaxClientMessage
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errTooLong
		s.cancel(err)
	}
	return data, err
}

// Read implements [browser.Client].
func (s *socket) Read(ctx context.Context) ([]byte, error) {
	select {
	case data := <-s.frames:
		return data, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-s.gone:
		return nil, io.EOF
	}
}

// Write implements [browser.Client].
func (s *socket) Write(ctx context.Context, message []byte) error {
	return s.write(ctx, websocket.MessageText, message)
}

// lastWords is how long a message may still take when its context has ended.
const lastWords = 500 * time.Millisecond

// write gives a peer that does not read as long as one that does not answer,
// and less when ctx has ended. The context itself does not break it off: the
// connection would go with the message, and nobody could tell the peer why.
func (s *socket) write(ctx context.Context, kind websocket.MessageType, message []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	timer := s.live.conf.Clock.AfterFunc(s.live.conf.Limits.PingInterval, func() {
		s.cancel(errSlowPeer)
		s.conn.CloseNow()
	})
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { timer.Reset(lastWords) })()
	return s.conn.Write(context.Background(), kind, message)
}

// ping asks again and again whether the peer is there, and ends the socket
// when it is not. Pongs are seen while somebody reads. A plain peer cannot be
// asked: TCP finds out, or its silence ends it.
func (s *socket) ping() {
	if s.plain != nil {
		return
	}
	every := s.live.conf.Limits.PingInterval
	timer := s.live.conf.Clock.NewTimer(every)
	defer timer.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-timer.C():
		}
		late := s.live.conf.Clock.AfterFunc(every, func() { s.cancel(errNoPong) })
		err := s.conn.Ping(s.ctx)
		late.Stop()
		if err != nil {
			s.cancel(err)
			return
		}
		timer.Reset(every)
	}
}

// close says why, if there is somebody to hear it, and waits a little for that.
// It is idempotent.
func (s *socket) close() { s.closeFor(nil) }

// closeFor is close where it is known why the browser has enough of the client.
// That the browser has died may be known here before the session knows it.
func (s *socket) closeFor(cause error) {
	s.once.Do(func() { s.tell(cause) })
}

func (s *socket) tell(cause error) {
	if s.idle != nil {
		s.idle.Stop()
	}
	why := context.Cause(s.ctx)
	s.cancel(nil)
	s.unhold()
	if s.plain != nil {
		s.hangUp()
		return
	}
	switch {
	case errors.Is(why, errTooLong):
		s.conn.Close(websocket.StatusMessageTooBig, fmt.Sprintf("a message may have at most %d bytes", s.live.conf.Limits.MaxClientMessage))
	case errors.Is(why, errIdle):
		s.conn.Close(websocket.StatusPolicyViolation, "silent for too long")
	case errors.Is(why, errRevoked):
		s.conn.Close(websocket.StatusPolicyViolation, revokedText)
	case errors.Is(why, errViewExpired):
		s.conn.Close(websocket.StatusPolicyViolation, "the link to the live view has expired")
	case s.live.ctx.Err() != nil:
		s.conn.Close(websocket.StatusGoingAway, reason(context.Cause(s.live.ctx)))
	case errtypes.Is(cause, errtypes.Unavailable), errtypes.Is(cause, errtypes.Gone):
		s.conn.Close(websocket.StatusGoingAway, reason(died(cause)))
	case errtypes.Is(cause, errtypes.RateLimited): // too many clients, or too much for this one
		s.conn.Close(websocket.StatusTryAgainLater, fit(errtypes.Public(cause).Message))
	default:
		s.conn.Close(websocket.StatusNormalClosure, "")
	}
}

// hangUp ends the connection of a plain peer in order: what has been written to it
// arrives, which it may not if it has sent what nobody has read.
func (s *socket) hangUp() {
	defer s.conn.CloseNow()
	half, ok := s.plain.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	timer := s.live.conf.Clock.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-s.gone: // pump reads until then
	case <-timer.C():
	}
}

// maxReason is what a websocket can carry of it, in bytes.
const maxReason = 123

// reason is why a session has ended, in the words of its cause.
func reason(ended error) string {
	text := "the session has ended"
	if e := endingOf(ended); e.cause != nil {
		text += ": " + e.cause.Message
	}
	return fit(text)
}

func fit(text string) string {
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "")
	}
	return text
}
