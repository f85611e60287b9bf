package contexts

import (
	"context"
	"database/sql"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

const columns = `id, name, public_key, saved_at, holder, created_at, updated_at, project_id, private_key, blob, previous`

// row is a context and what only this package knows of it.
type row struct {
	Context
	projectID      string
	privateKey     []byte // sealed
	blob, previous string
}

func scanRow(s storage.Scanner) (r row, err error) {
	var name, holder, blob, previous sql.NullString
	var saved, created, updated int64
	err = s.Scan(&r.ID, &name, &r.PublicKey, &saved, &holder, &created, &updated, &r.projectID, &r.privateKey, &blob, &previous)
	r.Name, r.InUseBy, r.blob, r.previous = name.String, holder.String, blob.String, previous.String
	if saved > 0 {
		r.SavedAt = storage.Time(saved)
	}
	r.CreatedAt, r.UpdatedAt = storage.Time(created), storage.Time(updated)
	return r, err
}

func scanContext(s storage.Scanner) (Context, error) {
	r, err := scanRow(s)
	return r.Context, err
}

// insertRow adds a context while the project has fewer than most. It fails with
// [storage.ErrConflict] when its name is taken.
func insertRow(ctx context.Context, q storage.Querier, r row, most int) (fits bool, err error) {
	n, err := q.Exec(ctx, `INSERT INTO contexts (id, project_id, name, name_key, public_key, private_key, created_at, updated_at)
		SELECT $1, $2, $3, $4, $5, $6, $7, $7 WHERE (SELECT count(*) FROM contexts WHERE project_id = $2) < $8`,
		r.ID, r.projectID, storage.Text(r.Name), storage.Text(nameKey(r.Name)), r.PublicKey, r.privateKey, storage.Millis(r.CreatedAt), most)
	return n > 0, err
}

const findQuery = `SELECT ` + columns + ` FROM contexts WHERE id = $1 AND project_id = $2`

func findRow(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, findQuery, id, projectID))
}

// findName is how the name of a context is written that has this one, but for
// the case of its letters.
func findName(ctx context.Context, q storage.Querier, projectID, name string) (as string, err error) {
	err = q.QueryRow(ctx, `SELECT name FROM contexts WHERE project_id = $1 AND name_key = $2`, projectID, nameKey(name)).Scan(&as)
	return as, err
}

const listQuery = `SELECT ` + columns + ` FROM contexts WHERE project_id = $1 ORDER BY created_at DESC, id DESC`

func listRows(ctx context.Context, q storage.Querier, projectID string) ([]Context, error) {
	return storage.Collect(ctx, q, scanContext, listQuery, projectID)
}

func deleteRow(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `DELETE FROM contexts WHERE id = $1 AND project_id = $2 RETURNING `+columns, id, projectID))
}

// blobColumns are where contexts name their versions.
var blobColumns = retention.Columns{"contexts.blob", "contexts.previous"}

// who holds a context: a session, in a process.
type who struct{ holder, instance string }

func findHolder(ctx context.Context, q storage.Querier, id string) (w who, err error) {
	var holder, instance sql.NullString
	err = q.QueryRow(ctx, `SELECT holder, holder_instance FROM contexts WHERE id = $1`, id).Scan(&holder, &instance)
	return who{holder.String, instance.String}, err
}

// reap frees what a dead instance holds.
func reap(ctx context.Context, tx *storage.Tx, dead string) error {
	_, err := tx.Exec(ctx, `UPDATE contexts SET holder = NULL, holder_instance = NULL WHERE holder_instance = $1`, dead)
	return err
}

// seize makes somebody the holder in the place of another, or of nobody; it
// reports false when the context has another holder by now.
func seize(ctx context.Context, q storage.Querier, id string, from, to who) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE contexts SET holder = $2, holder_instance = $3
		WHERE id = $1 AND coalesce(holder, '') = $4 AND coalesce(holder_instance, '') = $5`,
		id, storage.Text(to.holder), storage.Text(to.instance), from.holder, from.instance)
	return n > 0, err
}

// version is a blob with what it takes in bytes.
type version struct {
	blob string
	size int64
}

// nameVersion names a new version, and the one to go back to, while the holder
// holds the context.
func nameVersion(ctx context.Context, q storage.Querier, id string, w who, v version, previous string, now time.Time) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE contexts SET blob = $2, blob_size = $7, previous = $3,
			previous_size = CASE $3 WHEN blob THEN blob_size WHEN previous THEN previous_size ELSE 0 END, saved_at = $4, updated_at = $4
		WHERE id = $1 AND holder = $5 AND holder_instance = $6`,
		id, v.blob, storage.Text(previous), storage.Millis(now), w.holder, w.instance, v.size)
	return n > 0, err
}

const totalQuery = `SELECT coalesce(sum(blob_size + previous_size), 0) FROM contexts WHERE project_id = $1`

// total is what all versions of a project's contexts take in bytes.
func total(ctx context.Context, q storage.Querier, projectID string) (n int64, err error) {
	err = q.QueryRow(ctx, totalQuery, projectID).Scan(&n)
	return n, err
}
