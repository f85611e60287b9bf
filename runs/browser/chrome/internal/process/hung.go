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
	var open atomic.Bool // a question is
	for silent := 0; silent < SilentRounds; {
		p.ask(ctx, &open)
		heard := p.wire.Heard()
		late, ended := p.round(limit / SilentRounds)
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

// SilentRounds is how many rounds without a word a browser has.
const SilentRounds = 2

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
func (p *Process) ask(ctx context.Context, open *atomic.Bool) {
	if !open.CompareAndSwap(false, true) {
		return
	}
	p.asking.Go(func() {
		p.wire.Call(ctx, "", browser.GetVersion.Method, cdp.Empty{})
		open.Store(false)
	})
}
