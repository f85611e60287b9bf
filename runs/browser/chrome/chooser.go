package chrome

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
)

// A chooser waits for a page to ask for files. A page that asks when nobody
// waits is told at once that nothing was chosen.
type chooser struct {
	mu      sync.Mutex
	waiting chan asked // nil when nobody waits
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
	if c.waiting != nil {
		select {
		case c.waiting <- asked{sess, ev}:
		default:
		}
	}
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

// intercept makes a target ask here for files, and cancels its questions if
// nobody waits for them.
func intercept(ctx context.Context, sess cdp.Session, waited bool) error {
	_, err := cdp.Call(ctx, sess, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{
		Enabled: true, Cancel: new(!waited),
	})
	return err
}

// chooserTime bounds the wait for a click to make the page ask for files.
const chooserTime = 5 * time.Second

var errNoChooser = errtypes.New(errtypes.Invalid, "the element takes no files: it is no file input, and a click on it opens no file chooser")

// await returns the question that comes of what was done.
func (s *session) await(ctx context.Context, questions <-chan asked) (asked, error) {
	timer := s.p.opts.Clock.NewTimer(chooserTime)
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
