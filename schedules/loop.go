package schedules

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
)

// Scheduler is the service with what fires, which the host starts and stops.
type Scheduler struct{ *service }

// Start begins to fire. Several processes may do so on the same data: each slot is decided
// by one of them.
func (s *Scheduler) Start(ctx context.Context) error {
	_, err := s.runner.Start(ctx, s.fire)
	return err
}

// StartLazily begins to fire if a schedule is due some day, else once this process makes or
// changes one. Schedules that another process makes are not seen before.
func (s *Scheduler) StartLazily(ctx context.Context) error {
	s.lazy.Store(true) // first: a schedule that is made meanwhile starts it
	at, err := s.firstDue(ctx)
	if err != nil || at.IsZero() {
		return err
	}
	return s.Start(ctx)
}

// Close ends firing: what is being decided is decided whole, unless the context ends first.
func (s *Scheduler) Close(ctx context.Context) error {
	s.lazy.Store(false)
	s.runner.Stop(ctx, context.Canceled)
	return s.release(context.WithoutCancel(ctx))
}

// wake has what fires look again, or begin. It does not wait: what is being closed stays
// closed.
func (s *service) wake() {
	if s.lazy.CompareAndSwap(true, false) {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		s.runner.Start(ended, s.fire)
	}
	lifecycle.Poke(s.changed)
}

// fire fires what is due until it is stopped.
func (s *service) fire(run *lifecycle.Run) {
	run.Ready()
	watch := s.now()
	s.putBack(run.Context(), watch, watch.Add(minInterval)) // while no process was there
	for {
		now := s.now()
		if now.Before(watch.Add(-minInterval)) {
			s.putBack(run.Context(), now, now)
		}
		watch = now
		busy := s.decideDue(run.Context())
		timer := s.conf.Clock.NewTimer(s.rest(run.Context(), busy))
		select {
		case <-timer.C():
		case <-s.changed:
			timer.Stop()
		case <-run.Stopping():
			timer.Stop()
			return
		}
	}
}

// putBack rewinds schedules that have been decided beyond a time.
func (s *service) putBack(ctx context.Context, now, beyond time.Time) {
	s.try(ctx, "the clock was put back", func(ctx context.Context) error { return s.rewind(ctx, now, beyond) })
}

// decideDue decides what is due, and returns whether there may be more.
func (s *service) decideDue(ctx context.Context) (more bool) {
	s.try(ctx, "what is due", func(ctx context.Context) error {
		n, err := s.fireDue(ctx)
		more = err == nil && n > 0
		return err
	})
	return more
}

// try logs what fails; it is tried again.
func (s *service) try(ctx context.Context, what string, do func(context.Context) error) {
	if err := do(ctx); err != nil && ctx.Err() == nil {
		s.conf.Logger.Error("schedules: "+what+" could not be decided, and is tried again", "error", err)
	}
}

// shortRest is how long another process is left alone that fires what is due.
const shortRest = 100 * time.Millisecond

// rest is how long nothing is due, at most as long as the clock is not looked at.
func (s *service) rest(ctx context.Context, busy bool) time.Duration {
	if busy {
		return 0
	}
	var at time.Time
	s.try(ctx, "when something is due", func(ctx context.Context) (err error) {
		at, err = s.firstDue(ctx)
		return err
	})
	left := at.Sub(s.conf.Clock.Now())
	switch {
	case at.IsZero():
		left = s.conf.Limits.Look
	case left <= 0: // it is another's
		left = shortRest
	}
	return min(max(left, time.Millisecond), s.conf.Limits.Look)
}
