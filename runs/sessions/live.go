package sessions

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// live is a session while this process has its browser.
type live struct {
	*service
	row
	browser browser.Session
	profile *profile    // nil for a session without a context
	log     *sessionLog // nil for a session without a log
	rec     *recorder
	// secrets are the values of variables of all who have driven the session, since
	// its pages may still show them.
	secrets *secrets.Vault
	privacy privacy
	turns   chan struct{} // who drives the browser

	// ctx ends with the session; its cause is the ending.
	ctx    context.Context
	cancel context.CancelCauseFunc
	life   clock.Timer
	wg     sync.WaitGroup // all that works on the browser
	done   chan struct{}  // closed when the end is written and nothing is left

	unpacked *workdir.Dir // of the extension; nil without one
	doors    doors
	left     remains // from its end on

	mu      sync.Mutex
	ending  bool
	connect clock.Timer // runs until the first client comes
	clients int         // of CDP
	sockets int         // clients and viewers
	uploads int
}

func newLive(s *service, r row, log *joblog.Log) *live {
	l := &live{service: s, row: r, done: make(chan struct{}), turns: make(chan struct{}, 1), secrets: secrets.NewVault(nil, s.conf.Clock)}
	l.log = newSessionLog(s.conf.Limits, log)
	l.rec = newRecorder(s.conf.Limits, s.conf.Clock, r.ID, !r.Settings.NoRecording)
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	for _, note := range r.Settings.notes() {
		l.log.note(s.conf.Clock.Now(), note)
	}
	return l
}

// begin starts the clocks of a session that is RUNNING.
func (l *live) begin(r row) {
	l.row.Session = r.Session
	left := r.ExpiresAt.Sub(l.now())
	l.life = l.conf.Clock.AfterFunc(max(left, 0), func() { l.end(expired(r.ExpiresAt.Sub(r.StartedAt))) })
	if !r.own && !r.KeepAlive {
		l.connect = l.conf.Clock.AfterFunc(l.conf.Limits.ConnectTimeout, func() { l.end(neverConnected) })
	}
	if l.rec.on && !r.Settings.StepsOnly {
		l.spawn(l.record)
	}
	l.spawn(l.keepTraffic)
	go l.watch()
}

// end asks the session to end so; the first who asks is obeyed.
func (l *live) end(e *ending) { l.cancel(e) }

// spawn runs f unless the session is ending, which waits for it.
func (l *live) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending {
		return false
	}
	l.wg.Go(f)
	return true
}

// watch waits for the end and makes it true.
func (l *live) watch() {
	select {
	case <-l.ctx.Done():
	case <-l.browser.Done():
		if err := l.browser.Err(); err != nil {
			l.end(died(err))
		} else {
			l.end(released) // whoever drives it has closed it
		}
	}
	l.finish()
}

// finish takes everything down, then writes the end: a session that is not
// RUNNING has no browser any more.
func (l *live) finish() {
	defer close(l.done)
	l.life.Stop()
	l.mu.Lock()
	l.ending = true
	if l.connect != nil {
		l.connect.Stop()
	}
	l.mu.Unlock()
	l.left.proxyBytes = traffic(l.browser)
	closed := l.browser.Close()
	if closed != nil {
		l.conf.Logger.Warn("sessions: a browser does not close cleanly", "session", l.ID, "error", closed)
	}
	l.wg.Wait()
	l.keepProfile(closed)
	l.removeFiles()
	l.removeExtension()
	l.archive(&l.left)
	l.writeEnd()
	l.forget(l.ID)
}

// removeFiles removes what was uploaded.
func (l *live) removeFiles() {
	if err := l.files.remove(l.ID); err != nil {
		l.conf.Logger.Warn("sessions: uploaded files cannot be removed", "session", l.ID, "error", err)
	}
}

// join makes room for a client or a viewer; false if there are too many, or the
// session is ending. That tells those who have joined; the service, and not the
// session, waits until they have heard it.
func (l *live) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending || l.ctx.Err() != nil || l.sockets >= l.conf.Limits.MaxClients {
		return false
	}
	l.sockets++
	l.peers.Add(1)
	return true
}

func (l *live) leave() {
	defer l.peers.Done()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sockets--
}

// connected counts a client in that has its websocket.
func (l *live) connected() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clients++
	if l.connect != nil {
		l.connect.Stop()
	}
}

// disconnected counts it out. The last one takes the session with it, unless
// that is to be kept alive or is driven from inside. One whose API key was
// revoked has not left by itself: those with another key have as much time to
// come as the first client had.
func (l *live) disconnected(c *socket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clients--
	switch {
	case l.clients > 0 || l.KeepAlive || l.own || l.ending:
	case errors.Is(context.Cause(c.ctx), errRevoked):
		l.connect = l.conf.Clock.AfterFunc(l.conf.Limits.ConnectTimeout, func() { l.end(released) })
	default:
		l.end(released)
	}
}

// bytes is what the session's proxy has carried so far.
func (l *live) bytes() int64 { return traffic(l.browser) }

// tabs are the open pages, without the values of variables and without icons.
func (l *live) tabs() []Tab {
	all := []Tab{}
	for _, t := range l.browser.Tabs() {
		all = append(all, Tab{ID: t.ID, URL: l.clean(t.URL), Title: l.clean(t.Title)})
	}
	return all
}

// held is a session that Drover itself drives.
type held struct {
	browser.Session
	live *live
}

// Close ends the session and waits until that is written.
func (h *held) Close() error {
	h.live.end(h.ending())
	<-h.live.done
	return nil
}

// ending is why it ends with Close: its browser may have died already.
func (h *held) ending() *ending {
	select {
	case <-h.Session.Done():
		if err := h.Session.Err(); err != nil {
			return died(err)
		}
	default:
	}
	return closedInside
}

// Err is also why the session was taken away: released from outside, say.
func (h *held) Err() error {
	select {
	case <-h.Done():
	default:
		return nil
	}
	if err := h.Session.Err(); err != nil {
		return err
	}
	if cause := context.Cause(h.live.ctx); cause != nil && cause != error(closedInside) {
		return errtypes.New(errtypes.Gone, "the browser session was ended from outside").WithCause(cause)
	}
	return nil
}

// Step adds a step to the recording: what was done, in words that hold no
// secret.
func (h *held) Step(what any) { h.live.rec.step(what) }

// endPause is between two tries to write an end.
const (
	endTries = 5
	endPause = time.Second
)
