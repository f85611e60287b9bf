package schedules

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

func (s *service) firstDue(ctx context.Context) (time.Time, error) {
	return storage.ReadOne(ctx, s.conf.DB, firstDue)
}

// rewind has slots be due again that were skipped because the clock had shown a later time
// than it does now, of schedules that were decided beyond a time, so that a clock that was wrong for a while silences no schedule. What
// has been started is not started again.
func (s *service) rewind(ctx context.Context, now, beyond time.Time) error {
	for {
		var rows []row
		err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
			if rows, err = ahead(ctx, tx, beyond, s.conf.Limits.Batch); err != nil {
				return err
			}
			for _, r := range rows {
				if err := s.rewindOne(ctx, tx, r, now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		s.conf.Logger.Warn("schedules: the clock was put back; slots that seemed to be over are due again", "schedules", len(rows), "now", now)
	}
}

func (s *service) rewindOne(ctx context.Context, tx *storage.Tx, r row, now time.Time) error {
	if _, err := s.fill(ctx, tx, &r); err != nil {
		return err
	}
	p, err := s.plannerOf(r)
	if err != nil { // it fails when it is due
		_, err = advance(ctx, tx, r, plan{state: state{cursor: now}, next: now.Add(minInterval)}, time.Time{})
		return err
	}
	if err := s.undo(ctx, tx, p, r, now); err != nil {
		return err
	}
	to := plan{state: state{cursor: now, last: r.last}}
	if r.last.After(now) {
		to.last = time.Time{}
	}
	to.next, _ = p.next(now)
	_, err = advance(ctx, tx, r, to, time.Time{})
	return err
}

// undo takes out of the ledger what has been skipped after now.
func (s *service) undo(ctx context.Context, tx *storage.Tx, p planner, r row, now time.Time) error {
	if err := s.shorten(ctx, tx, p, r, now); err != nil {
		return err
	}
	return forgetSkipped(ctx, tx, r.ID, now)
}

// shorten cuts off what several slots that were skipped together have after now.
func (s *service) shorten(ctx context.Context, tx *storage.Tx, p planner, r row, now time.Time) error {
	all, err := across(ctx, tx, r.ID, now)
	if err != nil {
		return err
	}
	for _, o := range all {
		if kept, ok := p.passed(o.At.Add(-time.Second), now, o.Reason); ok {
			if err := shortenSlot(ctx, tx, o, kept); err != nil {
				return err
			}
		}
	}
	return nil
}
