package runs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// requestPause notes that a person wants a run; [storage.ErrNoRow] if it does not
// run. One that is paused stays so, and the note of a resume that the worker has not
// seen yet stays.
func requestPause(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE agent_runs SET
			pause = CASE WHEN pause = 'paused' THEN pause ELSE 'requested' END, updated_at = $3
		WHERE id = $1 AND project_id = $2 AND status = 'RUNNING' AND stop_requested_at IS NULL RETURNING `+columns,
		id, projectID, storage.Millis(now)))
}

// requestResume gives a run back that a person has, or has asked for; else it is
// [storage.ErrNoRow]. The note goes behind one that was not taken yet, unless they
// are too long together.
func requestResume(ctx context.Context, q storage.Querier, projectID, id, note string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE agent_runs SET pause = 'resuming', updated_at = $4, pause_text =
			CASE WHEN pause = 'requested' AND $3 IS NULL THEN pause_text WHEN pause = 'requested' AND length(pause_text) + length($3) < $5 THEN pause_text || $6 || $3 ELSE $3 END
		WHERE id = $1 AND project_id = $2 AND status = 'RUNNING' AND pause IN ('requested', 'paused') RETURNING `+columns,
		id, projectID, storage.Text(note), storage.Millis(now), maxNote, "\n"))
}

// swapPause is the worker's word; [storage.ErrNoRow] if the pause is no longer what
// it was, or the run does not run.
func swapPause(ctx context.Context, q storage.Querier, was row, p pauseState, said string, now time.Time) error {
	n, err := q.Exec(ctx, `UPDATE agent_runs SET pause = $2, pause_text = $3, updated_at = $4
		WHERE id = $1 AND status = 'RUNNING' AND COALESCE(pause, '') = $5 AND COALESCE(pause_text, '') = $6`,
		was.ID, storage.Text(p), storage.Text(said), storage.Millis(now), string(was.pause), was.pauseText)
	if err == nil && n == 0 {
		err = storage.ErrNoRow
	}
	return err
}
