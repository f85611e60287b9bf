package sessions

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// row is a session as it is stored.
type row struct {
	Session
	instance string
	// endpoint is the loopback address of the process that has it.
	endpoint string
	// own is work of Drover's, which nobody connects to.
	own bool
	// logKey is the log as a former version has kept it.
	logKey, recordingKey string
}

const columns = `id, project_id, instance_id, endpoint, status, own, keep_alive, region, user_metadata, settings, proxy_bytes,
	cause_code, cause_message, log_key, recording_key, created_at, updated_at, started_at, expires_at, ended_at`

func scanRow(s storage.Scanner) (row, error) {
	var r row
	var metadata, code, message, logKey, recordingKey sql.NullString
	var settings string
	var started, ended sql.NullInt64
	var created, updated, expires int64
	err := s.Scan(&r.ID, &r.ProjectID, &r.instance, &r.endpoint, &r.Status, &r.own, &r.KeepAlive, &r.Region, &metadata, &settings, &r.ProxyBytes,
		&code, &message, &logKey, &recordingKey, &created, &updated, &started, &expires, &ended)
	if err != nil {
		return row{}, err
	}
	if metadata.Valid {
		r.UserMetadata = json.RawMessage(metadata.String)
	}
	if code.Valid {
		r.Cause = &Cause{Code: code.String, Message: message.String}
	}
	r.logKey, r.recordingKey = logKey.String, recordingKey.String
	r.CreatedAt, r.UpdatedAt, r.ExpiresAt = storage.Time(created), storage.Time(updated), storage.Time(expires)
	r.StartedAt, r.EndedAt = storage.Time(started.Int64), storage.Time(ended.Int64)
	err = json.Unmarshal([]byte(settings), &r.Settings)
	return r, err
}

// insertSession writes a session, PENDING, unless the project has as many open
// ones as it may; 0 bounds nothing.
func insertSession(ctx context.Context, q storage.Querier, r row, most int) (ok bool, err error) {
	settings, err := json.Marshal(r.Settings)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `INSERT INTO sessions (id, project_id, instance_id, endpoint, status, own, keep_alive, region,
			user_metadata, settings, created_at, updated_at, expires_at)
		SELECT $1, $2, $3, $4, 'PENDING', $5, $6, $7, $8, $9, $10, $10, $11
		WHERE $12 = 0 OR (SELECT count(*) FROM sessions WHERE project_id = $2 AND ended_at IS NULL) < $12`,
		r.ID, r.ProjectID, r.instance, r.endpoint, r.own, r.KeepAlive, r.Region,
		storage.Text(r.UserMetadata), string(settings), storage.Millis(r.CreatedAt), storage.Millis(r.ExpiresAt), most)
	return n == 1, err
}

func insertMetadata(ctx context.Context, q storage.Querier, id string, all []Metadata) error {
	for _, m := range all {
		_, err := q.Exec(ctx, `INSERT INTO session_metadata (session_id, name, value) VALUES ($1, $2, $3)`, id, m.Name, m.Value)
		if err != nil {
			return err
		}
	}
	return nil
}

// startSession makes a pending session RUNNING. [storage.ErrNoRow] says that it
// is not pending.
func startSession(ctx context.Context, q storage.Querier, id string, now, expires time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE sessions SET status = 'RUNNING', started_at = $2, updated_at = $2, expires_at = $3
		WHERE id = $1 AND status = 'PENDING' RETURNING `+columns, id, storage.Millis(now), storage.Millis(expires)))
}

// remains are what a session leaves.
type remains struct {
	proxyBytes   int64
	recordingKey string
}

// setTraffic writes what an open session has carried so far.
func setTraffic(ctx context.Context, q storage.Querier, id string, bytes int64) error {
	_, err := q.Exec(ctx, `UPDATE sessions SET proxy_bytes = $2 WHERE id = $1 AND ended_at IS NULL`, id, bytes)
	return err
}

// endSession ends an open session, whose use counts from then on whatever becomes
// of its row; what was written of its traffic is never less afterwards.
// [storage.ErrNoRow] says that it has ended.
func endSession(ctx context.Context, q storage.Querier, id string, e ending, left remains, now time.Time) (row, error) {
	var code, message string
	if e.cause != nil {
		code, message = e.cause.Code, e.cause.Message
	}
	r, err := scanRow(q.QueryRow(ctx, `UPDATE sessions SET status = $2, cause_code = $3, cause_message = $4,
			proxy_bytes = CASE WHEN proxy_bytes > $5 THEN proxy_bytes ELSE $5 END, recording_key = $6, ended_at = $7, updated_at = $7
		WHERE id = $1 AND ended_at IS NULL RETURNING `+columns,
		id, e.status, storage.Text(code), storage.Text(message), left.proxyBytes, storage.Text(left.recordingKey), storage.Millis(now)))
	if err != nil {
		return row{}, err
	}
	return r, addUsage(ctx, q, r)
}

// findRow returns a session of any project.
func findRow(ctx context.Context, q storage.Querier, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM sessions WHERE id = $1`, id))
}

