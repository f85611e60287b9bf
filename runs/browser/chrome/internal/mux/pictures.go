package mux

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/sync/semaphore"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// A browser that is asked for a picture of a page that gives way to another at
// this moment often never answers: the question goes with the page. So it is
// asked again when the answer takes longer than most do, and then after longer
// and longer; the first answer counts. Each time has a turn of its own, and
// takes no longer than one, so that nothing is drawn without.
const (
	firstPause   = time.Second
	pictureTries = 9
)

var errNoPicture = errors.New("the browser makes no picture of the page")

// Pictures are those that are made of the pages of a session, for its clients and
// for whoever works in it; see [Turns].
type Pictures struct {
	s     Session
	o     Options
	lane  *semaphore.Weighted // of one place: large pictures come one behind the other
	small *semaphore.Weighted // the session's share of the room for small ones, in pixels
}

// NewPictures returns those of a session.
func NewPictures(s Session, o Options) *Pictures {
	return &Pictures{s: s, o: o, lane: semaphore.NewWeighted(1), small: semaphore.NewWeighted(smallOfSession)}
}

// A wantedPicture is asked for several times.
type wantedPicture struct {
	on      target.SessionID
	params  any
	pixels  int64
	answers chan []byte
}

// Capture returns the answer to Page.captureScreenshot as it came. A large picture waits for its turn.
func (p *Pictures) Capture(ctx context.Context, on target.SessionID, params any, d Drawing) ([]byte, error) {
	pixels, err := p.drawn(ctx, on, d)
	if err != nil {
		return nil, err
	}
	q := wantedPicture{on: on, params: params, pixels: pixels, answers: make(chan []byte, pictureTries)}
	pause := firstPause + time.Duration(pixels/perSecond)*time.Second
	for range pictureTries {
		forget, frame, err := p.tryPicture(ctx, q, min(pause, longestTurn))
		defer forget()
		if frame != nil || err != nil {
			return frame, err
		}
		pause *= 2
	}
	return nil, errNoPicture
}

// tryPicture asks once, in a turn, and returns the answer to this try or
// an earlier one, or none after the pause. Answers that come later count until
// forget is called.
func (p *Pictures) tryPicture(ctx context.Context, q wantedPicture, pause time.Duration) (forget func(), frame []byte, err error) {
	done, err := p.s.Turns().take(ctx, p, q.pixels)
	if err != nil {
		return func() {}, nil, err
	}
	defer done()
	w := p.s.Wire()
	id, forget := w.expect(q.answers)
	if len(q.answers) == 0 { // none came during the wait
		err = w.write(id, q.on, page.CaptureScreenshot.Method, q.params)
	}
	if err != nil {
		return forget, nil, fmt.Errorf("%s: %w", page.CaptureScreenshot.Method, err)
	}
	frame, err = w.await(ctx, p.o.Clock, q.answers, pause)
	return forget, frame, err
}

// await returns an answer, or none after a while.
func (w *Wire) await(ctx context.Context, c clock.Clock, answers <-chan []byte, d time.Duration) ([]byte, error) {
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
		return nil, fmt.Errorf("%s: %w", page.CaptureScreenshot.Method, ErrLost)
	}
}

// captureScreenshot gives a client its picture, which may be large: it is not
// taken apart.
func (c *conn) captureScreenshot(st *attachment, cmd policy.Command) {
	c.busy(func() {
		d := parsed[Drawing](cmd)
		d.Ratio = c.clients.Ratio(st.target)
		frame, err := c.clients.pictures.Capture(c.ctx, st.real, paramsOf(cmd), d)
		c.hand(st, cmd, frame, err)
	})
}

// hand passes an answer on as it is.
func (c *conn) hand(st *attachment, cmd policy.Command, frame []byte, err error) {
	switch limit := c.clients.o.Limits.Message; {
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
func (c *conn) printToPDF(st *attachment, cmd policy.Command) {
	c.busy(func() {
		frame, err := c.clients.pictures.print(c.ctx, st.real, paramsOf(cmd), sheet(parsed[paper](cmd)))
		c.hand(st, cmd, frame, err)
	})
}

// longestPrint is how many times as long as for others the answer to a print
// is waited for.
const longestPrint = 6

// A paper is what a document is printed on, in inches; 0 where nothing is said,
// which is letter.
type paper struct{ PaperWidth, PaperHeight float64 }

// sheet is how many pixels one page has, which count where they are many: some
// effects are drawn as pictures.
func sheet(p paper) int64 {
	const perInch = 96
	width, height := cmp.Or(p.PaperWidth, 8.5), cmp.Or(p.PaperHeight, 11)
	return min(maxDrawn, int64(width*height*perInch*perInch))
}

// print prints. Chromium ends when it is told to print a page whose process
// has gone, so the page must have answered: before it takes a turn, and again
// when it has one.
func (p *Pictures) print(ctx context.Context, on target.SessionID, params any, sheet int64) ([]byte, error) {
	if _, err := p.Measures(ctx, on); err != nil {
		return nil, err
	}
	done, err := p.s.Turns().take(ctx, p, max(p.s.Turns().limit/documents, smallPicture+1, sheet))
	if err != nil {
		return nil, err
	}
	defer done()
	defer p.o.Clock.AfterFunc(longestTurn, done).Stop()
	if _, err := p.Measures(ctx, on); err != nil {
		return nil, err
	}
	answers := make(chan []byte, 1)
	id, forget := p.s.Wire().expect(answers)
	defer forget()
	if err := p.s.Wire().write(id, on, page.PrintToPDF.Method, params); err != nil {
		return nil, fmt.Errorf("%s: %w", page.PrintToPDF.Method, err)
	}
	limit := longestPrint * p.o.Call
	frame, err := p.s.Wire().await(ctx, p.o.Clock, answers, limit)
	if frame == nil && err == nil {
		err = TimeoutError("print", limit)
	}
	return frame, err
}

// renumbered is an answer as one to the command with the id.
func renumbered(frame []byte, id int64) []byte {
	_, rest, _ := bytes.Cut(frame, []byte(","))
	return append(fmt.Appendf(make([]byte, 0, len(rest)+32), `{"id":%d,`, id), rest...)
}
