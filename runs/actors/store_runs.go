package actors

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/rank"
)

// runRow is a run as it is stored, with what its execution needs.
type runRow struct {
	RunInfo
	// kind is that of its jobs.
	kind string
	// program is the name of the Go function that it runs.
	program string
	// turn counts the processes that were asked for.
	turn int64
	// restarted are the times of the last restarts.
	restarted []int64
	// begunAt is when it was last taken up, abortBy until when it may end by itself.
	begunAt, abortBy time.Time
}

const runColumns = `id, project_id, actor_id, task_id, job_kind, program_id, program, build_id, build_number, status, message, message_terminal, exit_code,
	options, origin, client_ip, user_agent, key_value_store, dataset, request_queue, input_key, input_bytes, turn, restarts, restarted_at, reboots, resurrects, metamorphs, migrations,
	abort_by, created_at, timed_from, begun_at, ran_ms, ended_at, webhooks, usage, started_by, charges, schedule, became`

func scanRun(s storage.Scanner) (r runRow, err error) {
	var task, webhooks, starter, slot sql.NullString
	var options, restarted, usage, charges, became string
	var exit, abortBy, timed, begun, ended sql.NullInt64
	var created, ran int64
	if err = s.Scan(&r.ID, &r.ProjectID, &r.ActorID, &task, &r.kind, &r.ProgramID, &r.program, &r.BuildID, &r.BuildNumber, &r.Status, &r.StatusMessage, &r.MessageTerminal, &exit,
		&options, &r.Meta.Origin, &r.Meta.ClientIP, &r.Meta.UserAgent, &r.KeyValueStoreID, &r.DatasetID, &r.RequestQueueID, &r.InputKey, &r.Stats.InputBytes, &r.turn, &r.Stats.Restarts, &restarted, &r.Stats.Reboots,
		&r.Stats.Resurrects, &r.Stats.Metamorphs, &r.Stats.Migrations, &abortBy, &created, &timed, &begun, &ran, &ended, &webhooks, &usage, &starter, &charges, &slot, &became); err != nil {
		return r, err
	}
	r.TaskID, r.Meta.RunID, r.restarted = task.String, starter.String, times(restarted)
	if exit.Valid {
		r.ExitCode = new(int(exit.Int64))
	}
	r.abortBy, r.begunAt, r.Stats.TimedFrom = orZero(abortBy), orZero(begun), orZero(timed)
	r.StartedAt, r.FinishedAt, r.Stats.RunTime = storage.Time(created), orZero(ended), time.Duration(ran)*time.Millisecond
	if r.Webhooks, err = formerWebhooks(webhooks.String); err != nil {
		return r, err
	}
	if slot.Valid {
		if err := json.Unmarshal([]byte(slot.String), &r.Meta.Slot); err != nil {
			return r, err
		}
	}
	if usage != "" {
		if err := json.Unmarshal([]byte(usage), &r.Stats.Usage); err != nil {
			return r, err
		}
	}
	if charges != "" {
		if err := json.Unmarshal([]byte(charges), &r.Charged); err != nil {
			return r, err
		}
	}
	if r.Metamorphs, err = metamorphsOf(became); err != nil {
		return r, err
	}
	r.Options, r.Pricing, err = optionsOf(options)
	return r, err
}

// storedOptions are the options of a run, and what its Actor asked for. The names of the
// fields are stored.
type storedOptions struct {
	RunOptions
	Pricing *Pricing `json:",omitempty"`
}

func optionsText(r runRow) (string, error) { return detailsText(storedOptions{r.Options, r.Pricing}) }

func optionsOf(text string) (o RunOptions, p *Pricing, err error) {
	var stored storedOptions
	err = json.Unmarshal([]byte(text), &stored)
	return stored.RunOptions, stored.Pricing, err
}

func metamorphsOf(text string) (all []Metamorphosis, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &all)
	}
	return all, err
}

// runItemColumns are those of a list, which may be long.
const runItemColumns = `id, project_id, actor_id, task_id, program_id, build_id, build_number, status, origin, client_ip, user_agent,
	key_value_store, dataset, request_queue, created_at, ended_at, became`

