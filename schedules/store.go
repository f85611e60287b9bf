package schedules

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/storage"
)

// row is a schedule as it is stored.
type row struct {
	Schedule
	state
	revision int64
}

// selector finds a schedule by its id or the key of its name.
type selector struct{ id, key string }

const columns = `id, project_id, name, settings, revision, cursor, last_slot, next_at, last_run_at, created_at, modified_at`

func scan(s storage.Scanner) (r row, err error) {
	var settings string
	var cursor, created, modified int64
	var last, next, ran sql.NullInt64
	if err := s.Scan(&r.ID, &r.ProjectID, &r.Name, &settings, &r.revision, &cursor, &last, &next, &ran, &created, &modified); err != nil {
		return r, err
	}
	r.cursor, r.last, r.NextRunAt, r.LastRunAt = storage.Time(cursor), timeOr(last), timeOr(next), timeOr(ran)
	r.CreatedAt, r.ModifiedAt = storage.Time(created), storage.Time(modified)
	return r, json.Unmarshal([]byte(settings), &r.Settings)
}

// timeOr is a time that may not be there.
func timeOr(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return storage.Time(ms.Int64)
}

// millisOr is NULL for a time that is not there.
func millisOr(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: storage.Millis(t), Valid: !t.IsZero()}
}

func settingsText(s Settings) (string, error) {
	text, err := json.Marshal(s)
	return string(text), err
}

// insert adds a schedule while the project has fewer than most. It fails with
// [storage.ErrConflict] when the name is taken.
func insert(ctx context.Context, q storage.Querier, r row, most int) (fits bool, err error) {
	settings, err := settingsText(r.Settings)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `INSERT INTO schedules (id, project_id, name, name_key, settings, revision, cursor, next_at, created_at, modified_at)
		SELECT $1, $2, $3, $4, $5, 1, $6, $7, $8, $8
		WHERE EXISTS (SELECT 1 FROM schedules WHERE project_id = $2 AND name_key = $4) OR
			(SELECT count(*) < $9 FROM schedules WHERE project_id = $2)`,
		r.ID, r.ProjectID, r.Name, keyOf(r.Name), settings, storage.Millis(r.cursor), millisOr(r.NextRunAt), storage.Millis(r.CreatedAt), most)
	return n > 0, err
}

func hasName(ctx context.Context, q storage.Querier, projectID, name string) (bool, error) {
	n, err := storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM schedules WHERE project_id = $1 AND name_key = $2`, projectID, keyOf(name)))
	return n > 0, err
}

func find(ctx context.Context, q storage.Querier, projectID string, by selector) (row, error) {
	return scan(q.QueryRow(ctx, `SELECT `+columns+` FROM schedules WHERE project_id = $1 AND (id = $2 OR name_key = $3)`, projectID, by.id, by.key))
}

func list(ctx context.Context, q storage.Querier, projectID string, f Filter) (total int, all []row, err error) {
	if err := q.QueryRow(ctx, `SELECT count(*) FROM schedules WHERE project_id = $1`, projectID).Scan(&total); err != nil {
		return 0, nil, err
	}
	order := `ORDER BY created_at, id`
	if f.Desc {
		order = `ORDER BY created_at DESC, id DESC`
	}
	all, err = storage.Collect(ctx, q, scan, `SELECT `+columns+` FROM schedules WHERE project_id = $1 `+order+` LIMIT $2 OFFSET $3`, projectID, f.Limit, f.Offset)
	return total, all, err
}

// replace changes a schedule that nobody has changed or decided since it was read with this
// cursor, and when it is due.
func replace(ctx context.Context, q storage.Querier, r row, cursor time.Time) (done bool, err error) {
	settings, err := settingsText(r.Settings)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `UPDATE schedules SET revision = revision + 1, name = $3, name_key = $4, settings = $5, cursor = $6, next_at = $7, modified_at = $8, last_slot = $10
		WHERE id = $1 AND revision = $2 AND cursor = $9`,
		r.ID, r.revision, r.Name, keyOf(r.Name), settings, storage.Millis(r.cursor), millisOr(r.NextRunAt), storage.Millis(r.ModifiedAt), storage.Millis(cursor), millisOr(r.last))
	return n > 0, err
}

// advance notes what has been decided of a schedule that nobody has changed or decided
// meanwhile, and that still has as many actions: some go with what they name.
func advance(ctx context.Context, q storage.Querier, r row, p plan, ran time.Time) (done bool, err error) {
	n, err := q.Exec(ctx, `UPDATE schedules SET cursor = $4, last_slot = $5, next_at = $6, last_run_at = coalesce($7, last_run_at)
		WHERE id = $1 AND revision = $2 AND cursor = $3 AND (SELECT count(*) FROM schedule_actions WHERE schedule_id = $1) = $8`,
		r.ID, r.revision, storage.Millis(r.cursor), storage.Millis(p.cursor), millisOr(p.last), millisOr(p.next), millisOr(ran), len(r.Actions))
	return n > 0, err
}

func remove(ctx context.Context, q storage.Querier, projectID string, by selector) (done bool, err error) {
	n, err := q.Exec(ctx, `DELETE FROM schedules WHERE project_id = $1 AND (id = $2 OR name_key = $3)`, projectID, by.id, by.key)
	return n > 0, err
}

// dueBefore are the schedules that are due up to a time, the most overdue first.
func dueBefore(ctx context.Context, q storage.Querier, now time.Time, most int) ([]row, error) {
	return storage.Collect(ctx, q, scan, `SELECT `+columns+` FROM schedules WHERE next_at <= $1 ORDER BY next_at LIMIT $2 + 0`, storage.Millis(now), most)
}

// firstDue is when one is due next; zero where none is.
func firstDue(ctx context.Context, q storage.Querier) (time.Time, error) {
	ms, err := storage.Column[sql.NullInt64](q.QueryRow(ctx, `SELECT min(next_at) FROM schedules WHERE next_at IS NOT NULL`))
	return timeOr(ms), err
}

// ahead are the schedules that are due after a time only because the clock has shown a later
// one.
func ahead(ctx context.Context, q storage.Querier, now time.Time, most int) ([]row, error) {
	return storage.Collect(ctx, q, scan, `SELECT `+columns+` FROM schedules WHERE next_at IS NOT NULL AND cursor > $1 LIMIT $2`, storage.Millis(now), most)
}
