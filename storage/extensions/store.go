package extensions

import (
	"context"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

const columns = `id, project_id, file_name, name, version, size, unpacked, created_at, updated_at, blob`

// row is an extension and what only this package knows of it.
type row struct {
	Extension
	blob string
}

func scanRow(s storage.Scanner) (r row, err error) {
	var created, updated int64
	err = s.Scan(&r.ID, &r.ProjectID, &r.FileName, &r.Name, &r.Version, &r.Size, &r.Unpacked, &created, &updated, &r.blob)
	r.CreatedAt, r.UpdatedAt = storage.Time(created), storage.Time(updated)
	return r, err
}

func scanExtension(s storage.Scanner) (Extension, error) {
	r, err := scanRow(s)
	return r.Extension, err
}

func insertRow(ctx context.Context, q storage.Querier, r row) error {
	_, err := q.Exec(ctx, `INSERT INTO extensions (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		r.ID, r.ProjectID, r.FileName, r.Name, r.Version, r.Size, r.Unpacked, storage.Millis(r.CreatedAt), storage.Millis(r.UpdatedAt), r.blob)
	return err
}

const findQuery = `SELECT ` + columns + ` FROM extensions WHERE id = $1 AND project_id = $2`

func findRow(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, findQuery, id, projectID))
}

const listQuery = `SELECT ` + columns + ` FROM extensions WHERE project_id = $1 ORDER BY created_at DESC, id DESC`

func listRows(ctx context.Context, q storage.Querier, projectID string) ([]Extension, error) {
	return storage.Collect(ctx, q, scanExtension, listQuery, projectID)
}

// blobColumns are where extensions name their archives.
var blobColumns = retention.Columns{"extensions.blob"}

// claim counts an extension of that size if it stays within the limits, and
// reports whether it does. It is one UPDATE, so that those who store at the same
// time do not overrun the limits together.
func claim(ctx context.Context, q storage.Querier, projectID string, size int64, l Limits) (bool, error) {
	_, err := q.Exec(ctx, `INSERT INTO extension_usage (project_id, files, bytes) VALUES ($1, 0, 0) ON CONFLICT (project_id) DO NOTHING`, projectID)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `UPDATE extension_usage SET files = files + 1, bytes = bytes + $2
		WHERE project_id = $1 AND bytes <= $3 - $2 AND files < $4`, projectID, size, l.MaxBytes, l.PerProject)
	return n == 1, err
}

// deleteRow deletes a row, gives back what it took and returns its blob, which
// is to be deleted after the commit.
func deleteRow(ctx context.Context, q storage.Querier, projectID, id string) (blob string, err error) {
	var size int64
	err = q.QueryRow(ctx, `DELETE FROM extensions WHERE id = $1 AND project_id = $2 RETURNING size, blob`, id, projectID).Scan(&size, &blob)
	if err != nil {
		return "", err
	}
	_, err = q.Exec(ctx, `UPDATE extension_usage SET files = files - 1, bytes = bytes - $2 WHERE project_id = $1`, projectID, size)
	return blob, err
}
