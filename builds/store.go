package builds

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// row is a build as it is stored.
type row struct {
	Build
	source string
	place  sql.NullInt64 // of ranked ones
}

const columns = `id, project_id, kind, owner_id, status, request, source_blob, result, cause_code, cause_message, stop_requested_at,
	created_at, updated_at, expires_at, started_at, ended_at, number, meta, place`

func scanRow(s storage.Scanner) (r row, err error) {
	var request string
	var result, code, message, meta sql.NullString
	var stop, started, ended, number sql.NullInt64
	var created, updated, expires int64
	err = s.Scan(&r.ID, &r.ProjectID, &r.Kind, &r.OwnerID, &r.Status, &request, &r.source, &result, &code, &message, &stop,
		&created, &updated, &expires, &started, &ended, &number, &meta, &r.place)
	r.Request, r.Number = json.RawMessage(request), int(number.Int64)
	r.Stopping = stop.Valid && !r.Status.Final()
	if meta.Valid {
		r.Meta = json.RawMessage(meta.String)
	}
	if result.Valid {
		r.Result = json.RawMessage(result.String)
	}
	if code.Valid {
		r.Cause = &Cause{Code: code.String, Message: message.String}
	}
	r.CreatedAt, r.UpdatedAt, r.ExpiresAt = storage.Time(created), storage.Time(updated), storage.Time(expires)
	r.StartedAt, r.EndedAt = storage.Time(started.Int64), storage.Time(ended.Int64)
	return r, err
}

func scanBuild(s storage.Scanner) (Build, error) {
	r, err := scanRow(s)
	return r.Build, err
}

func insertBuild(ctx context.Context, q storage.Querier, r row) error {
	_, err := q.Exec(ctx, `INSERT INTO builds (id, project_id, kind, owner_id, status, request, source_blob, created_at, updated_at, expires_at, number, meta, place)
		VALUES ($1, $2, $3, $4, 'PENDING', $5, $6, $7, $7, $8, $9, $10, $11)`,
		r.ID, r.ProjectID, string(r.Kind), r.OwnerID, string(r.Request), r.source, storage.Millis(r.CreatedAt), storage.Millis(r.ExpiresAt),
		sql.NullInt64{Int64: int64(r.Number), Valid: r.Number != 0}, storage.Text(string(r.Meta)), r.place)
	return err
}

// findRow returns a build of any project: it is for the worker.
func findRow(ctx context.Context, q storage.Querier, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM builds WHERE id = $1`, id))
}

func findBuild(ctx context.Context, q storage.Querier, projectID string, kind Kind, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM builds WHERE id = $1 AND project_id = $2 AND kind = $3`, id, projectID, string(kind)))
}

func listBuilds(ctx context.Context, q storage.Querier, projectID string, f Filter) (l List, err error) {
	where, args := `project_id = $1 AND kind = $2`, []any{projectID, string(f.Kind)}
	if len(f.Statuses) > 0 {
		var marks []string
		for _, status := range f.Statuses {
			args = append(args, string(status))
			marks = append(marks, fmt.Sprintf("$%d", len(args)))
		}
		where += ` AND status IN (` + strings.Join(marks, ", ") + `)`
	}
	if err = q.QueryRow(ctx, `SELECT count(*) FROM builds WHERE `+where, args...).Scan(&l.Total); err != nil {
		return l, err
	}
	page := fmt.Sprintf(` ORDER BY created_at DESC, id DESC LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2)
	l.Builds, err = storage.Collect(ctx, q, scanBuild, `SELECT `+columns+` FROM builds WHERE `+where+page, append(args, f.Limit, f.Offset)...)
	return l, err
}

// startBuild makes a pending build RUNNING. [storage.ErrNoRow] says that it is not
// pending, or that it was aborted.
func startBuild(ctx context.Context, q storage.Querier, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE builds SET status = 'RUNNING', started_at = $2, updated_at = $2
		WHERE id = $1 AND status = 'PENDING' AND stop_requested_at IS NULL RETURNING `+columns, id, storage.Millis(now)))
}

