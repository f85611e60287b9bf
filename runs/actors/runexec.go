package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// newExecutor says what the life of a run is whose jobs are of a kind.
func (s *service) newExecutor(kind string) *execution.Executor[runRow, runEnd] {
	return execution.New(execution.Config[runRow, runEnd]{
		Name: kind, DB: s.conf.DB, Jobs: s.conf.Jobs, Notify: s.conf.Notify, Clock: s.conf.Clock, Logger: s.conf.Logger,
		Find: findRun, Start: startRun, RequestStop: requestAbort, RequeueOf: requeueOf, End: s.end, State: runRow.state,
		Execute: s.execute, Broken: broken,
	})
}

// executorOf returns what a run is made, stopped and waited for with. Where its program
// is another process's, that executes it.
func (s *service) executorOf(kind string) *execution.Executor[runRow, runEnd] {
	if f := s.funcs[strings.TrimPrefix(kind, kindOf(""))]; f != nil {
		return f.executor
	}
	if kind == kindOf("") && s.built != nil {
		return s.built
	}
	return s.newExecutor(kind) // it is not registered with the queue
}

// kindOptions of the jobs of a Go Actor. A host that dies takes an attempt from each
// run, which has as many as it may be restarted.
func (s *service) kindOptions(f *function) jobs.KindOptions {
	const attempts = 10_000
	return jobs.KindOptions{Workers: f.o.Concurrent, MaxAttempts: attempts, Exhausted: f.executor.Exhausted, Admission: s.memory}
}

// Failure says in spans that a run has failed.
func (e runEnd) Failure() string {
	if e.status == Succeeded {
		return ""
	}
	return string(e.status)
}

// logOf is the owner of the log of a run.
func logOf(r runRow) joblog.Owner {
	return joblog.Owner{Kind: "actor-run", Ref: r.ID, ProjectID: r.ProjectID}
}

// errMigrating is that a run leaves a host that closes, before that breaks it off.
var errMigrating = errors.New("actors: the run leaves a host that closes")

// isMigration reports whether a run was broken off because its host closes.
func isMigration(cause error) bool {
	return errors.Is(cause, jobs.ErrStopping) || errors.Is(cause, errMigrating)
}

// execute runs one process of a run after another, until one of them has ended it.
func (s *service) execute(ctx context.Context, a execution.Attempt[runRow]) (runEnd, error) {
	r := a.Row
	if r.program == "" && s.closing.err() != nil { // it would begin to be broken off
		return runEnd{}, execution.Retry(errMigrating)
	}
	project, err := s.project(ctx, r.ProjectID)
	if err != nil {
		return runEnd{}, err
	}
	ctx = projects.With(ctx, project)
	log, err := s.openLog(ctx, r)
	if err != nil {
		return runEnd{}, err
	}
	for {
		p := s.newProcess(a, r, log)
		x := p.run(ctx)
		if ctx.Err() != nil {
			return runEnd{}, context.Cause(ctx)
		}
		if x.code == exitNone && s.closing.err() != nil {
			return runEnd{}, execution.Retry(errMigrating)
		}
		next, goesOn, err := s.next(ctx, p, x)
		if err != nil || !goesOn {
			return x.end(), err
		}
		r = next
	}
}

func (s *service) openLog(ctx context.Context, r runRow) (log *joblog.Log, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		log, err = s.conf.Logs.Open(ctx, tx, logOf(r), joblog.Options{MaxBytes: s.conf.Limits.MaxLog})
		return err
	})
	if err == nil && r.Stats.RunTime > 0 {
		log.Append(joblog.System, "ACTOR: The run goes on")
	}
	return log, err
}

// next finds out how a run goes on whose process has ended: with one that was asked
// for, with one more after an error, or not.
func (s *service) next(ctx context.Context, p *process, x exit) (r runRow, goesOn bool, err error) {
	if r, err = s.found(ctx, p.row.ID); err != nil {
		return r, false, err
	}
	if r.turn > p.row.turn {
		if s.closing.err() != nil {
			return r, false, execution.Retry(errMigrating)
		}
		return r, true, s.freeLocks(ctx, p)
	}
	if _, may := r.mayRestart(s.now()); x.code == 0 || !may {
		return r, false, nil
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if err := s.conf.Jobs.Held(ctx, tx, p.attempt.Job); err != nil {
			return err
		}
		if r, err = restartRun(ctx, tx, r.ID, s.now()); err != nil {
			return err
		}
		_, err = s.conf.Stores.FreeLocks(ctx, tx, r.ID)
		return err
	})
	switch {
	case errors.Is(err, storage.ErrNoRow): // aborted just now
		return r, false, nil
	case err == nil:
		p.log.Append(joblog.System, "ACTOR: The run failed and is started again: "+x.message)
	}
	return r, err == nil, err
}

// freeLocks lets go of what a process has locked that is followed by another.
func (s *service) freeLocks(ctx context.Context, p *process) error {
	p.log.Append(joblog.System, "ACTOR: Another process of the run begins")
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, err := s.conf.Stores.FreeLocks(ctx, tx, p.row.ID)
		return err
	})
}

func (s *service) found(ctx context.Context, id string) (runRow, error) {
	return storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (runRow, error) { return findRun(ctx, q, id) })
}

// end writes the end of a run and that of its log, lets go of what it has locked, and tells
// webhooks of it.
func (s *service) end(ctx context.Context, tx *storage.Tx, id string, e runEnd, now time.Time) (runRow, error) {
	r, err := endRun(ctx, tx, id, e, now)
	if err != nil {
		return r, err
	}
	_, err = s.conf.Stores.FreeLocks(ctx, tx, id)
	return r, errors.Join(err, s.conf.Logs.End(ctx, tx, logOf(r).ID()), s.emit(ctx, tx, runEvents[r.Status], r.FinishedAt, r.RunInfo))
}

const abortedMessage = "Actor run was aborted"

// broken is the end of a run that was broken off.
func broken(r runRow, cause error) runEnd {
	switch {
	case errors.Is(cause, execution.ErrTimedOut):
		return runEnd{status: TimedOut, message: fmt.Sprintf("Actor run has reached its time-out of %d seconds", int64(r.timeout().Seconds()))}
	case errors.Is(cause, jobs.ErrCanceled):
		return runEnd{status: Aborted, message: abortedMessage}
	case errors.Is(cause, execution.ErrHostDied), errors.Is(cause, jobs.ErrLeaseLost):
		return runEnd{status: Failed, message: "Actor run failed: the process that executed it died"}
	case errors.Is(cause, errNotTakenUp):
		return runEnd{status: Failed, message: "Actor run failed: no process took it up in time"}
	case errtypes.Is(cause, errtypes.Unavailable):
		return runEnd{status: Failed, message: "Actor run failed: " + errtypes.Public(cause).Message}
	}
	return runEnd{status: Failed, message: "Actor run failed: it could not be executed"}
}

func (r runRow) timeout() time.Duration {
	if r.Options.Timeout == nil {
		return 0
	}
	return *r.Options.Timeout
}
