package chrome

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

// A browser that is asked for a picture of a page that gives way to another at
// this moment often never answers: the question goes with the page. So it is
// asked again when the answer takes longer than most do, and then after longer
// and longer; the first answer counts.
const (
	firstPause   = time.Second
	pictureTries = 6
)

var errNoPicture = errors.New("the browser makes no picture of the page")

// askPicture returns the answer as it came. A large picture waits for its turn.
func (s *session) askPicture(ctx context.Context, on target.SessionID, params any, d drawing) ([]byte, error) {
	pixels, err := s.drawn(ctx, on, d)
	if err != nil {
		return nil, err
	}
	done, err := s.proc.turns.take(ctx, s, pixels)
	if err != nil {
		return nil, err
	}
	defer done()
	w, answers := s.proc.wire, make(chan []byte, pictureTries)
	pause := firstPause + time.Duration(pixels/perSecond)*time.Second
	for range pictureTries {
		id, forget := w.expect(answers)
		defer forget()
		if err := w.write(id, on, page.CaptureScreenshot.Method, params); err != nil {
			return nil, fmt.Errorf("%s: %w", page.CaptureScreenshot.Method, err)
		}
		frame, err := w.await(ctx, s.p.opts.Clock, answers, pause)
		if frame != nil || err != nil {
			return frame, err
		}
		pause *= 2
	}
	return nil, errNoPicture
}

// await returns an answer, or none after a while.
func (w *wire) await(ctx context.Context, c clock.Clock, answers <-chan []byte, d time.Duration) ([]byte, error) {
	timer := c.NewTimer(d)
	defer timer.Stop()
	select {
	case frame := <-answers:
		return frame, nil
	case <-timer.C():
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-w.lost:
		return nil, fmt.Errorf("%s: %w", page.CaptureScreenshot.Method, errLost)
	}
}

// captureScreenshot gives a client its picture, which may be large: it is not
// taken apart.
func (c *conn) captureScreenshot(st *seat, cmd policy.Command) {
	c.busy(func() {
		d := parsed[drawing](cmd)
		d.ratio = c.s.visitors.ratio(st.target)
		frame, err := c.s.askPicture(c.ctx, st.real, paramsOf(cmd), d)
		c.hand(st, cmd, frame, err)
	})
}

// hand passes an answer on as it is.
func (c *conn) hand(st *seat, cmd policy.Command, frame []byte, err error) {
	switch limit := c.s.p.opts.Clients.Message; {
	case err != nil:
		c.fail(cmd, err)
	case len(frame) > limit:
		c.fail(cmd, errTooLong(limit))
	default:
		c.show(st, renumbered(frame, cmd.ID))
	}
}

// printToPDF prints for a client, in its turn. How many pages there will be is
// not known.
func (c *conn) printToPDF(st *seat, cmd policy.Command) {
	c.busy(func() {
		frame, err := c.s.askDocument(c.ctx, st.real, paramsOf(cmd))
		c.hand(st, cmd, frame, err)
	})
}

// longestPrint is how many times as long as for others the answer to a print
// is waited for.
const longestPrint = 6

// askDocument prints. Chromium ends when it is told to print a page whose process
// has gone, so the page must have answered: before it takes a turn, and again
// when it has one.
func (s *session) askDocument(ctx context.Context, on target.SessionID, params any) ([]byte, error) {
	if _, err := s.measures(ctx, on); err != nil {
		return nil, err
	}
	done, err := s.proc.turns.take(ctx, s, max(s.proc.turns.limit/documents, smallPicture+1))
	if err != nil {
		return nil, err
	}
	defer done()
	if _, err := s.measures(ctx, on); err != nil {
		return nil, err
	}
	answers := make(chan []byte, 1)
	id, forget := s.proc.wire.expect(answers)
	defer forget()
	if err := s.proc.wire.write(id, on, page.PrintToPDF.Method, params); err != nil {
		return nil, fmt.Errorf("%s: %w", page.PrintToPDF.Method, err)
	}
	limit := longestPrint * s.p.opts.Timeouts.Call
	frame, err := s.proc.wire.await(ctx, s.p.opts.Clock, answers, limit)
	if frame == nil && err == nil {
		err = errTimeout("print", limit)
	}
	return frame, err
}

// renumbered is an answer as one to the command with the id.
func renumbered(frame []byte, id int64) []byte {
	_, rest, _ := bytes.Cut(frame, []byte(","))
	return append(fmt.Appendf(make([]byte, 0, len(rest)+32), `{"id":%d,`, id), rest...)
}