func findSession(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM sessions WHERE id = $1 AND project_id = $2`, id, projectID))
}

// listQuery has a form for each combination of filters, so that each has an
// index to walk along.
func listQuery(projectID string, f Filter, limit int) (query string, args []any) {
	args = []any{projectID, limit}
	query = `SELECT ` + columns + ` FROM sessions WHERE project_id = $1`
	if f.Status != "" {
		args = append(args, f.Status)
		query += fmt.Sprintf(` AND status = $%d`, len(args))
	}
	if f.Metadata != nil {
		args = append(args, f.Metadata.Name, f.Metadata.Value)
		query += fmt.Sprintf(` AND EXISTS (SELECT 1 FROM session_metadata m
			WHERE m.session_id = sessions.id AND m.name = $%d AND m.value = $%d)`, len(args)-1, len(args))
	}
	return query + ` ORDER BY created_at DESC, id DESC LIMIT $2`, args
}

func listSessions(ctx context.Context, q storage.Querier, projectID string, f Filter, limit int) ([]row, error) {
	query, args := listQuery(projectID, f, limit)
	return storage.Collect(ctx, q, scanRow, query, args...)
}

// requestRelease asks the process that has the session to end it.
func requestRelease(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) error {
	_, err := q.Exec(ctx, `UPDATE sessions SET release_requested_at = $3 WHERE id = $1 AND project_id = $2 AND ended_at IS NULL`,
		id, projectID, storage.Millis(now))
	return err
}

// releases returns the open sessions of an instance that are to be released.
func releases(ctx context.Context, q storage.Querier, instance string) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT id FROM sessions
		WHERE instance_id = $1 AND ended_at IS NULL AND release_requested_at IS NOT NULL`, instance)
}

// deletePending removes a session that never began.
func deletePending(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM session_metadata WHERE session_id IN (SELECT id FROM sessions WHERE id = $1 AND status = 'PENDING')`, id)
	if err == nil {
		_, err = q.Exec(ctx, `DELETE FROM sessions WHERE id = $1 AND status = 'PENDING'`, id)
	}
	return err
}

// owners returns the instances that have open sessions.
func owners(ctx context.Context, q storage.Querier) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT DISTINCT instance_id FROM sessions WHERE ended_at IS NULL`)
}

func openOf(ctx context.Context, q storage.Querier, instance string) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT id FROM sessions WHERE instance_id = $1 AND ended_at IS NULL`, instance)
}

// isOpen reports whether there is a session with an id that has not ended.
func isOpen(ctx context.Context, q storage.Querier, id string) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL)`, id))
}

// blobColumns are where sessions name blobs.
var blobColumns = retention.Columns{"sessions.log_key", "sessions.recording_key"}

// firstEnd is when the session ended that ended first.
func firstEnd(ctx context.Context, q storage.Querier) (time.Time, error) {
	ms, err := storage.Column[int64](q.QueryRow(ctx, `SELECT ended_at FROM sessions WHERE ended_at IS NOT NULL ORDER BY ended_at, id LIMIT 1`))
	return storage.Time(ms), err
}

// endedBefore returns sessions whose retention is over, oldest first.
func endedBefore(ctx context.Context, q storage.Querier, before time.Time, limit int) ([]row, error) {
	return storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM sessions
		WHERE ended_at IS NOT NULL AND ended_at <= $1 ORDER BY ended_at, id LIMIT $2`, storage.Millis(before), limit)
}

func deleteSession(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM session_metadata WHERE session_id = $1`, id)
	if err == nil {
		_, err = q.Exec(ctx, `DELETE FROM sessions WHERE id = $1`, id)
	}
	return err
}
