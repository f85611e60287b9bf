package chrome

import (
	"bytes"
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

// A downloadWatch is a root through which a session hears of its downloads. The
// root of a client cannot do that: with it, the browser would forget what
// becomes of the session's downloads.
type downloadWatch struct {
	mu   sync.Mutex
	root target.SessionID
}

// setDownloadBehavior lets a client hear of downloads. What becomes of the
// files is the session's business; where a client wants them, they are not put.
func (c *conn) setDownloadBehavior(st *seat, cmd policy.Command) {
	p := parsed[struct {
		BrowserContextID cdp.BrowserContextID
		EventsEnabled    bool
	}](cmd)
	c.later(cmd, func() (any, error) {
		if p.BrowserContextID != "" && p.BrowserContextID != c.s.contextID {
			behavior := c.s.downloading(p.BrowserContextID)
			behavior.EventsEnabled = &p.EventsEnabled
			_, err := c.call(c.root, cmd.Method, behavior)
			return struct{}{}, err
		}
		if p.EventsEnabled {
			if err := c.s.watchDownloads(c.ctx); err != nil {
				return nil, err
			}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		st.downloads = p.EventsEnabled
		return struct{}{}, nil
	})
}

// watchDownloads makes the session hear of its downloads.
func (s *session) watchDownloads(ctx context.Context) error {
	d := &s.visitors.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root != "" {
		return nil
	}
	ctx, cancel := s.bounded(ctx, s.p.opts.Timeouts.Call, "answer")
	defer cancel()
	id, err := s.attachRoot(ctx)
	if err != nil {
		return err
	}
	s.proc.wire.route(id, s.onDownloadFrame)
	behavior := s.downloading(s.contextID)
	behavior.EventsEnabled = new(true)
	if _, err := s.proc.wire.call(ctx, id, "Browser.setDownloadBehavior", behavior); err != nil {
		s.proc.wire.unroute(id)
		return err
	}
	d.root = id
	return nil
}

// onDownloadFrame passes an event on to the clients that want it. It runs on
// the goroutine that reads the wire.
func (s *session) onDownloadFrame(id target.SessionID, frame []byte) {
	if !bytes.HasPrefix(frame, []byte(`{"method":"Browser.download`)) {
		return
	}
	frame = stripped(frame, id)
	s.visitors.mu.Lock()
	defer s.visitors.mu.Unlock()
	for c := range s.visitors.conns {
		for _, shown := range c.downloading() {
			c.push(addressed(frame, shown))
		}
	}
}

// downloading returns the client's sessions that want to hear of downloads, as
// the client knows them.
func (c *conn) downloading() (shown []target.SessionID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, st := range c.seats {
		if st.downloads {
			shown = append(shown, st.shown)
		}
	}
	return shown
}

// addressed is a copy of a root's message for a session.
func addressed(frame []byte, id target.SessionID) []byte {
	frame = bytes.Clone(frame)
	if id == "" {
		return frame
	}
	return append(append(append(frame[:len(frame)-1], sessionKey...), id...), `"}`...)
}

// unwatchDownloads gives the root back.
func (s *session) unwatchDownloads(ctx context.Context) {
	d := &s.visitors.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == "" {
		return
	}
	s.proc.wire.call(ctx, "", target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: d.root})
	s.proc.wire.unroute(d.root)
	d.root = ""
}
