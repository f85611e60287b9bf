package actors

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/storage"
)

// The steps in the life of a run. Each is [storage.ErrNoRow] where its condition does
// not hold.

// stepRun changes the run that is $1, and returns it. SQLite takes several times as
// long to prepare a RETURNING of many columns.
func stepRun(ctx context.Context, q storage.Querier, query, id string, args ...any) (runRow, error) {
	n, err := q.Exec(ctx, query, append([]any{id}, args...)...)
	switch {
	case err != nil:
		return runRow{}, err
	case n == 0:
		return runRow{}, storage.ErrNoRow
	}
	return findRun(ctx, q, id)
}

// startRun makes a run that waits RUNNING, unless an abort was accepted.
func startRun(ctx context.Context, q storage.Querier, id string, now time.Time) (runRow, error) {
	return stepRun(ctx, q, `UPDATE actor_runs SET status = 'RUNNING', begun_at = $2, timed_from = coalesce(timed_from, $2)
		WHERE id = $1 AND status = 'READY' AND abort_at IS NULL`, id, storage.Millis(now))
}

// allowAbort says until when a run that is aborted may end by itself. It is never
// later than was said before.
func allowAbort(ctx context.Context, q storage.Querier, id string, by time.Time) error {
	_, err := q.Exec(ctx, `UPDATE actor_runs SET abort_by = min(coalesce(abort_by, $2), $2) WHERE id = $1`, id, storage.Millis(by))
	return err
}

// requestAbort notes that an abort was accepted, once.
func requestAbort(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (runRow, error) {
	return stepRun(ctx, q, `UPDATE actor_runs SET abort_at = coalesce(abort_at, $3), status = CASE status WHEN 'READY' THEN 'READY' ELSE 'ABORTING' END
		WHERE id = $1 AND project_id = $2 AND status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')`, id, projectID, storage.Millis(now))
}

// timeOut says that the time of a run is over.
func timeOut(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `UPDATE actor_runs SET status = 'TIMING-OUT' WHERE id = $1 AND status = 'RUNNING'`, id)
	return err
}

// runEnd is how a run ends.
type runEnd struct {
	status  Status
	exit    *int
	message string
}

// endRun writes the end of a run that has not ended. An abort wins over every other
// end, and a time-out over what comes after it.
func endRun(ctx context.Context, q storage.Querier, id string, e runEnd, now time.Time) (runRow, error) {
	var exit any
	if e.exit != nil {
		exit = *e.exit
	}
	return stepRun(ctx, q, `UPDATE actor_runs SET
			status = CASE WHEN abort_at IS NOT NULL THEN 'ABORTED' WHEN status = 'TIMING-OUT' THEN 'TIMED-OUT' ELSE $2 END,
			message = CASE WHEN message_terminal THEN message WHEN abort_at IS NOT NULL THEN $5 ELSE $4 END,
			exit_code = $3, ended_at = $6, ran_ms = ran_ms + coalesce(max($6 - begun_at, 0), 0), begun_at = NULL
		WHERE id = $1 AND status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')`, id, string(e.status), exit, e.message, abortedMessage, storage.Millis(now))
}

const (
	// restartWindow is how long a restart counts, of which there may be mostRestarts.
	restartWindow = time.Minute
	mostRestarts  = 3
)

// mayRestart reports whether a run that failed is to be started again, and which
// restarts count from then on.
func (r runRow) mayRestart(now time.Time) (restarted []int64, ok bool) {
	if o := r.Options.RestartOnError; o == nil || !*o || r.MessageTerminal {
		return nil, false
	}
	at := storage.Millis(now)
	for _, t := range r.restarted {
		if t > at-restartWindow.Milliseconds() {
			restarted = append(restarted, t)
		}
	}
	return append(restarted, at), len(restarted) < mostRestarts
}

// restartRun counts a restart of a run that goes on RUNNING.
func restartRun(ctx context.Context, q storage.Querier, id string, now time.Time) (runRow, error) {
	return again(ctx, q, id, now, `restarts = restarts + 1, restarted_at = $2`)
}

