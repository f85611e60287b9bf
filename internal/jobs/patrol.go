package jobs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// beat counts up the leases of this process, if it has any, and learns what
// has become of them.
func (l *loop) beat(now time.Time) error {
	if l.busy() == 0 || now.Sub(l.lastBeat) < l.opts.Heartbeat {
		return nil
	}
	var leases []held
	err := l.db.Write(l.ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		leases, err = beat(ctx, tx, l.db.InstanceID())
		return err
	})
	if err != nil {
		return err
	}
	l.lastBeat = now
	ours := map[string]held{}
	for _, h := range leases {
		ours[h.job] = h
	}
	for _, e := range l.running.all() {
		switch h, ok := ours[e.ID]; {
		case (!ok || h.lease != e.lease) && !e.ending.Load():
			e.cancel(ErrLeaseLost)
		case h.canceled:
			e.cancel(ErrCanceled)
		}
	}
	return nil
}

// patrols look after the other instances, while there are any.
type patrols struct {
	last    time.Time // zero before the first
	others  bool      // there are others, or nobody knows
	foreign bool      // since the last patrol somebody else wrote
	watched map[string]watched
}

// watched is the lease of another instance, standing still since a moment on
// the clock of this one.
type watched struct {
	pulse
	since time.Time
}

// next is when the next patrol is due; zero is never.
func (p *patrols) next(every time.Duration) time.Time {
	if p.others || p.foreign {
		return p.last.Add(every)
	}
	return time.Time{}
}

// patrol takes from other instances the jobs that they have lost: by their
// death, or because the counters of their leases stand still. What that left
// without a runner is found by look.
func (l *loop) patrol(now time.Time) error {
	p := &l.patrols
	if next := p.next(l.opts.Patrol); !p.last.IsZero() && (next.IsZero() || now.Before(next)) {
		return nil
	}
	gap := now.Sub(p.last)
	p.last, p.foreign, p.others = now, false, true
	all, err := l.db.Instances(l.ctx)
	if err != nil {
		return err
	}
	p.others = len(all) > 1
	if err := l.reap(all); err != nil {
		l.opts.Logger.Error("a dead instance cannot be reaped", "error", err)
	}
	if !p.others {
		p.watched = nil
		return nil
	}
	return l.watch(now, gap)
}

// reap has the dead among all instances reaped.
func (l *loop) reap(all []storage.Instance) error {
	for _, in := range all {
		if !in.Alive {
			l.foreign = true // its name goes off its jobs: look at them
			return protect(l.opts.Logger, func() error { return l.opts.Reaper.Reap(l.ctx) })
		}
	}
	return nil
}

// reaped is told of an instance whose jobs have lost their leases with it,
// whoever in this process has reaped it.
func (q *Queue) reaped(_ context.Context, tx *storage.Tx, _ string) error {
	tx.AfterCommit(func() { q.hub.Publish(topic) })
	return nil
}

// watch ends the leases whose counter has stood still for the lease time. An
// observer that was itself held up, by a busy machine or a suspended one,
// begins anew: the others may have been held up with it.
func (l *loop) watch(now time.Time, gap time.Duration) error {
	p := &l.patrols
	if gap > max(l.opts.LeaseTime/2, 2*l.opts.Patrol) {
		p.watched = nil
	}
	var pulses []pulse
	err := l.db.Read(l.ctx, func(ctx context.Context, q storage.Querier) (err error) {
		pulses, err = foreignPulses(ctx, q, l.db.InstanceID())
		return err
	})
	if err != nil {
		return err
	}
	var still []pulse
	seen := map[string]watched{}
	for _, one := range pulses {
		w, ok := p.watched[one.job]
		if !ok || w.pulse != one {
			w = watched{one, now}
		}
		if now.Sub(w.since) >= l.opts.LeaseTime {
			still = append(still, w.pulse)
		}
		seen[one.job] = w
	}
	p.watched = seen
	return l.takeLeases(still)
}

func (l *loop) takeLeases(still []pulse) error {
	if len(still) == 0 {
		return nil
	}
	return l.db.Write(l.ctx, func(ctx context.Context, tx *storage.Tx) error {
		for _, p := range still {
			taken, err := takeLease(ctx, tx, p)
			if err != nil {
				return err
			}
			if taken {
				l.foreign = true
				l.opts.Logger.Warn("a lease stands still and is lost", "job", p.job, "instance", p.runner)
			}
		}
		return nil
	})
}
