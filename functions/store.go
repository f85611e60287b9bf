package functions

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/storage"
)

const functionColumns = `id, project_id, name, current_version, created_at, updated_at`

func scanFunction(s storage.Scanner) (f Function, err error) {
	var created, updated int64
	err = s.Scan(&f.ID, &f.ProjectID, &f.Name, &f.CurrentVersionID, &created, &updated)
	f.CreatedAt, f.UpdatedAt = storage.Time(created), storage.Time(updated)
	return f, err
}

func insertFunction(ctx context.Context, q storage.Querier, f Function) error {
	_, err := q.Exec(ctx, `INSERT INTO functions (`+functionColumns+`) VALUES ($1, $2, $3, $4, $5, $5)`,
		f.ID, f.ProjectID, f.Name, f.CurrentVersionID, storage.Millis(f.CreatedAt))
	return err
}

func findFunction(ctx context.Context, q storage.Querier, projectID, id string) (Function, error) {
	return scanFunction(q.QueryRow(ctx, `SELECT `+functionColumns+` FROM functions WHERE id = $1 AND project_id = $2`, id, projectID))
}

func findFunctionNamed(ctx context.Context, q storage.Querier, projectID, name string) (Function, error) {
	return scanFunction(q.QueryRow(ctx, `SELECT `+functionColumns+` FROM functions WHERE project_id = $1 AND name = $2`, projectID, name))
}

func listFunctions(ctx context.Context, q storage.Querier, projectID string, p Page) (l List[Function], err error) {
	if err = q.QueryRow(ctx, `SELECT count(*) FROM functions WHERE project_id = $1`, projectID).Scan(&l.Total); err != nil {
		return l, err
	}
	l.Items, err = storage.Collect(ctx, q, scanFunction, `SELECT `+functionColumns+` FROM functions
		WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`, projectID, p.Limit, p.Offset)
	return l, err
}

// setCurrent makes a version the one that is invoked.
func setCurrent(ctx context.Context, q storage.Querier, functionID, versionID string, now time.Time) (Function, error) {
	return scanFunction(q.QueryRow(ctx, `UPDATE functions SET current_version = $2, updated_at = $3 WHERE id = $1 RETURNING `+functionColumns,
		functionID, versionID, storage.Millis(now)))
}

func deleteFunction(ctx context.Context, q storage.Querier, projectID, id string) (int64, error) {
	return q.Exec(ctx, `DELETE FROM functions WHERE id = $1 AND project_id = $2`, id, projectID)
}

const versionColumns = `id, project_id, function_id, number, params_schema, session, timeout_ms, fingerprint, build_id, asked_at, session_sealed, created_at, updated_at`

// version is a version as it is stored.
type version struct {
	Version
	// fingerprint tells registrations of a Go function apart; empty for a published
	// program.
	fingerprint string
	// askedAt is when its publish or its registration was asked for.
	askedAt time.Time
	// private are the settings of its sessions with the passwords of proxies, until
	// they are sealed; nil where there are none.
	private json.RawMessage
	sealed  []byte
}

func (v version) published() bool { return v.fingerprint == "" }

func scanVersion(s storage.Scanner) (v version, err error) {
	var schema, session sql.NullString
	var timeout, asked, created, updated int64
	err = s.Scan(&v.ID, &v.ProjectID, &v.FunctionID, &v.Number, &schema, &session, &timeout, &v.fingerprint, &v.BuildID, &asked, &v.sealed, &created, &updated)
	v.askedAt = storage.Time(asked)
	v.ParamsSchema, v.Session, v.Timeout = storage.JSON(schema), storage.JSON(session), time.Duration(timeout)*time.Millisecond
	v.CreatedAt, v.UpdatedAt = storage.Time(created), storage.Time(updated)
	return v, err
}

func scanPublicVersion(s storage.Scanner) (Version, error) {
	v, err := scanVersion(s)
	return v.Version, err
}

// insertVersion numbers the version and returns it.
func insertVersion(ctx context.Context, q storage.Querier, v version) (version, error) {
	return scanVersion(q.QueryRow(ctx, `INSERT INTO function_versions (`+versionColumns+`)
		SELECT $1, $2, $3, coalesce(max(number), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $11 FROM function_versions WHERE function_id = $3
		RETURNING `+versionColumns,
		v.ID, v.ProjectID, v.FunctionID, storage.Text(v.ParamsSchema), storage.Text(v.Session), v.Timeout.Milliseconds(), v.fingerprint, v.BuildID,
		storage.Millis(v.askedAt), v.sealed, storage.Millis(v.CreatedAt)))
}

