package builds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/storage"
)

// kindOf is the kind of the jobs of builds: a process without a builder leaves them
// alone.
func kindOf(kind Kind) string { return "build/" + string(kind) }

// ending is how a build ends.
type ending struct {
	status  Status
	product Product
	cause   Cause
}

// Failure says in spans that a build made nothing.
func (e ending) Failure() string {
	if e.status == Succeeded {
		return ""
	}
	return string(e.status)
}

// newExecutor says what the life of a build is.
func (s *service) newExecutor(kind Kind, b Builder) *execution.Executor[row, ending] {
	return execution.New(execution.Config[row, ending]{
		Name: kindOf(kind), DB: s.conf.DB, Jobs: s.conf.Jobs, Notify: s.conf.Notify, Clock: s.conf.Clock, Logger: s.conf.Logger,
		Find: findRow, Start: startBuild, Started: s.started, RequestStop: requestStop, Requeue: requeue, End: s.end, State: row.state,
		Execute: func(ctx context.Context, a execution.Attempt[row]) (ending, error) { return s.build(ctx, b, a.Row) },
		Broken:  broken,
	})
}

func (r row) state() execution.State {
	state := execution.State{
		Status: string(r.Status), Failed: r.Status.Final() && r.Status != Succeeded, StartedAt: r.StartedAt, EndedAt: r.EndedAt, Deadline: r.ExpiresAt,
	}
	if r.Cause != nil {
		state.Cause = r.Cause.Code
	}
	switch {
	case r.Status.Final():
		state.Phase = execution.Ended
	case r.Status == Running:
		state.Phase = execution.Started
	}
	return state
}

// broken is the end of a build that was broken off.
func broken(r row, cause error) ending {
	switch {
	case errors.Is(cause, execution.ErrTimedOut):
		return ending{status: TimedOut, cause: Cause{CauseTimedOut, "the build took longer than " + r.ExpiresAt.Sub(r.CreatedAt).String()}}
	case errors.Is(cause, jobs.ErrCanceled):
		return ending{status: Aborted, cause: Cause{CauseAborted, abortedMessage}}
	case errors.Is(cause, execution.ErrHostDied), errors.Is(cause, jobs.ErrLeaseLost):
		return ending{status: Failed, cause: Cause{CauseInternal, fmt.Sprintf("the host has died each of the %d times that it was doing the build", 1+maxRestarts)}}
	default:
		return ending{status: Failed, cause: Cause{CauseInternal, shorten.Characters("the build could not be done by this host"+reason(cause), maxMessage)}}
	}
}

// reason is what of a fault of the host's a caller may know, behind a colon; nothing
// where there is no such thing.
func reason(err error) string {
	if errtypes.Is(err, errtypes.Unavailable) {
		return ": " + errtypes.Public(err).Message
	}
	return ""
}

// build has the builder work. The rest of a fault of the host is in its log alone.
func (s *service) build(ctx context.Context, b Builder, r row) (ending, error) {
	var log *joblog.Log
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		log, err = s.conf.Logs.Open(ctx, tx, logOf(r.Build), s.conf.Limits.logOptions())
		return err
	})
	if err != nil {
		return ending{}, err
	}
	job := Job{Build: r.Build, Log: log, Keep: func(ctx context.Context, source io.Reader) (io.ReadSeekCloser, error) {
		return s.keepSource(ctx, r.ID, source)
	}}
	if r.source != "" {
		source, err := s.conf.Blobs.Open(ctx, r.source)
		if err != nil {
			return ending{}, err
		}
		defer source.Close()
		job.Source = source
	}
	product, err := b.Build(ctx, job)
	var failure *Failure
	switch {
	case errors.As(err, &failure) && ctx.Err() == nil:
		log.Append(joblog.System, "The build has failed: "+failure.Message)
		return ending{status: Failed, cause: Cause{failure.Code, shorten.Characters(failure.Message, maxMessage)}}, nil
	case ctx.Err() != nil:
		if err == nil {
			product.Discard()
		}
		e := broken(r, context.Cause(ctx))
		log.Append(joblog.System, "The build was broken off: "+e.cause.Message)
		return ending{}, context.Cause(ctx)
	case err != nil:
		log.Append(joblog.System, "The build has failed: "+broken(r, err).cause.Message)
		return ending{}, err
	}
	return ending{status: Succeeded, product: product}, nil
}

// keepSource keeps what a builder has fetched.
func (s *service) keepSource(ctx context.Context, id string, source io.Reader) (io.ReadSeekCloser, error) {
	info, err := s.conf.Blobs.Put(ctx, source, s.conf.Limits.MaxSource)
	if err != nil {
		return nil, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		before, err := setSource(ctx, tx, id, info.Key)
		s.dropBlob(tx, before)
		return err
	})
	if err != nil {
		return nil, err // what was kept is swept
	}
	return s.conf.Blobs.Open(ctx, info.Key)
}

// dropBlob deletes a source once the transaction is committed. What cannot be deleted
// is swept.
func (s *service) dropBlob(tx *storage.Tx, key string) {
	if key == "" {
		return
	}
	tx.AfterCommit(func() {
		if err := s.conf.Blobs.Delete(context.Background(), key); err != nil {
			s.conf.Logger.Warn("builds: a source cannot be deleted; it is tried again later", "error", err)
		}
	})
}

// maxMessage is the longest message of a cause, in characters.
const maxMessage = 500

// end writes the end of a build, what came of it, and the end of its log.
func (s *service) end(ctx context.Context, tx *storage.Tx, id string, e ending, now time.Time) (row, error) {
	r, err := endBuild(ctx, tx, id, e.status, e.cause, now)
	if e.product != nil && (err != nil || r.Status != Succeeded) { // somebody was faster
		e.product.Discard()
	}
	if err != nil {
		return r, err
	}
	if r.Status == Succeeded && e.product != nil {
		if r, err = s.commit(ctx, tx, r, e.product); err != nil {
			return r, err
		}
	}
	if r.Status != Succeeded {
		if err := s.dropSource(ctx, tx, r); err != nil {
			return r, err
		}
	}
	return r, errors.Join(s.conf.Logs.End(ctx, tx, logOf(r.Build).ID()), s.emit(ctx, tx, r))
}

// dropSource removes what was published and is of no use.
func (s *service) dropSource(ctx context.Context, tx *storage.Tx, r row) error {
	if r.source == "" {
		return nil
	}
	s.dropBlob(tx, r.source)
	return clearSource(ctx, tx, r.ID)
}

func (s *service) commit(ctx context.Context, tx *storage.Tx, r row, p Product) (row, error) {
	result, err := p.Commit(ctx, tx, r.Build)
	var failure *Failure
	switch {
	case errors.As(err, &failure):
		p.Discard()
		return failBuild(ctx, tx, r.ID, Cause{failure.Code, shorten.Characters(failure.Message, maxMessage)})
	case err != nil:
		return r, err
	}
	r.Result = result
	return r, setResult(ctx, tx, r.ID, result)
}
