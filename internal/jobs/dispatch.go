package jobs

import (
	"context"
	"maps"
	"time"

	"github.com/drover-go/drover/storage"
)

// dispatch writes how jobs ended and claims others, all in one transaction.
func (l *loop) dispatch(now time.Time) error {
	if !l.mustWrite(now) {
		return nil
	}
	r := &round{loop: l, now: now, calls: map[string]bool{}, due: l.due, lines: map[Admission]line{}}
	for a, line := range l.lines {
		r.lines[a] = maps.Clone(line)
	}
	if err := l.db.Write(l.ctx, r.write); err != nil {
		r.undo()
		return err
	}
	r.apply()
	return nil
}

func (l *loop) mustWrite(now time.Time) bool {
	if l.leftover || l.orphaned || len(l.ended) > 0 {
		return true
	}
	if l.stopping {
		return false
	}
	if l.isDue(now) {
		return true
	}
	for _, h := range l.hands {
		if h.call && h.free > 0 {
			return true
		}
	}
	return false
}

func (l *loop) isDue(now time.Time) bool { return !l.due.IsZero() && !now.Before(l.due) }

// settled frees the hands of a job whose end is written.
func (l *loop) settled(o outcome) {
	l.running.remove(o.execution)
	l.hands[o.Kind].free++
}

// round is one transaction of the loop and what it means once committed.
type round struct {
	*loop
	now     time.Time
	lost    []outcome
	calls   map[string]bool // kinds of which a job is, or may be, ready
	due     time.Time
	lines   map[Admission]line
	started []*execution
}

func (r *round) write(ctx context.Context, tx *storage.Tx) error {
	if err := r.settle(ctx, tx); err != nil {
		return err
	}
	if err := r.recover(ctx, tx); err != nil {
		return err
	}
	if r.stopping {
		return nil
	}
	if err := r.promote(ctx, tx); err != nil {
		return err
	}
	for name, h := range r.hands {
		if h.call || r.calls[name] {
			if err := r.claim(ctx, tx, h); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *round) settle(ctx context.Context, tx *storage.Tx) error {
	for _, o := range r.ended {
		ours, err := r.settleOne(ctx, tx, o)
		if err != nil {
			return err
		}
		if !ours {
			r.lost = append(r.lost, o)
		}
	}
	return nil
}

func (r *round) settleOne(ctx context.Context, tx *storage.Tx, o outcome) (ours bool, err error) {
	instance := r.db.InstanceID()
	switch {
	case o.verdict == forgone:
		return false, nil
	case o.verdict == goOn:
		left, err := putJobBack(ctx, tx, o.Job, instance, o.back)
		r.note(o.Kind, left, o.back.at)
		return left != lost, err
	}
	left, err := removeJob(ctx, tx, o.Job, instance)
	r.note(o.Kind, left, time.Time{})
	return left != lost || o.ending.Load(), err
}

// note remembers a job that waits on.
func (r *round) note(kind string, left remains, at time.Time) {
	switch left {
	case ready:
		r.calls[kind] = true
	case delayed:
		r.due = earlier(r.due, wall(at))
	}
}

func (r *round) recover(ctx context.Context, tx *storage.Tx) error {
	if r.leftover {
		if err := takeOwnLeases(ctx, tx, r.db.InstanceID()); err != nil {
			return err
		}
	}
	if !r.leftover && !r.orphaned {
		return nil
	}
	kinds, err := recoverOrphans(ctx, tx)
	for _, kind := range kinds {
		r.calls[kind] = true
	}
	if len(kinds) > 0 {
		r.opts.Logger.Warn("jobs lost their lease and wait again", "count", len(kinds))
	}
	return err
}

func (r *round) promote(ctx context.Context, tx *storage.Tx) error {
	if !r.isDue(r.now) {
		return nil
	}
	kinds, err := promote(ctx, tx, r.now)
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		r.calls[kind] = true
	}
	r.due, err = nextDue(ctx, tx)
	return err
}

// claim takes as many jobs of the kind as hands are free.
func (r *round) claim(ctx context.Context, tx *storage.Tx, h *hands) error {
	free := h.free
	for _, o := range r.ended {
		if o.kind == h.kind {
			free++
		}
	}
	r.calls[h.name] = true
	switch {
	case r.holds.Load() > 0:
		r.calls[h.name] = false // who holds wakes the kind
		return nil
	case free == 0:
		return nil
	case h.opts.Admission != nil:
		return r.admit(ctx, tx, h, free)
	}
	all, err := claim(ctx, tx, h.name, r.db.InstanceID(), free)
	for _, j := range all {
		r.started = append(r.started, r.take(j, h.kind))
	}
	r.calls[h.name] = len(all) == free // there may be more
	return err
}

// take makes a job known before its lease is committed, so that no cancel
// falls between the two.
func (r *round) take(j Job, k *kind) *execution {
	if j.MaxAttempts == 0 {
		j.MaxAttempts = k.opts.MaxAttempts
	}
	j.cut = r.run.Context().Done()
	e := &execution{Job: j, kind: k}
	e.ctx, e.cancel = context.WithCancelCause(r.run.Context())
	r.running.add(e)
	return e
}

func (r *round) undo() {
	for _, e := range r.started {
		e.cancel(nil)
		e.giveBack()
		r.running.remove(e)
	}
	r.leavePlaces() // what they had may have been taken; they are made anew
}

func (r *round) apply() {
	for _, o := range r.ended {
		r.settled(o)
		if o.verdict == goOn && !o.back.uncount {
			r.log(o.execution).Warn("an attempt failed", "error", o.err, "next", o.back.at)
		}
	}
	for _, o := range r.lost {
		r.log(o.execution).Warn("an attempt ended without its lease")
	}
	r.ended, r.leftover, r.orphaned, r.loop.due, r.loop.lines = nil, false, false, r.due, r.lines
	for _, h := range r.hands {
		h.call = r.calls[h.name]
	}
	r.keepPlaces()
	if len(r.started) > 0 && r.active == 0 {
		r.lastBeat = r.now
	}
	for _, e := range r.started {
		r.start(e)
	}
}

func (r *round) start(e *execution) {
	r.hands[e.Kind].free--
	if err := e.hopeless(); err != nil {
		e.cancel(err)
		r.ended = append(r.ended, outcome{execution: e, err: err, verdict: exhaust})
		r.mail.post(func(*mail) {}) // the loop goes round again
		return
	}
	r.active++
	r.workers.Go(func() { r.work(e) })
}