func scanRunItem(s storage.Scanner) (r RunInfo, err error) {
	var task sql.NullString
	var ended sql.NullInt64
	var created int64
	var became string
	err = s.Scan(&r.ID, &r.ProjectID, &r.ActorID, &task, &r.ProgramID, &r.BuildID, &r.BuildNumber, &r.Status, &r.Meta.Origin, &r.Meta.ClientIP, &r.Meta.UserAgent,
		&r.KeyValueStoreID, &r.DatasetID, &r.RequestQueueID, &created, &ended, &became)
	if err != nil {
		return r, err
	}
	r.TaskID, r.StartedAt, r.FinishedAt = task.String, storage.Time(created), orZero(ended)
	r.Metamorphs, err = metamorphsOf(became)
	return r, err
}

func orZero(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return storage.Time(ms.Int64)
}

// times reads what timesText writes.
func times(text string) (all []int64) {
	for t := range strings.SplitSeq(text, ",") {
		if ms, err := strconv.ParseInt(t, 10, 64); err == nil {
			all = append(all, ms)
		}
	}
	return all
}

func timesText(all []int64) string {
	texts := make([]string, len(all))
	for i, ms := range all {
		texts[i] = strconv.FormatInt(ms, 10)
	}
	return strings.Join(texts, ",")
}

// state is what the life of a row has to know of it.
func (r runRow) state() execution.State {
	state := execution.State{
		Status: string(r.Status), Failed: r.Status == Failed || r.Status == TimedOut, StopBy: r.abortBy,
		Deadline: r.DeadlineAt(), StartedAt: r.begunAt, EndedAt: r.FinishedAt,
	}
	switch {
	case r.Status.Final():
		state.Phase, state.Cause, state.StartedAt = execution.Ended, r.StatusMessage, r.Stats.TimedFrom
	case r.Status != Ready:
		state.Phase = execution.Started
	}
	return state
}

// insertRun adds a run, with the next number of its project, and returns when that was:
// no earlier than the run before it, whatever the clock says.
func insertRun(ctx context.Context, q storage.Querier, r runRow) (at time.Time, err error) {
	options, err := optionsText(r)
	if err != nil {
		return at, err
	}
	var slot string
	if r.Meta.Slot != nil {
		if slot, err = detailsText(r.Meta.Slot); err != nil {
			return at, err
		}
	}
	created, err := storage.Column[int64](q.QueryRow(ctx, `WITH last AS (SELECT number, created_at FROM actor_runs WHERE project_id = $2 ORDER BY number DESC LIMIT 1)
		INSERT INTO actor_runs (id, number, project_id, actor_id, task_id, job_kind, program_id, program, build_id, build_number, status, options, memory,
			origin, client_ip, user_agent, key_value_store, dataset, request_queue, input_bytes, created_at, started_by, schedule)
		VALUES ($1, coalesce((SELECT number FROM last), 0) + 1, $2, $3, $4, $5, $3, $6, $7, $8, 'READY', $9, $10, $11, $12, $13, $14, $15, $16, $17,
			max($18, coalesce((SELECT created_at FROM last), 0)), $19, $20) RETURNING created_at`,
		r.ID, r.ProjectID, r.ActorID, orNull(r.TaskID), r.kind, r.program, r.BuildID, r.BuildNumber, options, r.Options.Memory,
		r.Meta.Origin, r.Meta.ClientIP, r.Meta.UserAgent,
		r.KeyValueStoreID, r.DatasetID, r.RequestQueueID, r.Stats.InputBytes, storage.Millis(r.StartedAt), orNull(r.Meta.RunID), orNull(slot)))
	return storage.Time(created), err
}

// findRun returns a run of any project: it is for the worker.
func findRun(ctx context.Context, q storage.Querier, id string) (runRow, error) {
	return scanRun(q.QueryRow(ctx, `SELECT `+runColumns+` FROM actor_runs WHERE id = $1`, id))
}

// findTurn returns how many processes were asked for, findStatus how far a run has come:
// those who follow it look often.
func findTurn(ctx context.Context, q storage.Querier, id string) (int64, error) {
	return storage.Column[int64](q.QueryRow(ctx, `SELECT turn FROM actor_runs WHERE id = $1`, id))
}

func findStatus(ctx context.Context, q storage.Querier, id string) (Status, error) {
	return storage.Column[Status](q.QueryRow(ctx, `SELECT status FROM actor_runs WHERE id = $1`, id))
}

