package process

import (
	"cmp"
	"context"
	"net"
	"sync"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// remoteDialer connects to the address that the host has configured. It is
// outside the gate, which is for what callers and pages choose.
var remoteDialer net.Dialer

// maxRemoteFrame bounds a message of a remote browser, in bytes: pictures and
// pages are far below.
const maxRemoteFrame = 512 << 20

// A socket is the websocket of a remote browser.
type socket struct {
	conn *websocket.Conn
	life context.Context
	end  context.CancelCauseFunc

	mu  sync.Mutex
	err error // why it ended
}

var _ mux.Framed = (*socket)(nil)

func newSocket(conn *websocket.Conn) *socket {
	conn.SetReadLimit(maxRemoteFrame)
	s := &socket{conn: conn}
	s.life, s.end = context.WithCancelCause(context.Background())
	return s
}

func (s *socket) ReadFrame() ([]byte, error) {
	_, frame, err := s.conn.Read(s.life)
	if err != nil {
		s.failed(err)
	}
	return frame, err
}

func (s *socket) WriteFrame(frame []byte) error {
	return s.conn.Write(s.life, websocket.MessageText, frame)
}

// failed keeps the first reason of the end.
func (s *socket) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
}

func (s *socket) cause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.err, mux.ErrLost)
}

// Close implements [mux.Framed]. The contexts that were made over it go
// with it.
func (s *socket) Close() error {
	s.end(mux.ErrLost)
	s.conn.CloseNow()
	return nil
}

// keepAlive tries the connection now and then until it is lost, and closes it
// when there is no answer.
func (s *socket) keepAlive(c clock.Clock, lost <-chan struct{}) {
	for {
		timer := c.NewTimer(pingEvery)
		select {
		case <-lost:
			timer.Stop()
			return
		case <-timer.C():
		}
		if !s.answers(c) {
			s.failed(errSilent)
			s.Close()
			return
		}
	}
}

func (s *socket) answers(c clock.Clock) bool {
	ctx, cancel := clock.WithTimeout(s.life, c, pingEvery, errSilent)
	defer cancel()
	return s.conn.Ping(ctx) == nil
}
