package jobs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// giveUp removes the jobs that nobody tries any more, each in a transaction of
// its own, in which its domain may fail.
func (l *loop) giveUp(now time.Time) error {
	var kept []outcome
	for _, o := range l.ended {
		if o.verdict != exhaust {
			kept = append(kept, o)
			continue
		}
		err := l.giveUpOne(o)
		if err == nil {
			l.settled(o)
			continue
		}
		l.log(o.execution).Error("a job cannot be given up", "error", err)
		o.verdict, o.back = goOn, o.backoff(now)
		kept = append(kept, o)
	}
	l.ended = kept
	return nil
}

func (l *loop) giveUpOne(o outcome) error {
	l.log(o.execution).Error("a job is given up", "error", o.err)
	return protect(l.log(o.execution), func() error {
		return l.db.Write(l.ctx, func(ctx context.Context, tx *storage.Tx) error {
			left, err := removeJob(ctx, tx, o.Job, l.db.InstanceID())
			switch {
			case err != nil:
				return err
			case left == ready:
				tx.AfterCommit(func() { l.call(o.Kind) })
			case left == gone && o.kind.opts.Exhausted != nil:
				return o.kind.opts.Exhausted(ctx, tx, o.Job, o.err)
			}
			return nil
		})
	})
}