// requeue makes a build wait again whose host died.
func requeue(ctx context.Context, q storage.Querier, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE builds SET status = 'PENDING', started_at = NULL, updated_at = $2
		WHERE id = $1 AND status = 'RUNNING' AND stop_requested_at IS NULL AND expires_at > $2 RETURNING `+columns, id, storage.Millis(now)))
}

// requestStop notes that a build was aborted, once; [storage.ErrNoRow] if there is
// no such build or it has ended.
func requestStop(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE builds SET stop_requested_at = coalesce(stop_requested_at, $3),
			updated_at = CASE WHEN stop_requested_at IS NULL THEN $3 ELSE updated_at END
		WHERE id = $1 AND project_id = $2 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns, id, projectID, storage.Millis(now)))
}

const abortedMessage = "the build was aborted by its caller"

// endBuild writes the end of a build that has not ended; else it is
// [storage.ErrNoRow]. An accepted abortion wins over every other end.
func endBuild(ctx context.Context, q storage.Querier, id string, status Status, cause Cause, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE builds SET
			status        = CASE WHEN stop_requested_at IS NULL THEN $2 ELSE 'ABORTED' END,
			cause_code    = CASE WHEN stop_requested_at IS NULL THEN $3 ELSE $5 END,
			cause_message = CASE WHEN stop_requested_at IS NULL THEN $4 ELSE $6 END,
			updated_at = $7, ended_at = $7
		WHERE id = $1 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns,
		id, string(status), storage.Text(cause.Code), storage.Text(cause.Message), CauseAborted, abortedMessage, storage.Millis(now)))
}

func setResult(ctx context.Context, q storage.Querier, id string, result json.RawMessage) error {
	_, err := q.Exec(ctx, `UPDATE builds SET result = $2 WHERE id = $1`, id, string(result))
	return err
}

// failBuild has a build fail that was about to succeed, in the transaction that ends
// it.
func failBuild(ctx context.Context, q storage.Querier, id string, cause Cause) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE builds SET status = 'FAILED', cause_code = $2, cause_message = $3 WHERE id = $1 RETURNING `+columns,
		id, cause.Code, storage.Text(cause.Message)))
}

// setSource notes what was published of a build that runs, and returns what was
// before; [storage.ErrNoRow] says that it does not run any more.
func setSource(ctx context.Context, q storage.Querier, id, source string) (before string, err error) {
	if err := q.QueryRow(ctx, `SELECT source_blob FROM builds WHERE id = $1 AND status = 'RUNNING'`, id).Scan(&before); err != nil {
		return "", err
	}
	_, err = q.Exec(ctx, `UPDATE builds SET source_blob = $2 WHERE id = $1`, id, source)
	return before, err
}

// clearSource notes that nothing is left of what was published.
func clearSource(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `UPDATE builds SET source_blob = '' WHERE id = $1`, id)
	return err
}

// release notes that a build is of no use any more, once; [storage.ErrNoRow] if there
// is no such build that has ended. It returns the build as it was.
func release(ctx context.Context, q storage.Querier, id string, now time.Time) (row, error) {
	r, err := findRow(ctx, q, id)
	if err == nil && !r.Status.Final() {
		err = storage.ErrNoRow
	}
	if err != nil {
		return r, err
	}
	_, err = q.Exec(ctx, `UPDATE builds SET released_at = coalesce(released_at, $2) WHERE id = $1`, id, storage.Millis(now))
	return r, err
}

// unneeded selects builds that came to nothing, or of which nothing is left;
// unneededSince is since when.
const (
	unneeded      = ` WHERE (released_at IS NOT NULL OR status IN ('FAILED', 'TIMED_OUT', 'ABORTED'))`
	unneededSince = `coalesce(released_at, ended_at)`
)

// firstUnneeded is since when the first of them is.
func firstUnneeded(ctx context.Context, q storage.Querier) (time.Time, error) {
	var since int64
	err := q.QueryRow(ctx, `SELECT `+unneededSince+` FROM builds`+unneeded+` ORDER BY `+unneededSince+` LIMIT 1`).Scan(&since)
	return storage.Time(since), err
}

// unneededBefore returns at most limit of those that are since that time or before.
func unneededBefore(ctx context.Context, q storage.Querier, at time.Time, limit int) ([]row, error) {
	return storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM builds`+unneeded+` AND `+unneededSince+` <= $1 ORDER BY `+unneededSince+`, id LIMIT $2`, storage.Millis(at), limit)
}

func deleteBuild(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM builds WHERE id = $1`, id)
	return err
}

// setRecorded makes a build one that has SUCCEEDED.
func setRecorded(ctx context.Context, q storage.Querier, b Build) error {
	_, err := q.Exec(ctx, `UPDATE builds SET status = 'SUCCEEDED', result = $2, started_at = created_at, ended_at = created_at WHERE id = $1`, b.ID, storage.Text(string(b.Result)))
	return err
}

// blobColumns are where builds name the blobs of their sources.
var blobColumns = retention.Columns{"builds.source_blob"}