func findOwnRun(ctx context.Context, q storage.Querier, projectID, id string) (runRow, error) {
	return scanRun(q.QueryRow(ctx, `SELECT `+runColumns+` FROM actor_runs WHERE id = $1 AND project_id = $2`, id, projectID))
}

// unfinished is how many runs a project has that have not ended, and their memory in
// MB.
func unfinished(ctx context.Context, q storage.Querier, projectID string) (runs, memory int, err error) {
	err = q.QueryRow(ctx, `SELECT runs, memory FROM actor_usage WHERE project_id = $1`, projectID).Scan(&runs, &memory)
	if errors.Is(err, storage.ErrNoRow) { // it has had none yet
		return 0, 0, nil
	}
	return runs, memory, err
}

// stillGoing are those of some runs that have not ended, and are not about to be aborted.
func stillGoing(ctx context.Context, q storage.Querier, ids []string) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT id FROM actor_runs
		WHERE id IN (SELECT value FROM json_each($1)) AND status IN ('READY', 'RUNNING', 'TIMING-OUT')`, storage.List(ids))
}

// isRun reports whether a run that has not ended has a build.
func isRun(ctx context.Context, q storage.Querier, projectID, buildID string) (is bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM actor_runs
		WHERE project_id = $1 AND status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING') AND build_id = $2)`, projectID, buildID).Scan(&is)
	return is, err
}

// findLastRun returns the run of a list that was asked for last, of those with one of
// the statuses and with the origin; none and empty stand for any.
func findLastRun(ctx context.Context, q storage.Querier, of runList, statuses []Status, origin string) (runRow, error) {
	where, args := rank.In("status", classesOf(statuses), of.id)
	if origin != "" {
		args = append(args, origin)
		where += ` AND origin = $` + strconv.Itoa(len(args))
	}
	return scanRun(q.QueryRow(ctx, `SELECT `+runColumns+` FROM actor_runs WHERE `+of.column+` = $1`+where+` ORDER BY number DESC LIMIT 1`, args...))
}

func deleteRun(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM actor_runs WHERE id = $1`, id)
	return err
}

// allTold holds for runs whose webhooks have been told of all: those that go with a run go
// with its row, so it stays while one of them is still to be sent.
const allTold = ` AND NOT EXISTS (SELECT 1 FROM webhooks w JOIN webhook_dispatches d ON d.webhook_id = w.id AND d.status = 'ACTIVE' WHERE w.ad_hoc_run = actor_runs.id)`

// firstEnd is when the run ended that did so first, of those that may be deleted.
func firstEnd(ctx context.Context, q storage.Querier) (time.Time, error) {
	ended, err := storage.Column[int64](q.QueryRow(ctx, `SELECT ended_at FROM actor_runs WHERE ended_at > 0`+allTold+` ORDER BY ended_at LIMIT 1`))
	return storage.Time(ended), err
}

// endedBefore returns at most limit runs that ended at that time or before, and may be
// deleted.
func endedBefore(ctx context.Context, q storage.Querier, at time.Time, limit int) ([]runRow, error) {
	return storage.Collect(ctx, q, scanRun, `SELECT `+runColumns+` FROM actor_runs WHERE ended_at <= $1`+allTold+` ORDER BY ended_at, id LIMIT $2`, storage.Millis(at), limit)
}

// waitsSince is since when a run waits that is READY: one that has run goes on later, and
// waits anew.
const waitsSince = `coalesce(ready_at, created_at)`

// firstReady is since when the run waits that has waited the longest.
func firstReady(ctx context.Context, q storage.Querier) (time.Time, error) {
	since, err := storage.Column[int64](q.QueryRow(ctx, `SELECT `+waitsSince+` FROM actor_runs WHERE status = 'READY' ORDER BY `+waitsSince+` LIMIT 1`))
	return storage.Time(since), err
}

// readySince returns at most limit runs that wait since that time or before.
func readySince(ctx context.Context, q storage.Querier, at time.Time, limit int) ([]runRow, error) {
	return storage.Collect(ctx, q, scanRun, `SELECT `+runColumns+` FROM actor_runs WHERE status = 'READY' AND `+waitsSince+` <= $1 ORDER BY `+waitsSince+` LIMIT $2`, storage.Millis(at), limit)
}
