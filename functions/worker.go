package functions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/storage"
)

// Failure says in spans that an invocation has failed.
func (e ending) Failure() string {
	if e.status == Completed {
		return ""
	}
	return string(e.status)
}

func (r row) state() execution.State {
	state := execution.State{Status: string(r.Status), Failed: r.Status == Failed, StartedAt: r.StartedAt, EndedAt: r.EndedAt}
	if r.Cause != nil {
		state.Cause = r.Cause.Code
	}
	switch {
	case r.Status.Final():
		state.Phase = execution.Ended
	case r.Status == Running:
		state.Phase, state.Deadline = execution.Started, r.StartedAt.Add(r.Timeout)
	}
	return state
}

var errValuesLost = errors.New("functions: the passwords of the invocation's proxies are lost")

// check refuses an invocation whose passwords died with their process.
func (s *service) check(r row) error {
	if _, ok := s.values.Get(r.ID); r.secret && !ok {
		return errValuesLost
	}
	return nil
}

// end writes the end of an invocation and that of its log, and tells webhooks. The last one of a version
// that was deleted meanwhile lets go of its program.
func (s *service) end(ctx context.Context, tx *storage.Tx, id string, e ending, now time.Time) (row, error) {
	r, err := endInvocation(ctx, tx, id, e, now)
	if err != nil {
		return r, err
	}
	if e.blob != "" && r.resultBlob == "" { // it was cancelled meanwhile
		tx.AfterCommit(func() { s.dropBlob(context.Background(), e.blob) })
	}
	told := r.Invocation
	if r.resultBlob != "" {
		told.Result = e.stored
	}
	return r, errors.Join(s.conf.Logs.End(ctx, tx, logOf(r).ID()), s.releaseBuild(ctx, tx, r.program), s.emit(ctx, tx, told))
}

func failed(code, format string, args ...any) ending {
	return ending{status: Failed, cause: Cause{Code: code, Message: shorten.Characters(fmt.Sprintf(format, args...), maxMessage)}}
}

// maxMessage is the longest message of a cause, in characters.
const maxMessage = 500

// broken is the end of an invocation that was broken off (DECISIONS 26).
func broken(r row, cause error) ending {
	switch {
	case errors.Is(cause, execution.ErrTimedOut):
		return failed(CauseTimedOut, "the invocation took longer than %v", r.Timeout)
	case errors.Is(cause, jobs.ErrCanceled):
		return failed(CauseWorkload, "%s", cancelledMessage)
	case errors.Is(cause, execution.ErrHostDied), errors.Is(cause, jobs.ErrLeaseLost):
		return failed(CauseInternal, "the process that executed the invocation died")
	case errors.Is(cause, jobs.ErrStopping):
		return failed(CauseInternal, "the service was closed while the invocation was under way")
	case errors.Is(cause, errNotTakenUp):
		return failed(CauseInternal, "no process took the invocation up in time")
	case errors.Is(cause, execution.ErrEndLost):
		return failed(CauseInternal, "the end of the invocation could not be written")
	case errors.Is(cause, errDeleted):
		return failed(CauseWorkload, "the function was deleted before the invocation began")
	case errors.Is(cause, errValuesLost):
		return failed(CauseInternal, "the process that had the passwords of its proxies ended before the invocation began")
	default:
		return failed(CauseInternal, "the invocation could not be executed%s", reason(cause))
	}
}

// reason is what of a fault of the host's a caller may know, behind a colon; nothing
// where there is no such thing.
func reason(err error) string {
	var f *builds.Failure
	switch {
	case errtypes.Is(err, errtypes.Unavailable):
		return ": " + errtypes.Public(err).Message
	case errors.As(err, &f): // a program that is made again
		return ": " + f.Message
	}
	return ""
}

// activate opens the log, which redact takes secrets out of, and says what the
// session is like: base are the settings of the version, with passwords.
func (s *service) activate(ctx context.Context, base json.RawMessage, r row, redact func(string) string) (*active, error) {
	own := r.session
	if h, ok := s.values.Get(r.ID); ok {
		own = h.session
	}
	create, err := s.settings(ctx, r.ProjectID, base, own)
	if err != nil {
		return nil, err
	}
	create.ID, create.ProjectID, create.KeepAlive = r.SessionID, r.ProjectID, true
	create.Timeout = r.Timeout + sessionSpare
	a := newActive(ctx, s, create)
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		a.log, err = s.conf.Logs.Open(ctx, tx, logOf(r), joblog.Options{MaxBytes: s.conf.Limits.MaxLog, Redact: redact})
		return err
	})
	return a, err
}

// sessionSpare is how much longer a session may last than its invocation, which
// ends it.
const sessionSpare = time.Minute

// rowResult is the largest result that lies in a row, in bytes.
const rowResult = 64 << 10

// completed keeps a result, which is JSON; nil for none.
func (s *service) completed(ctx context.Context, result json.RawMessage) ending {
	switch {
	case result == nil:
		return ending{status: Completed}
	case len(result) > s.conf.Limits.MaxResult:
		return s.tooLarge(int64(len(result)))
	case len(result) <= rowResult:
		return ending{status: Completed, result: result}
	}
	info, err := s.conf.Blobs.Put(ctx, bytes.NewReader(result), 0)
	if err != nil {
		s.conf.Logger.Log(ctx, slog.LevelWarn, "functions: a result cannot be kept", "error", err)
		return failed(CauseInternal, "the result could not be kept")
	}
	return ending{status: Completed, blob: info.Key, stored: result}
}

func (s *service) tooLarge(bytes int64) ending {
	return failed(CauseWorkload, "the result has %d bytes; at most %d are kept", bytes, s.conf.Limits.MaxResult)
}

// encode writes JSON whose texts stand as they are.
func encode(result any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(result)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// dropBlob deletes a result. One that stays is swept.
func (s *service) dropBlob(ctx context.Context, key string) {
	if key == "" {
		return
	}
	if err := s.conf.Blobs.Delete(ctx, key); err != nil {
		s.conf.Logger.Warn("functions: a result cannot be deleted; it is tried again later", "error", err)
	}
}
