package runs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// requestPause notes that a person wants a run; [storage.ErrNoRow] if it does not
// run. One that is paused stays so.
func requestPause(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE agent_runs SET
			pause = CASE WHEN pause = 'paused' THEN pause ELSE 'requested' END, updated_at = $3
		WHERE id = $1 AND project_id = $2 AND status = 'RUNNING' AND stop_requested_at IS NULL RETURNING `+columns,
		id, projectID, storage.Millis(now)))
}

// requestResume gives a run back that a person has, or has asked for; else it is
// [storage.ErrNoRow].
func requestResume(ctx context.Context, q storage.Querier, projectID, id, note string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE agent_runs SET pause = 'resuming', pause_text = $3, updated_at = $4
		WHERE id = $1 AND project_id = $2 AND status = 'RUNNING' AND pause IN ('requested', 'paused') RETURNING `+columns,
		id, projectID, text(note), storage.Millis(now)))
}

// setPause is the worker's word; [storage.ErrNoRow] if the run does not run.
func setPause(ctx context.Context, q storage.Querier, id string, p pauseState, said string, now time.Time) error {
	n, err := q.Exec(ctx, `UPDATE agent_runs SET pause = $2, pause_text = $3, updated_at = $4 WHERE id = $1 AND status = 'RUNNING'`,
		id, text(p), text(said), storage.Millis(now))
	if err == nil && n == 0 {
		err = storage.ErrNoRow
	}
	return err
}
