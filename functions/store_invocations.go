package functions

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// row is an invocation as it is stored, with what its execution needs.
type row struct {
	Invocation
	// session are its own settings of the session, without passwords; secret says
	// that there were some.
	session json.RawMessage
	secret  bool
	// idempotencyKey and hash tell the same invocation from another with its key.
	idempotencyKey, hash string
	resultBlob           string
	stopRequested        bool
	// program is the build of the published program that it runs; empty for a Go
	// function.
	program string
}

const columns = `id, project_id, function_id, version_id, session_id, status, params, session, secret, timeout_ms, idempotency_key, request_hash,
	result, result_blob, cause_code, cause_message, stop_requested_at, created_at, updated_at, started_at, ended_at, program`

func scanRow(s storage.Scanner) (r row, err error) {
	var params string
	var session, key, result, blob, code, message sql.NullString
	var stop, started, ended sql.NullInt64
	var secret, timeout, created, updated int64
	err = s.Scan(&r.ID, &r.ProjectID, &r.FunctionID, &r.VersionID, &r.SessionID, &r.Status, &params, &session, &secret, &timeout, &key, &r.hash,
		&result, &blob, &code, &message, &stop, &created, &updated, &started, &ended, &r.program)
	r.Params, r.Timeout = json.RawMessage(params), time.Duration(timeout)*time.Millisecond
	r.session, r.secret, r.idempotencyKey = storage.JSON(session), secret != 0, key.String
	r.Result, r.resultBlob, r.stopRequested = storage.JSON(result), blob.String, stop.Valid
	if code.Valid {
		r.Cause = &Cause{Code: code.String, Message: message.String}
	}
	r.CreatedAt, r.UpdatedAt = storage.Time(created), storage.Time(updated)
	r.StartedAt, r.EndedAt = storage.Time(started.Int64), storage.Time(ended.Int64)
	return r, err
}

func insertInvocation(ctx context.Context, q storage.Querier, r row) error {
	secret := 0
	if r.secret {
		secret = 1
	}
	_, err := q.Exec(ctx, `INSERT INTO function_invocations (id, project_id, function_id, version_id, session_id, status, params, session, secret,
			timeout_ms, idempotency_key, request_hash, created_at, updated_at, program)
		VALUES ($1, $2, $3, $4, $5, 'PENDING', $6, $7, $8, $9, $10, $11, $12, $12, $13)`,
		r.ID, r.ProjectID, r.FunctionID, r.VersionID, r.SessionID, string(r.Params), storage.Text(r.session), secret,
		r.Timeout.Milliseconds(), storage.Text(r.idempotencyKey), r.hash, storage.Millis(r.CreatedAt), r.program)
	return err
}

// findRow returns an invocation of any project: it is for the worker.
func findRow(ctx context.Context, q storage.Querier, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM function_invocations WHERE id = $1`, id))
}

func findInvocation(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM function_invocations WHERE id = $1 AND project_id = $2`, id, projectID))
}

// findOnce returns the invocation of a function that has the idempotency key.
func findOnce(ctx context.Context, q storage.Querier, functionID, key string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM function_invocations WHERE function_id = $1 AND idempotency_key = $2`, functionID, key))
}

func findStatus(ctx context.Context, q storage.Querier, id string) (status Status, err error) {
	err = q.QueryRow(ctx, `SELECT status FROM function_invocations WHERE id = $1`, id).Scan(&status)
	return status, err
}

func listInvocations(ctx context.Context, q storage.Querier, versionID string, f Filter) (l List[row], err error) {
	where, args := `version_id = $1`, []any{versionID}
	if f.Status != "" {
		where, args = where+` AND status = $2`, append(args, string(f.Status))
	}
	if err = q.QueryRow(ctx, `SELECT count(*) FROM function_invocations WHERE `+where, args...).Scan(&l.Total); err != nil {
		return l, err
	}
	page := ` ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`
	if f.Status != "" {
		page = ` ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`
	}
	l.Items, err = storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM function_invocations WHERE `+where+page, append(args, f.Limit, f.Offset)...)
	return l, err
}

