package schedules

import (
	"context"

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
		f.slots = nil
		for _, a := range actions {
			o := r.slot(a, span{at: now, until: now, count: 1}, now)
			o.Manual = true
			if err := s.decide(ctx, tx, &f, a, o); err != nil {
				return err
			}
		}
		return nil
	})
	f.drop(context.WithoutCancel(ctx), err != nil)
	if err == nil {
		s.tell(ctx, []firing{f})
	}
	return f.slots, err
}
