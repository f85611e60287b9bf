package actors

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// own returns a run of the caller's project.
func (s *service) own(ctx context.Context, id string) (r runRow, err error) {
	project, err := s.current(ctx)
	if err != nil {
		return r, err
	}
	r, err = storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (runRow, error) {
		return findOwnRun(ctx, q, project.ID, id)
	})
	return r, orNoRun(err, id)
}

// orNoRun explains a row that is not there.
func orNoRun(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return noRun(id)
	}
	return err
}

func (s *service) Run(ctx context.Context, id string) (_ RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Run(%q)", id)
	return s.asItIs(ctx, id)
}

// asItIs is a run as it is now, with what it takes.
func (s *service) asItIs(ctx context.Context, id string) (RunInfo, error) {
	r, err := s.own(ctx, id)
	r.Stats.Usage = s.live.usage(r.RunInfo)
	return r.RunInfo, err
}

// errWaited is that the time of a wait is over.
var errWaited = errors.New("actors: the time of the wait is over")

func (s *service) Wait(ctx context.Context, id string, most time.Duration) (_ RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Wait(%q)", id)
	r, err := s.own(ctx, id)
	if err != nil || r.Status.Final() || most == 0 {
		return r.RunInfo, err
	}
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if most > 0 {
		waiting, cancel = clock.WithTimeout(ctx, s.conf.Clock, most, errWaited)
	}
	defer cancel()
	err = s.executorOf(r.kind).Follow(waiting, id, func() (done bool, err error) {
		status, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (Status, error) { return findStatus(ctx, q, id) })
		return status.Final(), orNoRun(err, id)
	})
	if waiting.Err() != nil && ctx.Err() == nil && errors.Is(context.Cause(waiting), errWaited) {
		err = nil
	}
	if err != nil {
		return r.RunInfo, err
	}
	return s.asItIs(ctx, id)
}

func (s *service) Runs(ctx context.Context, f RunFilter) (l List[RunInfo], err error) {
	defer errtypes.Wrap(&err, "actors.Runs")
	project, err := s.current(ctx)
	if err != nil {
		return l, err
	}
	if f.Filter, err = f.Filter.checked(); err != nil {
		return l, err
	}
	if f.Actor != "" && f.Task != "" {
		return l, errtypes.Field("actor", "cannot be combined with task")
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		of, err := runListOf(ctx, q, project, f)
		if err == nil {
			l, err = listRuns(ctx, q, project.ID, of, f)
		}
		return err
	})
	return l, err
}

// runListOf is the list that a filter is about.
func runListOf(ctx context.Context, q storage.Querier, project projects.Project, f RunFilter) (runList, error) {
	switch {
	case f.Actor != "":
		a, err := findActor(ctx, q, project.ID, selectorOf(project, f.Actor))
		return runList{"actor_id", a.ID}, orNoActor(err, f.Actor)
	case f.Task != "":
		t, err := findTask(ctx, q, project.ID, selectorOf(project, f.Task))
		return runList{"task_id", t.ID}, orNoTask(err, f.Task)
	}
	return runList{"project_id", project.ID}, nil
}

func (s *service) LastRun(ctx context.Context, f RunFilter, origin string) (_ RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.LastRun")
	project, err := s.current(ctx)
	if err != nil {
		return RunInfo{}, err
	}
	if f.Actor != "" && f.Task != "" {
		return RunInfo{}, errtypes.Field("actor", "cannot be combined with task")
	}
	r, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (runRow, error) {
		of, err := runListOf(ctx, q, project, f)
		if err != nil {
			return runRow{}, err
		}
		return findLastRun(ctx, q, of, f.Statuses, origin)
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.NotFound, "there is no such run").WithType(errtypes.TypeRecordNotFound)
	}
	return r.RunInfo, err
}

func (s *service) Log(ctx context.Context, id string) iter.Seq2[LogEntry, error] {
	return s.log(ctx, id, s.conf.Logs.Entries)
}

func (s *service) FollowLog(ctx context.Context, id string) iter.Seq2[LogEntry, error] {
	return s.log(ctx, id, s.conf.Logs.Follow)
}

func (s *service) log(ctx context.Context, id string, read func(context.Context, string, int64) iter.Seq2[joblog.Entry, error]) iter.Seq2[LogEntry, error] {
	return func(yield func(LogEntry, error) bool) {
		r, err := s.own(ctx, id)
		if err != nil {
			yield(LogEntry{}, err)
			return
		}
		for e, err := range read(ctx, logOf(r).ID(), 0) {
			if !yield(LogEntry{e.Seq, e.Time, e.Text}, err) {
				return
			}
		}
	}
}
