package schedules

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

func (s *service) Invoke(ctx context.Context, ref string) (slots []Slot, err error) {
	defer errtypes.Wrap(&err, "schedules.Invoke(%q)", ref)
	r, actions, err := s.read(ctx, ref)
	if err != nil {
		return nil, err
	}
	now := s.now()
	f := firing{row: r, actions: actions, skips: map[string]int{}}
	t := turn{service: s, now: now, projects: map[string]projects.Project{}}
	for _, a := range actions {
		t.prepareStart(ctx, &f, a, Meta{ScheduleID: r.ID, ActionID: a.ID, ScheduledAt: now, Manual: true})
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		f.begin()
		for _, a := range actions {
			if err := s.invoke(ctx, tx, &f, a, now); err != nil {
				return err
			}
		}
		return nil
	})
	f.drop(context.WithoutCancel(ctx), err != nil)
	if err == nil {
		s.tell(ctx, []firing{f})
	}
	for _, o := range f.slots {
		slots = append(slots, o.Slot)
	}
	return slots, err
}

// invoke starts an action because somebody has asked for it. Of two who ask at the same
// time the second is later.
func (s *service) invoke(ctx context.Context, tx *storage.Tx, f *firing, a actionRow, now time.Time) error {
	o := f.slot(a, span{at: now, until: now, count: 1}, now)
	o.Manual = true
	for taken := true; taken; {
		var err error
		if taken, err = hasManual(ctx, tx, o); err != nil {
			return err
		}
		if taken {
			o.At = o.At.Add(time.Millisecond)
		}
	}
	o.Until = o.At
	if err := s.launch(ctx, tx, f, a, f.launches[key{a.ID, now}], &o); err != nil {
		return err
	}
	f.recorded(o)
	return insertSlot(ctx, tx, o, !f.Parallel)
}
