package process

import (
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// Shutdown asks the browser to write down what it remembers and to go, and waits
// until nothing is left of it. It is killed when it takes too long. The error,
// of kind Unavailable, says that its profile may be incomplete.
func (p *Process) Shutdown() error {
	p.mu.Lock()
	died := p.cause
	p.stopping = true
	p.mu.Unlock()
	p.lookForRoom()
	if died == nil {
		p.askToShutDown()
	}
	p.lookForRoom()
	p.Stop()
	if e := p.child.Wait(); died == nil && !e.OK() {
		died = fmt.Errorf("the browser's process ended with %w", exit(e.Code, e.Signal))
	}
	if died == nil && p.crowded.Load() {
		return errtypes.New(errtypes.Unavailable, "there was no room left where the profile lies, so it may be incomplete")
	}
	if died == nil {
		return nil
	}
	return errtypes.New(errtypes.Unavailable, "the browser did not leave in order, so its profile may be incomplete").WithCause(died)
}

// askToShutDown returns when the browser has left, or has been killed because it did not.
func (p *Process) askToShutDown() {
	ctx, cancel := p.Within(p.opts.Timeouts.Close)
	defer cancel()
	_, err := p.wire.Call(ctx, "", browser.Close.Method, cdp.Empty{})
	if err != nil && !errors.Is(err, mux.ErrLost) { // it may be gone before it has answered
		p.debugf("the browser does not close: %v", err)
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		p.log.Warn("chrome: the browser does not shut down and is killed; its profile may be incomplete", "pid", p.child.PID())
		p.child.Kill(errors.New("it did not shut down"))
	}
}