// isLatest reports whether no version of its function was asked for after it.
func isLatest(ctx context.Context, q storage.Querier, v version) (bool, error) {
	n, err := storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM function_versions WHERE function_id = $1 AND (asked_at, build_id) > ($2, $3)`,
		v.FunctionID, storage.Millis(v.askedAt), v.BuildID))
	return n == 0, err
}

func findVersion(ctx context.Context, q storage.Querier, projectID, id string) (version, error) {
	return scanVersion(q.QueryRow(ctx, `SELECT `+versionColumns+` FROM function_versions WHERE id = $1 AND project_id = $2`, id, projectID))
}

func newestVersion(ctx context.Context, q storage.Querier, functionID string) (version, error) {
	return scanVersion(q.QueryRow(ctx, `SELECT `+versionColumns+` FROM function_versions WHERE function_id = $1 ORDER BY number DESC LIMIT 1`, functionID))
}

func listVersions(ctx context.Context, q storage.Querier, functionID string, p Page) (l List[Version], err error) {
	if err = q.QueryRow(ctx, `SELECT count(*) FROM function_versions WHERE function_id = $1`, functionID).Scan(&l.Total); err != nil {
		return l, err
	}
	l.Items, err = storage.Collect(ctx, q, scanPublicVersion, `SELECT `+versionColumns+` FROM function_versions
		WHERE function_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3`, functionID, p.Limit, p.Offset)
	return l, err
}

// unwanted selects the versions v beyond the newest $1 of each function, but those
// that are current or that an invocation uses which has not ended.
const unwanted = `SELECT v.id FROM function_versions v JOIN functions f ON f.id = v.function_id
	WHERE v.id <> f.current_version
		AND (SELECT count(*) FROM function_versions n WHERE n.function_id = v.function_id AND n.number > v.number) >= $1
		AND NOT EXISTS (SELECT 1 FROM function_invocations i WHERE i.version_id = v.id AND i.status IN ('PENDING', 'RUNNING'))`

// deleted is a version that was deleted.
type deleted struct{ id, build string }

func scanDeleted(s storage.Scanner) (d deleted, err error) {
	err = s.Scan(&d.id, &d.build)
	return d, err
}

// deleteUnwanted deletes the unwanted versions of a function.
func deleteUnwanted(ctx context.Context, q storage.Querier, functionID string, keep int) ([]deleted, error) {
	return storage.Collect(ctx, q, scanDeleted, `DELETE FROM function_versions WHERE function_id = $2 AND id IN (`+unwanted+` AND v.function_id = $2) RETURNING id, build_id`, keep, functionID)
}

// deleteUnwantedBefore deletes at most limit unwanted versions that were made at that
// time or before.
func deleteUnwantedBefore(ctx context.Context, q storage.Querier, at time.Time, keep, limit int) ([]deleted, error) {
	return storage.Collect(ctx, q, scanDeleted, `DELETE FROM function_versions WHERE id IN (`+unwanted+` AND v.created_at <= $2 ORDER BY v.created_at LIMIT $3) RETURNING id, build_id`,
		keep, storage.Millis(at), limit)
}

// firstUnwanted is when the first unwanted version was made.
func firstUnwanted(ctx context.Context, q storage.Querier, keep int) (time.Time, error) {
	var at sql.NullInt64
	err := q.QueryRow(ctx, `SELECT min(created_at) FROM function_versions WHERE id IN (`+unwanted+`)`, keep).Scan(&at)
	if err == nil && !at.Valid {
		err = storage.ErrNoRow
	}
	return storage.Time(at.Int64), err
}

// deleteVersions deletes all versions of a function.
func deleteVersions(ctx context.Context, q storage.Querier, functionID string) ([]deleted, error) {
	return storage.Collect(ctx, q, scanDeleted, `DELETE FROM function_versions WHERE function_id = $1 RETURNING id, build_id`, functionID)
}

// usesBuild reports whether what a build has made is needed: a version of it is there,
// or an invocation that has not ended.
func usesBuild(ctx context.Context, q storage.Querier, buildID string) (used bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM function_versions WHERE build_id = $1)
		OR EXISTS (SELECT 1 FROM function_invocations WHERE program = $1 AND program <> '' AND status IN ('PENDING', 'RUNNING'))`, buildID).Scan(&used)
	return used, err
}
