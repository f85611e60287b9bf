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

// Close ends firing: what is being decided is decided whole, unless the context ends first.
func (s *Scheduler) Close(ctx context.Context) error {
	s.runner.Stop(ctx, context.Canceled)
	return nil
}

// wake has what fires look again.
func (s *service) wake() { lifecycle.Poke(s.changed) }

// fire fires what is due until it is stopped.
func (s *service) fire(run *lifecycle.Run) {
	run.Ready()
	watch := s.now()
	for {
		now := s.now()
		if now.Before(watch.Add(-minInterval)) {
			s.try(run.Context(), "the clock was put back", func(ctx context.Context) error { return s.rewind(ctx, now) })
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
	rest := s.conf.Limits.Look
	if !at.IsZero() {
		rest = min(rest, max(at.Sub(s.conf.Clock.Now()), time.Millisecond))
	}
	return rest
}