// returnRun makes a run wait again whose host died, if it is to be started again.
func returnRun(ctx context.Context, q storage.Querier, id string, now time.Time) (runRow, error) {
	return again(ctx, q, id, now, `restarts = restarts + 1, restarted_at = $2, status = 'READY', ready_at = $3, begun_at = NULL`, storage.Millis(now))
}

// again starts a run again after an error, if it may be. More are arguments from $3 on.
func again(ctx context.Context, q storage.Querier, id string, now time.Time, set string, more ...any) (runRow, error) {
	r, err := findRun(ctx, q, id)
	if err != nil {
		return r, err
	}
	restarted, ok := r.mayRestart(now)
	if !ok {
		return r, storage.ErrNoRow
	}
	return stepRun(ctx, q, `UPDATE actor_runs SET `+set+` WHERE id = $1 AND status = 'RUNNING' AND abort_at IS NULL`, id, append([]any{timesText(restarted)}, more...)...)
}

// migrateRun makes a run wait again whose host closes.
func migrateRun(ctx context.Context, q storage.Querier, id string, now time.Time) (runRow, error) {
	return stepRun(ctx, q, `UPDATE actor_runs SET migrations = migrations + 1, status = 'READY', ready_at = $2, ran_ms = ran_ms + coalesce(max($2 - begun_at, 0), 0), begun_at = NULL
		WHERE id = $1 AND status = 'RUNNING' AND abort_at IS NULL`, id, storage.Millis(now))
}

// requeueOf is what becomes of a run that was broken off for a cause.
func requeueOf(_ runRow, cause error) execution.Statement[runRow] {
	switch {
	case errors.Is(cause, execution.ErrHostDied):
		return returnRun
	case isMigration(cause):
		return migrateRun
	}
	return nil
}

// rebootRun asks for another process of a run.
func rebootRun(ctx context.Context, q storage.Querier, id string) (runRow, error) {
	return stepRun(ctx, q, `UPDATE actor_runs SET turn = turn + 1, reboots = reboots + 1
		WHERE id = $1 AND status = 'RUNNING' AND abort_at IS NULL`, id)
}

// metamorphRun asks for a process of another Actor.
func metamorphRun(ctx context.Context, q storage.Querier, r runRow, m Metamorphosis, b buildRef, inputBytes int) (runRow, error) {
	m.FromBuildID, m.FromBuildNumber = r.BuildID, r.BuildNumber
	became, err := json.Marshal(append(r.Metamorphs, m))
	if err != nil {
		return r, err
	}
	return stepRun(ctx, q, `UPDATE actor_runs SET turn = turn + 1, metamorphs = metamorphs + 1,
			program_id = $2, program = $3, build_id = $4, build_number = $5, input_key = $6, input_bytes = $7, became = $8
		WHERE id = $1 AND status = 'RUNNING' AND abort_at IS NULL`, r.ID, m.ActorID, b.program, b.id, b.number, m.InputKey, inputBytes, string(became))
}

// resurrectRun makes a run that has ended wait again.
func resurrectRun(ctx context.Context, q storage.Querier, r runRow, now time.Time) (runRow, error) {
	options, err := optionsText(r)
	if err != nil {
		return r, err
	}
	return stepRun(ctx, q, `UPDATE actor_runs SET status = 'READY', ready_at = $6, message = '', message_terminal = 0, exit_code = NULL, ended_at = NULL,
			abort_at = NULL, abort_by = NULL, timed_from = NULL, resurrects = resurrects + 1, options = $2, memory = $3, build_id = $4, build_number = $5
		WHERE id = $1 AND ended_at IS NOT NULL`, r.ID, options, r.Options.Memory, r.BuildID, r.BuildNumber, storage.Millis(now))
}

// setUsage writes down what the processes of a run have taken.
func setUsage(ctx context.Context, q storage.Querier, id, usage string) error {
	_, err := q.Exec(ctx, `UPDATE actor_runs SET usage = $2 WHERE id = $1`, id, usage)
	return err
}

func setMessage(ctx context.Context, q storage.Querier, projectID, id string, u RunUpdate) (runRow, error) {
	return stepRun(ctx, q, `UPDATE actor_runs SET message = $3, message_terminal = $4 WHERE id = $1 AND project_id = $2`, id, projectID, u.StatusMessage, u.Terminal)
}
