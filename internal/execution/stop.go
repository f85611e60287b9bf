package execution

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
)

// graceful returns the context of the work. It ends with that of the job; after
// a stop that leaves time it ends when that is over, and asked is closed at
// once. Done waits for what was started here.
func (x *Executor[R, E]) graceful(job context.Context, j jobs.Job) (work context.Context, asked <-chan struct{}, done func()) {
	work, cancel := context.WithCancelCause(context.WithoutCancel(job))
	ask, over := make(chan struct{}), make(chan struct{})
	unheard := context.AfterFunc(job, func() {
		defer close(over)
		cause := context.Cause(job)
		if errors.Is(cause, jobs.ErrCanceled) {
			x.waitForEnd(work, j, ask)
		}
		cancel(cause)
	})
	return work, ask, func() {
		cancel(context.Canceled)
		if !unheard() {
			<-over
		}
	}
}

// waitForEnd returns when the work has no time left to end by itself, or has
// ended. A later stop may leave less. A database that is busy takes away nothing
// that was promised.
func (x *Executor[R, E]) waitForEnd(work context.Context, j jobs.Job, ask chan<- struct{}) {
	changes := x.conf.Notify.Subscribe(x.topic(j.Ref))
	defer changes.Close()
	var by time.Time
	for asked := false; ; asked = true {
		err := x.insist(work, func(ctx context.Context) error {
			r, err := x.find(ctx, j.Ref)
			if err == nil {
				by = x.conf.State(r).StopBy
			}
			return err
		})
		if err != nil && !(asked && errtypes.Is(err, errtypes.Unavailable)) {
			return
		}
		left := by.Sub(x.conf.Clock.Now())
		if left <= 0 {
			return
		}
		if !asked {
			close(ask)
		}
		if !x.pause(work, j, changes, left) {
			return
		}
	}
}

// pause returns when the row may have changed or the time is over; false when
// there is nothing to wait for any more.
func (x *Executor[R, E]) pause(work context.Context, j jobs.Job, changes *notify.Subscription, left time.Duration) bool {
	timer := x.conf.Clock.NewTimer(left)
	defer timer.Stop()
	select {
	case <-changes.C():
		return true
	case <-timer.C():
		return true
	case <-work.Done():
		return false
	case <-j.CutOff():
		return false
	}
}
