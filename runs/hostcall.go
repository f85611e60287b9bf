package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/tools"
)

// hostGrace is how long a tool of the host's may go on when its time is over.
const hostGrace = time.Second

type hostAnswer struct {
	value any
	err   error
}

// callHost calls a tool of the host's, in a goroutine of its own: one that does not
// heed its context keeps that, and not the run.
func (x *activeRun) callHost(ctx context.Context, t hostTool, raw json.RawMessage) (tools.OwnAnswer, error) {
	b := &toolBrowser{open: x.open}
	done := make(chan hostAnswer, 1)
	c := x.toolContext(t, b)
	go func() { done <- x.callSafely(x.inProject(ctx), t, c, raw) }()
	select {
	case a := <-done:
		return b.answer(t, a)
	case <-ctx.Done():
	}
	late, cancel := clock.WithTimeout(context.WithoutCancel(ctx), x.conf.Clock, hostGrace, context.DeadlineExceeded)
	defer cancel()
	select {
	case a := <-done:
		return b.answer(t, a)
	case <-late.Done():
		c.Logger.Error("runs: a tool of the host does not end with its context, and is left behind")
		return b.answer(t, hostAnswer{err: context.Cause(ctx)})
	}
}

func (x *activeRun) toolContext(t hostTool, b *toolBrowser) ToolContext {
	return ToolContext{
		RunID: x.ID, AgentID: x.AgentID, ProjectID: x.projectID, Step: x.number,
		Logger: x.conf.Logger.With("run", x.ID, "tool", t.Name), browser: b,
	}
}

// callSafely turns a panic into an error.
func (x *activeRun) callSafely(ctx context.Context, t hostTool, c ToolContext, raw json.RawMessage) (a hostAnswer) {
	defer func() {
		if p := recover(); p != nil {
			c.Logger.Error("runs: a tool of the host panicked", "panic", x.clean(fmt.Sprint(p)))
			a = hostAnswer{err: tools.ErrFault}
		}
	}()
	value, err := t.Call(ctx, c, raw)
	return hostAnswer{value, err}
}

// toolBrowser is the run's session in the hands of a tool of the host's.
type toolBrowser struct {
	open func() (browser.Session, error)

	mu   sync.Mutex // held while the session is opened: the run goes on only then
	over bool
	used browser.Session
	err  error
}

var errCallOver = errtypes.New(errtypes.Gone, "the call of the tool is over")

func (b *toolBrowser) get() (browser.Session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return nil, errCallOver
	}
	session, err := b.open()
	if err != nil {
		b.err = err
		return nil, err
	}
	b.used = session
	return lentSession{session}, nil
}

// answer takes the session away from a call that is over, and adds it to what that
// has answered.
func (b *toolBrowser) answer(t hostTool, a hostAnswer) (tools.OwnAnswer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	return tools.OwnAnswer{Value: a.value, Trusted: t.Trusted, Used: b.used, Fatal: b.err}, a.err
}

// lentSession is the session of a run, which closes it itself.
type lentSession struct{ browser.Session }

// Close implements [browser.Session]. It does nothing.
func (lentSession) Close() error { return nil }
