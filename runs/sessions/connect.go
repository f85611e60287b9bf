package sessions

import (
	"net/http"
	"sync"
)

// connect lets a client speak CDP with the browser of a session.
func (s *service) connect(w http.ResponseWriter, r *http.Request, known row) {
	l := s.find(known.ID)
	if err := noPages(r); err != nil {
		refuse(w, err)
		return
	}
	if l == nil {
		s.forward(w, r, known)
		return
	}
	l.doors.add(r)
	l.serveClient(w, r)
}

// serveClient is connect for a client that may.
func (l *live) serveClient(w http.ResponseWriter, r *http.Request) {
	c, _ := l.admit(w, r, l.mayConnect)
	if c == nil {
		return // who asked for no websocket has not been here
	}
	defer l.leave()
	l.connected()
	defer func() { l.disconnected(c) }()
	c.watchIdle()
	l.speak(c)
}

// speak hands the client to the browser until either has enough.
func (l *live) speak(c *socket) {
	var work sync.WaitGroup
	defer work.Wait()
	defer c.close()
	work.Go(c.ping)
	work.Go(c.pump)
	err := l.browser.Serve(c.ctx, c)
	if err != nil && c.ctx.Err() == nil {
		l.conf.Logger.Debug("sessions: a client's connection has ended", "session", l.ID, "error", err)
	}
	c.closeFor(err)
}
