package process

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/drover-go/drover/errtypes"
)

// ErrHung is the end of a browser that did not answer for so long.
func ErrHung(limit time.Duration) error {
	return errtypes.New(errtypes.Unavailable, "the browser of this session hung: it did not answer for %s, and was ended", limit)
}

// A question is one that is put to a browser to see whether it is there.
type question struct{ open atomic.Bool }

// guard ends a browser that is there, but has ceased to answer. Time alone is
// no proof of that: it goes by rounds, at the beginning of each of which there
// is an open question. Any message is a sign of life, and a round in which this
// process itself came late, because the machine is busy or was asleep, does not
// count.
func (p *Process) guard() {
	limit := p.opts.Timeouts.Hung
	if limit < 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var q question
	for silent := 0; silent < silentRounds; {
		p.ask(ctx, &q)
		heard := p.wire.Heard()
		late, ended := p.round(limit / silentRounds)
		switch {
		case ended || !p.Alive(): // or it is leaving, which is waited for elsewhere
			return
		case p.wire.Heard() != heard:
			silent = 0
		case !late:
			silent++
		}
	}
	p.log.Error("chrome: the browser hangs and is killed", "pid", p.child.PID(), "silent", limit)
	p.cut(ErrHung(limit))
}

// silentRounds is how many rounds without a word a browser has.
const silentRounds = 2

// round lasts a while, or until the process has ended. It was late when it
// lasted half as long again.
func (p *Process) round(d time.Duration) (late, ended bool) {
	due := p.opts.Clock.Now().Add(d)
	timer := p.opts.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return false, true
	case <-timer.C():
		return p.opts.Clock.Now().Sub(due) > d/2, false
	}
}

// ask puts a question that costs nothing, unless one is open. It does not wait
// even until it is written: what has ceased to read does not take it.
func (p *Process) ask(ctx context.Context, q *question) {
	if !q.open.CompareAndSwap(false, true) {
		return
	}
	p.asking.Go(func() {
		p.wire.Call(ctx, "", browser.GetVersion.Method, cdp.Empty{})
		q.open.Store(false)
	})
}