// startInvocation makes a pending invocation RUNNING. [storage.ErrNoRow] says that
// it is not pending, or that it was cancelled.
func startInvocation(ctx context.Context, q storage.Querier, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE function_invocations SET status = 'RUNNING', started_at = $2, updated_at = $2
		WHERE id = $1 AND status = 'PENDING' AND stop_requested_at IS NULL RETURNING `+columns, id, storage.Millis(now)))
}

// requestStop notes that an invocation was cancelled, once; [storage.ErrNoRow] if
// there is no such invocation or it has ended.
func requestStop(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE function_invocations SET stop_requested_at = coalesce(stop_requested_at, $3),
			updated_at = CASE WHEN stop_requested_at IS NULL THEN $3 ELSE updated_at END
		WHERE id = $1 AND project_id = $2 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns, id, projectID, storage.Millis(now)))
}

// ending is how an invocation ends.
type ending struct {
	status Status
	// result is in the row, or in the blob.
	result json.RawMessage
	blob   string
	// stored is the result that is in the blob, for those who are told of the end.
	stored json.RawMessage
	cause  Cause
}

// endInvocation writes the end of an invocation that has not ended; else it is
// [storage.ErrNoRow]. An accepted cancellation wins over every other end.
func endInvocation(ctx context.Context, q storage.Querier, id string, e ending, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE function_invocations SET
			status        = CASE WHEN stop_requested_at IS NULL THEN $2 ELSE 'FAILED' END,
			result        = CASE WHEN stop_requested_at IS NULL THEN $3 END,
			result_blob   = CASE WHEN stop_requested_at IS NULL THEN $4 END,
			cause_code    = CASE WHEN stop_requested_at IS NULL THEN $5 ELSE $7 END,
			cause_message = CASE WHEN stop_requested_at IS NULL THEN $6 ELSE $8 END,
			updated_at = $9, ended_at = $9
		WHERE id = $1 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns,
		id, string(e.status), storage.Text(e.result), storage.Text(e.blob), storage.Text(e.cause.Code), storage.Text(e.cause.Message),
		CauseWorkload, cancelledMessage, storage.Millis(now)))
}

const cancelledMessage = "the invocation was cancelled by its caller"

// firstEnd is when the invocation ended that ended first.
func firstEnd(ctx context.Context, q storage.Querier) (time.Time, error) {
	var ended int64
	err := q.QueryRow(ctx, `SELECT ended_at FROM function_invocations WHERE ended_at > 0 ORDER BY ended_at LIMIT 1`).Scan(&ended)
	return storage.Time(ended), err
}

// endedBefore returns at most limit invocations that ended at that time or before.
func endedBefore(ctx context.Context, q storage.Querier, at time.Time, limit int) ([]row, error) {
	return storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM function_invocations WHERE ended_at <= $1 ORDER BY ended_at, id LIMIT $2`, storage.Millis(at), limit)
}

// firstWaiting is when the invocation was made that has waited the longest.
func firstWaiting(ctx context.Context, q storage.Querier) (time.Time, error) {
	created, err := storage.Column[int64](q.QueryRow(ctx, `SELECT created_at FROM function_invocations WHERE status = 'PENDING' ORDER BY created_at LIMIT 1`))
	return storage.Time(created), err
}

// waitingSince returns at most limit invocations that wait and were made at that
// time or before.
func waitingSince(ctx context.Context, q storage.Querier, at time.Time, limit int) ([]row, error) {
	return storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM function_invocations WHERE status = 'PENDING' AND created_at <= $1 ORDER BY created_at LIMIT $2`, storage.Millis(at), limit)
}

func deleteInvocation(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM function_invocations WHERE id = $1`, id)
	return err
}

// blobColumns are where invocations name the blobs of their results.
var blobColumns = retention.Columns{"function_invocations.result_blob"}
