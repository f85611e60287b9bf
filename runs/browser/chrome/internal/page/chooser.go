package page

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
)

// A chooser waits for a page to ask for files. A page that asks when nobody
// waits is told at once that nothing was chosen.
type chooser struct {
	mu      sync.Mutex
	waiting chan asked // nil when nobody waits
	missed  bool       // a question, since it was told
}

// asked is a page's question for files.
type asked struct {
	sess cdp.Session
	ev   *page.EventFileChooserOpened
}

// opened hears of a question. It runs on the goroutine that reads a target's
// messages.
func (c *chooser) opened(sess cdp.Session, ev *page.EventFileChooserOpened) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.missed = true
		return
	}
	select {
	case c.waiting <- asked{sess, ev}:
	default:
	}
}

// takeMissed reports whether a question was not waited for since it was called last.
func (c *chooser) takeMissed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	missed := c.missed
	c.missed = false
	return missed
}

func (c *chooser) wait() <-chan asked {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = make(chan asked, 1)
	return c.waiting
}

func (c *chooser) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = nil
}

// waited reports whether the agent waits for a question.
func (c *chooser) waited() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting != nil
}

// intercept makes a target ask here for files, and cancels its questions if
// nobody waits for them: neither the agent nor an external client. It may be
// called at any time; whoever comes last leaves it as it has to be.
func (s *Session) intercept(ctx context.Context, t cdp.Session, id target.ID) error {
	for {
		waited := s.choosing(id)
		_, err := cdp.Call(ctx, t, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{
			Enabled: true, Cancel: new(!waited),
		})
		if err != nil || waited == s.choosing(id) {
			return err
		}
	}
}

// choosing reports whether anybody answers the questions of a target.
func (s *Session) choosing(id target.ID) bool {
	t := s.tabOf(string(id))
	return s.Clients.Choosing(id) || s.chooser.waited() && (t == nil || !t.guest())
}

// SettleChooser is intercept for the target with an id, if the session itself
// is attached to it; else it will be done when it is.
func (s *Session) SettleChooser(ctx context.Context, id target.ID) {
	ctx, cancel := s.Bounded(ctx, s.opts.Call, "answer")
	defer cancel()
	if t := s.attached(id); t != nil {
		s.intercept(ctx, t, id)
	}
}

// attached returns the session's own end of a page or frame; nil if there is
// none.
func (s *Session) attached(id target.ID) cdp.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(id); i >= 0 && s.tabs[i].listening.Load() {
		return s.tabs[i].target
	}
	if f := s.frames[id]; f != nil && f.target != nil {
		return f.target
	}
	return nil
}

// chooserTime bounds the wait for a click to make the page ask for files.
const chooserTime = 5 * time.Second

var errNoChooser = errtypes.New(errtypes.Invalid, "the element takes no files: it is no file input, and a click on it opens no file chooser that can be answered (those of the File System API cannot)")

// await returns the question that comes of what was done.
func (s *Session) await(ctx context.Context, questions <-chan asked) (asked, error) {
	timer := s.opts.Clock.NewTimer(chooserTime)
	defer timer.Stop()
	select {
	case q := <-questions:
		return q, nil
	case <-timer.C():
		return asked{}, errNoChooser
	case <-ctx.Done():
		return asked{}, context.Cause(ctx)
	}
}
