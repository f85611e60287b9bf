package runs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// work looks at the run that a job is about and brings it to its end. A run is
// executed at most once: one that is found RUNNING was begun by somebody who
// is gone.
func (s *service) work(ctx context.Context, j jobs.Job) error {
	r, err := s.load(ctx, j.Ref)
	switch {
	case err == nil && r.Status.Final(), errors.Is(err, storage.ErrNoRow):
		s.dropValues(j.Ref)
		return nil
	case err != nil:
		return err
	case r.Status == Running:
		return s.bury(ctx, j)
	}
	values, ok := s.values(r.ID)
	if !ok && (len(r.variables) > 0 || r.settings.Secret) {
		return s.end(ctx, j, failed(CauseVariablesLost, "the process that had the values of its variables ended before the run began"))
	}
	if r, err = s.start(ctx, r.ID); err != nil {
		if errors.Is(err, storage.ErrNoRow) { // it was stopped just now
			s.dropValues(j.Ref)
			return nil
		}
		return err
	}
	e := s.execute(ctx, r, values)
	s.dropValues(r.ID) // before anybody learns of the end
	return s.end(ctx, j, e)
}

func (s *service) load(ctx context.Context, id string) (r row, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		r, err = findRow(ctx, q, id)
		return err
	})
	return r, err
}

func (s *service) start(ctx context.Context, id string) (r row, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		s.changed(tx, id)
		r, err = startRun(ctx, tx, id, s.now())
		return err
	})
	return r, err
}

// failed is the end of a run that did not do its task.
func failed(code, format string, args ...any) ending {
	return ending{status: Failed, cause: &Cause{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// bury ends a run whose execution was broken off. What it had called is
// answered, so that its messages are a whole conversation.
func (s *service) bury(ctx context.Context, j jobs.Job) error {
	s.dropValues(j.Ref)
	e := failed(CauseInternal, "the end of the run could not be written")
	if j.LeaseLost {
		e = failed(CauseHeartbeatLost, "the process that executed the run died")
	}
	if err := s.answerOpen(ctx, j.Ref, e.cause.Message); err != nil {
		s.conf.Logger.Warn("runs: the last calls of a run cannot be answered", "run", j.Ref, "error", err)
	}
	return s.end(ctx, j, e)
}

// The end of a run is written again when the database is busy: the work is
// done, and only this is missing.
const (
	endTries = 3
	endPause = time.Second
)

// end writes the end of the run and removes the job, in one transaction. It
// does so whatever has become of the context, unless the run is another's now.
func (s *service) end(ctx context.Context, j jobs.Job, e ending) (err error) {
	if cause := context.Cause(ctx); errors.Is(cause, jobs.ErrLeaseLost) {
		return cause
	}
	ctx = context.WithoutCancel(ctx)
	for try := range endTries {
		if try > 0 && clock.Sleep(ctx, s.conf.Clock, endPause) != nil {
			break
		}
		if err = s.tryEnd(ctx, j, e); !errtypes.Is(err, errtypes.Unavailable) {
			return err
		}
	}
	return err
}

func (s *service) tryEnd(ctx context.Context, j jobs.Job, e ending) error {
	var r Run
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if err := s.conf.Jobs.Done(ctx, tx, j); err != nil {
			return err
		}
		s.changed(tx, j.Ref)
		r, err = endRun(ctx, tx, j.Ref, e, s.now())
		if errors.Is(err, storage.ErrNoRow) { // a stop has ended it
			return nil
		}
		return err
	})
	if err == nil {
		s.logEnd(r)
	}
	return err
}

func (s *service) logEnd(r Run) {
	level, attrs := slog.LevelInfo, []any{"run", r.ID, "status", r.Status}
	if !r.StartedAt.IsZero() {
		attrs = append(attrs, "took", r.EndedAt.Sub(r.StartedAt))
	}
	if r.Cause != nil {
		attrs = append(attrs, "cause", r.Cause.Code, "message", r.Cause.Message)
	}
	if r.Status == Failed || r.Status == TimedOut {
		level = slog.LevelWarn
	}
	s.conf.Logger.Log(context.Background(), level, "runs: a run has ended", attrs...)
}

// exhausted ends a run that nobody could bring to an end, in the transaction
// that gives its job up.
func (s *service) exhausted(ctx context.Context, tx *storage.Tx, j jobs.Job, cause error) error {
	e := failed(CauseInternal, "the run could not be executed")
	if errors.Is(cause, jobs.ErrLeaseLost) {
		e = failed(CauseHeartbeatLost, "each process that looked at the run died")
	}
	s.changed(tx, j.Ref)
	tx.AfterCommit(func() { s.dropValues(j.Ref) })
	_, err := endRun(ctx, tx, j.Ref, e, s.now())
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	return err
}

// Why an execution is broken off, beside the causes of package jobs.
var errTimedOut = errors.New("runs: the run took too long")

// goneError says that the browser of a run has died.
type goneError struct{ cause error }

func (e *goneError) Error() string { return "runs: the browser is gone: " + e.cause.Error() }
func (e *goneError) Unwrap() error { return e.cause }

const diedMessage = "the browser of the run died"

// broken is the end of a run whose context has ended.
func (s *service) broken(ctx context.Context) ending {
	var gone *goneError
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errTimedOut):
		return ending{status: TimedOut, cause: &Cause{CauseTimedOut, fmt.Sprintf("the run took longer than %v", s.conf.Limits.MaxDuration)}}
	case errors.Is(cause, jobs.ErrCanceled):
		return ending{status: Stopped, cause: &Cause{CauseStopped, stoppedMessage}}
	case errors.Is(cause, jobs.ErrStopping):
		return failed(CauseShutdown, "the service was closed while the run was under way")
	case errors.As(cause, &gone):
		return failed(CauseBrowser, "%s", publicText(gone.cause, diedMessage))
	default:
		return failed(CauseInternal, "the run was broken off")
	}
}

// publicText is the part of an error that a caller may see, or else instead.
func publicText(err error, instead string) string {
	if pub := errtypes.Public(err); pub.Kind != errtypes.Internal && pub.Kind != errtypes.Canceled {
		return pub.Message
	}
	return instead
}

// execute does the task. When it returns, the run's browser is gone.
func (s *service) execute(ctx context.Context, r row, values heldValues) (e ending) {
	ctx, stopClock := clock.WithTimeout(ctx, s.conf.Clock, s.conf.Limits.MaxDuration, errTimedOut)
	defer stopClock()
	x := newExecution(ctx, s, r, values.vault)
	x.proxies = values.proxies
	defer x.close()
	defer func() {
		if p := recover(); p != nil {
			s.conf.Logger.Error("runs: a run panicked", "run", r.ID, "panic", x.clean(fmt.Sprint(p)))
			e = failed(CauseInternal, "the run hit a fault of the service")
		}
		e = x.cleanEnding(e)
	}()
	return x.loop()
}
