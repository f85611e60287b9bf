package runs

import (
	"context"
	"errors"
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// newExecutor says what the life of a run is. It is executed at most once.
func (s *service) newExecutor() *execution.Executor[row, ending] {
	return execution.New(execution.Config[row, ending]{
		Name: jobKind, DB: s.conf.DB, Jobs: s.conf.Jobs, Notify: s.conf.Notify, Clock: s.conf.Clock, Logger: s.conf.Logger,
		Find: findRow, Start: startRun, Started: s.started, RequestStop: requestStop, End: s.end, State: s.state,
		Execute: s.execute, Broken: s.broken,
		Check: s.check, Abandoned: s.abandoned, Release: s.vaults.Drop,
	})
}

func (s *service) state(r row) execution.State {
	state := execution.State{
		Status: string(r.Status), Cause: r.Cause.String(), Failed: r.Status == Failed || r.Status == TimedOut,
		StartedAt: r.StartedAt, EndedAt: r.EndedAt,
	}
	switch {
	case r.Status.Final():
		state.Phase = execution.Ended
	case r.Status == Running:
		state.Phase, state.Deadline = execution.Started, r.StartedAt.Add(s.limitsOf(r).MaxDuration)
	}
	return state
}

var errVariablesLost = errors.New("runs: the values of the run's variables are lost")

// check refuses a run whose values died with their process.
func (s *service) check(r row) error {
	if _, ok := s.values(r.ID); !ok && (len(r.variables) > 0 || r.settings.Secret) {
		return errVariablesLost
	}
	return nil
}

// abandoned answers what a run had called whose execution was broken off, so
// that its messages are a whole conversation.
func (s *service) abandoned(ctx context.Context, tx *storage.Tx, r row, cause error) error {
	return s.answerOpen(ctx, tx, r.ID, s.broken(r, cause).cause.Message)
}

// Failure says in spans that a run did not do its task.
func (e ending) Failure() string {
	if e.status == Completed {
		return ""
	}
	return string(e.status)
}

// failed is the end of a run that did not do its task.
func failed(code, format string, args ...any) ending {
	return ending{status: Failed, cause: &Cause{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// goneError says that the browser of a run has died.
type goneError struct{ cause error }

func (e *goneError) Error() string { return "runs: the browser is gone: " + e.cause.Error() }
func (e *goneError) Unwrap() error { return e.cause }

const diedMessage = "the browser of the run died"

// broken is the end of a run that was broken off, and why.
func (s *service) broken(r row, cause error) ending {
	var gone *goneError
	switch {
	case errors.Is(cause, execution.ErrExhausted) && errors.Is(cause, jobs.ErrLeaseLost):
		return failed(CauseHeartbeatLost, "each process that looked at the run died")
	case errors.Is(cause, execution.ErrExhausted):
		return failed(CauseInternal, "the run could not be executed")
	case errors.Is(cause, execution.ErrHostDied):
		return failed(CauseHeartbeatLost, "the process that executed the run died")
	case errors.Is(cause, execution.ErrEndLost):
		return failed(CauseInternal, "the end of the run could not be written")
	case errors.Is(cause, errVariablesLost):
		return failed(CauseVariablesLost, "the process that had the values of its variables ended before the run began")
	case errors.Is(cause, errPauseOver):
		return ending{status: TimedOut, cause: &Cause{CauseTimedOut, fmt.Sprintf("a person kept the run for longer than %v", s.conf.Limits.MaxPause)}}
	case errors.Is(cause, execution.ErrTimedOut):
		return ending{status: TimedOut, cause: &Cause{CauseTimedOut, fmt.Sprintf("the run took longer than %v", s.limitsOf(r).MaxDuration)}}
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

// brokenOff is the end of a run whose context has ended.
func (x *activeRun) brokenOff() ending { return x.broken(x.row, context.Cause(x.ctx)) }

// publicText is the part of an error that a caller may see, or else instead.
func publicText(err error, instead string) string {
	if pub := errtypes.Public(err); pub.Kind != errtypes.Internal && pub.Kind != errtypes.Canceled {
		return pub.Message
	}
	return instead
}

// execute does the task. When it returns, the run's browser is gone.
func (s *service) execute(ctx context.Context, a execution.Attempt[row]) (e ending, err error) {
	values, _ := s.values(a.Row.ID)
	x := newActiveRun(ctx, s, a.Row, values.vault)
	x.proxies, x.suspend = values.proxies, a.Suspend
	defer x.close()
	defer func() {
		if p := recover(); p != nil { // here, because what it says may hold values
			s.conf.Logger.Error("runs: a run panicked", "run", a.Row.ID, "panic", x.clean(fmt.Sprint(p)))
			e = failed(CauseInternal, "the run hit a fault of the service")
			err := s.conf.DB.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx *storage.Tx) error {
				return s.answerOpen(ctx, tx, a.Row.ID, e.cause.Message)
			})
			if err != nil {
				s.conf.Logger.Error("runs: the calls of a run that panicked stay without results", "run", a.Row.ID, "error", err)
			}
		}
		e = x.withCleanEnding(e)
	}()
	return x.loop(), nil
}
