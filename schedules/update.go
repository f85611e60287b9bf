package schedules

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// errChanged is a schedule that somebody else has changed, or decided, meanwhile.
var errChanged = errors.New("schedules: the schedule was changed meanwhile")

func (s *service) Update(ctx context.Context, ref string, u Update) (out Schedule, err error) {
	defer errtypes.Wrap(&err, "schedules.Update(%q)", ref)
	for {
		out, err = s.update(ctx, ref, u)
		if !errors.Is(err, errChanged) {
			return out, err
		}
	}
}

// update changes a schedule as it is now. Actions are checked outside of the transaction.
func (s *service) update(ctx context.Context, ref string, u Update) (Schedule, error) {
	r, known, err := s.read(ctx, ref)
	if err != nil {
		return Schedule{}, err
	}
	before := r
	if err := r.apply(u); err != nil {
		return Schedule{}, err
	}
	if u.ChangeActions != nil {
		u.Actions = new(u.ChangeActions(r.Actions))
	}
	if u.Actions != nil {
		if r.Actions, err = s.checkActions(ctx, known, *u.Actions); err != nil {
			return Schedule{}, err
		}
	}
	now := s.now()
	r.ModifiedAt = now
	if err := s.retime(ctx, before, &r, u.Actions == nil, now); err != nil {
		return Schedule{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		done, err := replace(ctx, tx, r, before.cursor)
		switch {
		case err != nil:
			return orTaken(err, r.Name)
		case !done:
			return errChanged
		}
		if err := s.settle(ctx, tx, before, r, known); err != nil {
			return err
		}
		if before.Parallel && !r.Parallel {
			if err := reopenSlots(ctx, tx, r.ID); err != nil {
				return err
			}
		}
		tx.AfterCommit(s.wake)
		if u.Actions == nil {
			return nil
		}
		return putActions(ctx, tx, r.ID, r.Actions)
	})
	return r.Schedule, err
}

// retime says when a changed schedule is due. What is due already is started as it was
// before the change, and then the change is made again: a slot is not missed because a
// client came at the same time. A change that has nothing to do with slots leaves them.
func (s *service) retime(ctx context.Context, before row, r *row, sameActions bool, now time.Time) error {
	if sameActions && before.Enabled && !before.NextRunAt.IsZero() && !before.cursor.After(now.Add(minInterval)) && before.sameTimes(*r) {
		return r.Settings.validate()
	}
	if err := s.aim(r, now); err != nil {
		return err
	}
	late := now.Sub(before.NextRunAt)
	if !before.Enabled || !r.Enabled || before.NextRunAt.IsZero() || late < 0 || late > s.conf.Limits.Grace {
		return nil
	}
	t := turn{service: s, now: now, projects: map[string]projects.Project{}}
	b := t.prepareBatch(ctx, []row{before})
	return cmp.Or(b.err, s.record(ctx, b.all), errChanged)
}

// sameTimes is whether two schedules are due at the same times.
func (r row) sameTimes(o row) bool {
	return r.Enabled == o.Enabled && r.Cron == o.Cron && r.Timezone == o.Timezone
}

func (r *row) apply(u Update) error {
	if u.Name != nil {
		if err := validateName(*u.Name); err != nil {
			return err
		}
		r.Name = *u.Name
	}
	if u.Change != nil {
		u.Change(&r.Settings)
		r.Settings = r.Settings.withDefaults()
	}
	return nil
}

// settle records what was due of a schedule before it is changed and has not been decided:
// slots of its old expression while it was enabled, which nobody was there for, and those
// that went by while it was disabled.
func (s *service) settle(ctx context.Context, tx *storage.Tx, before, after row, actions []actionRow) error {
	p, err := s.plannerOf(before)
	if err != nil {
		return nil // nobody can say when it was due
	}
	if after.cursor.Before(before.cursor) { // the clock was put back
		return s.undo(ctx, tx, p, before, after.cursor)
	}
	reason := Missed
	if !before.Enabled {
		reason = Disabled
	}
	passed, ok := p.passed(before.cursor, after.cursor, reason)
	if !ok {
		return nil
	}
	known, err := recorded(ctx, tx, slots{before.ID, passed.at, passed.until})
	if err != nil {
		return err
	}
	for _, a := range actions {
		for _, sp := range p.without([]span{passed}, known[before.ID][a.ID]) {
			o := before.slot(a, sp, after.ModifiedAt)
			if err := insertSlot(ctx, tx, o, false); err != nil {
				return err
			}
			tx.AfterCommit(func() { s.metrics.decided(o) })
		}
	}
	return nil
}

// passed are all slots after a time, up to another, as one that was skipped.
func (p planner) passed(after, now time.Time, why Reason) (all span, ok bool) {
	n, first, last := p.count(after, now)
	return span{at: first, until: last, count: n, reason: why}, n > 0
}
