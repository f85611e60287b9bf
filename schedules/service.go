package schedules

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

type service struct {
	conf    Config
	metrics metrics
	runner  lifecycle.Runner
	lazy    atomic.Bool // fires once there is something to fire
	lease   lease
	// changed wakes what fires: something may be due sooner. Capacity 1.
	changed chan struct{}
}

// New returns the service, which fires nothing before it is started. Error kind Invalid for a
// config that lacks something.
func New(c Config) (_ *Scheduler, err error) {
	defer errtypes.Wrap(&err, "schedules.New")
	if err := errors.Join(c.validate(), c.Limits.Validate()); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults(), metrics: newMetrics(c.Telemetry), changed: make(chan struct{}, 1)}
	s.conf.Keeper.Register(retention.Rule{
		Things: "slots of schedules", Keep: s.conf.Retention, First: firstRecorded, Delete: s.deleteSlots,
	})
	return &Scheduler{service: s}, nil
}

const retainBatch = 1000

func (s *service) deleteSlots(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		gone, err := deleteSlots(ctx, tx, before, retainBatch)
		n = int(gone)
		return err
	})
	return n, err
}

func selectorOf(p projects.Project, ref string) selector {
	if name, ok := p.NameIn(ref); ok {
		return selector{key: keyOf(name)}
	}
	return selector{id: ref}
}

// orNone explains a row that is not there.
func orNone(err error, ref string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errNoSchedule(ref)
	}
	return err
}

// orTaken explains a name that another schedule has.
func orTaken(err error, name string) error {
	if errors.Is(err, storage.ErrConflict) {
		return errtypes.OfType(errtypes.TypeScheduleNameNotUnique, "Some other schedule already has this name (%q).", name)
	}
	return err
}

func (s *service) Create(ctx context.Context, c Create) (out Schedule, err error) {
	defer errtypes.Wrap(&err, "schedules.Create(%q)", c.Name)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Schedule{}, err
	}
	if c.Name != "" {
		if err := validateName(c.Name); err != nil {
			return Schedule{}, err
		}
	}
	now := s.now()
	r := row{Schedule: Schedule{ID: ids.NewShort(), ProjectID: project.ID, Name: c.Name, Settings: c.Settings.withDefaults(), CreatedAt: now, ModifiedAt: now}}
	if err := s.aim(&r, now); err != nil {
		return Schedule{}, err
	}
	if r.Actions, err = s.checkActions(ctx, nil, c.Actions); err != nil {
		return Schedule{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if err := s.name(ctx, tx, &r); err != nil {
			return err
		}
		fits, err := insert(ctx, tx, r, s.conf.Limits.PerProject)
		switch {
		case err != nil:
			return orTaken(err, r.Name)
		case !fits:
			return errtypes.OfType(errtypes.TypeTooManySchedules, "A project may have %d schedules", s.conf.Limits.PerProject)
		}
		tx.AfterCommit(s.wake)
		return putActions(ctx, tx, r.ID, r.Actions)
	})
	return r.Schedule, err
}

// name gives a schedule a name and a title that has none.
func (s *service) name(ctx context.Context, q storage.Querier, r *row) error {
	for n := 0; r.Name == ""; n++ {
		taken, err := hasName(ctx, q, r.ProjectID, nthName(n))
		if err != nil {
			return err
		}
		if !taken {
			r.Name = nthName(n)
		}
	}
	if r.Title == "" {
		r.Title = titleOf(r.Name)
	}
	return nil
}

// aim says when a schedule is due next, as from now on.
func (s *service) aim(r *row, now time.Time) error {
	if err := r.Settings.validate(); err != nil {
		return err
	}
	p, err := s.plannerOf(*r)
	if err != nil {
		return err
	}
	r.NextRunAt = time.Time{}
	// Where the clock was put back, slots are due again that had been skipped.
	if r.cursor.Before(now) || r.cursor.After(now.Add(minInterval)) {
		r.cursor = now
		if r.last.After(now) {
			r.last = time.Time{}
		}
	}
	if !r.Enabled {
		return nil
	}
	at, ok := p.next(r.cursor)
	if !ok {
		return errtypes.OfType(errtypes.TypeNextRuntimeComputationFailed, "The schedule is never due: %q", r.Cron)
	}
	r.NextRunAt = p.first(at, r.last)
	return nil
}

func (s *service) plannerOf(r row) (planner, error) {
	t, err := s.conf.Limits.timingOf(r.ID, r.Settings)
	return planner{timing: t, catchUp: r.CatchUp, grace: s.conf.Limits.Grace}, err
}

// read finds a schedule of the caller's project with its actions.
func (s *service) read(ctx context.Context, ref string) (r row, actions []actionRow, err error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return r, nil, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		if r, err = find(ctx, q, project.ID, selectorOf(project, ref)); err != nil {
			return orNone(err, ref)
		}
		actions, err = s.fill(ctx, q, &r)
		return err
	})
	return r, actions, err
}

// fill reads the actions of a schedule.
func (s *service) fill(ctx context.Context, q storage.Querier, r *row) ([]actionRow, error) {
	of, err := actionsOf(ctx, q, []row{*r}, math.MaxInt64)
	r.setActions(of[r.ID])
	return of[r.ID], err
}

func (r *row) setActions(all []actionRow) {
	r.Actions = make([]Action, len(all))
	for i, a := range all {
		r.Actions[i] = a.Action
	}
}

func (s *service) Get(ctx context.Context, ref string) (out Schedule, err error) {
	defer errtypes.Wrap(&err, "schedules.Get(%q)", ref)
	r, _, err := s.read(ctx, ref)
	return r.Schedule, err
}

func (s *service) List(ctx context.Context, f Filter) (l List[Schedule], err error) {
	defer errtypes.Wrap(&err, "schedules.List")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return l, err
	}
	if f, err = f.checked(); err != nil {
		return l, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		total, rows, err := list(ctx, q, project.ID, f)
		if err != nil {
			return err
		}
		of, err := actionsOf(ctx, q, rows, largeInput)
		l = List[Schedule]{Total: total, Items: make([]Schedule, len(rows))}
		for i := range rows {
			rows[i].setActions(of[rows[i].ID])
			l.Items[i] = rows[i].Schedule
		}
		return err
	})
	return l, err
}

const maxPage = 1000

func (f Filter) checked() (Filter, error) {
	if f.Limit == 0 {
		f.Limit = maxPage
	}
	switch {
	case f.Offset < 0:
		return f, errtypes.Field("offset", "must be at least 0")
	case f.Limit < 1 || f.Limit > maxPage:
		return f, errtypes.Field("limit", "must be from 1 to %d", maxPage)
	}
	return f, nil
}

func (s *service) Delete(ctx context.Context, ref string) (err error) {
	defer errtypes.Wrap(&err, "schedules.Delete(%q)", ref)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		done, err := remove(ctx, tx, project.ID, selectorOf(project, ref))
		if err == nil && !done {
			return errNoSchedule(ref)
		}
		return err
	})
}
