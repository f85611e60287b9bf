package notify

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
)

// A file cannot tell that it was changed, so it is asked, cheaply: by the
// counter of storage.ForeignVersion, which own commits do not move. No row is
// read. The poller sleeps without a timer while nobody waits.

// poller is what the polling goroutine knows.
type poller struct {
	*Hub
	version int64
	known   bool // version has been read
	failing bool
	alone   bool
	last    time.Time // of the last poll
	looked  time.Time // for other instances
}

// lookEvery is how often a poller that is not alone looks whether it is now:
// an instance that is killed does not change the file.
const lookEvery = time.Second

func (h *Hub) pollUntilStopped(run *lifecycle.Run) {
	p := &poller{Hub: h}
	timer := h.opts.Clock.NewTimer(time.Hour)
	defer timer.Stop()
	run.Ready()
	for {
		if pace := p.pace(); pace > 0 {
			timer.Reset(max(0, pace-h.opts.Clock.Now().Sub(p.last)))
		} else {
			timer.Stop()
		}
		select {
		case <-run.Stopping():
			return
		case <-h.poke: // the pace may be another
		case <-timer.C():
			p.poll(run.Context())
		}
	}
}

// pace returns the time between two polls; 0 is never.
func (p *poller) pace() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(p.topics) == 0:
		return 0
	case p.alone && p.hurries == 0:
		return p.opts.IdlePoll
	}
	return p.opts.Poll
}

func (p *poller) poll(ctx context.Context) {
	p.last = p.opts.Clock.Now()
	version, err := p.db.ForeignVersion(ctx)
	if err != nil {
		p.failed(ctx, err)
		return
	}
	p.failing = false
	changed := !p.known || version != p.version
	p.version, p.known = version, true
	if changed {
		p.publishAll()
	}
	if quiet := p.last.Sub(p.looked) < lookEvery; changed && p.alone || !p.alone && !quiet {
		p.look(ctx)
	}
}

// failed reports the first of several failures. Those who wait are woken, for
// nobody knows what they missed; they will see the error themselves.
func (p *poller) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if !p.failing {
		p.failing, p.known = true, false
		p.opts.Logger.WarnContext(ctx, "cannot ask the database for changes", "error", err)
		p.publishAll()
	}
}

// look finds out whether another instance is alive. When that cannot be told,
// there may be one.
func (p *poller) look(ctx context.Context) {
	p.looked = p.last
	all, err := p.db.Instances(ctx)
	p.alone = err == nil
	for _, in := range all {
		if in.Alive && !in.Self {
			p.alone = false
		}
	}
}
