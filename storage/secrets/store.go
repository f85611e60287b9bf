package secrets

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/storage"
)

const columns = `s.id, s.project_id, s.name, s.created_at, s.updated_at`

// row is a secret and what only this package knows of it.
type row struct {
	Secret
	size  int    // of the value, in bytes
	value []byte // sealed
}

func scanSecret(s storage.Scanner) (r Secret, err error) {
	var created, updated int64
	err = s.Scan(&r.ID, &r.ProjectID, &r.Name, &created, &updated)
	r.CreatedAt, r.UpdatedAt = storage.Time(created), storage.Time(updated)
	return r, err
}

func scanValue(s storage.Scanner) (r row, err error) {
	err = s.Scan(&r.ID, &r.Name, &r.value)
	return r, err
}

// insertRow adds a secret while the project stays within the limits. It fails with
// [storage.ErrConflict] when its name is taken.
func insertRow(ctx context.Context, q storage.Querier, r row, l Limits) (fits bool, err error) {
	n, err := q.Exec(ctx, `INSERT INTO secrets (id, project_id, name, size, value, created_at, updated_at)
		SELECT $1, $2, $3, $4, $5, $6, $6
		WHERE EXISTS (SELECT 1 FROM secrets WHERE project_id = $2 AND name = $3) OR
			(SELECT count(*) < $7 AND coalesce(sum(size), 0) + $4 <= $8 FROM secrets WHERE project_id = $2)`,
		r.ID, r.ProjectID, r.Name, r.size, r.value, storage.Millis(r.CreatedAt), l.PerProject, l.MaxTotal)
	return n > 0, err
}

// updateRow changes a value while the project stays within the limits.
func updateRow(ctx context.Context, q storage.Querier, r row, l Limits) (done bool, err error) {
	n, err := q.Exec(ctx, `UPDATE secrets SET size = $3, value = $4, updated_at = $5
		WHERE id = $1 AND project_id = $2 AND
			(SELECT coalesce(sum(size), 0) + $3 <= $6 FROM secrets WHERE project_id = $2 AND id <> $1)`,
		r.ID, r.ProjectID, r.size, r.value, storage.Millis(r.UpdatedAt), l.MaxTotal)
	return n > 0, err
}

func findRow(ctx context.Context, q storage.Querier, projectID, id string) (Secret, error) {
	return scanSecret(q.QueryRow(ctx, `SELECT `+columns+` FROM secrets s WHERE s.id = $1 AND s.project_id = $2`, id, projectID))
}

func deleteRow(ctx context.Context, q storage.Querier, projectID, id string) (bool, error) {
	n, err := q.Exec(ctx, `DELETE FROM secrets WHERE id = $1 AND project_id = $2`, id, projectID)
	return n > 0, err
}

const (
	listQuery = `SELECT ` + columns + ` FROM secrets s
		WHERE s.project_id = $1 AND s.created_at >= $2 AND (s.created_at, s.id) < ($3, $4)
		ORDER BY s.created_at DESC, s.id DESC LIMIT $5`
	attachedQuery = `SELECT ` + columns + ` FROM secrets s JOIN function_secrets f ON f.secret_id = s.id
		WHERE s.project_id = $1 AND s.created_at >= $2 AND (s.created_at, s.id) < ($3, $4) AND f.function_id = $6
		ORDER BY s.created_at DESC, s.id DESC LIMIT $5`
)

// listRows reads one row more than the page has. What the query selects by follows
// the window.
func listRows(ctx context.Context, q storage.Querier, query, projectID string, w keyset.Window, by ...string) ([]Secret, error) {
	args := []any{projectID, w.Start, w.Before.At, w.Before.ID, w.Fetch()}
	for _, arg := range by {
		args = append(args, arg)
	}
	return storage.Collect(ctx, q, scanSecret, query, args...)
}

const ofQuery = `SELECT s.id, s.name, s.value FROM function_secrets f JOIN secrets s ON s.id = f.secret_id
	WHERE s.project_id = $1 AND f.function_id = $2`

func attach(ctx context.Context, q storage.Querier, functionID, secretID string, now time.Time) error {
	_, err := q.Exec(ctx, `INSERT INTO function_secrets (function_id, secret_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
		functionID, secretID, storage.Millis(now))
	return err
}

func detach(ctx context.Context, q storage.Querier, functionID, secretID string) error {
	_, err := q.Exec(ctx, `DELETE FROM function_secrets WHERE function_id = $1 AND secret_id = $2`, functionID, secretID)
	return err
}

// keypairRow is a keypair with its private key.
type keypairRow struct {
	Keypair
	privateKey []byte // sealed
}

func scanKeypair(s storage.Scanner) (r keypairRow, err error) {
	err = s.Scan(&r.ID, &r.PublicKey, &r.privateKey)
	return r, err
}

const keypairColumns = `id, public_key, private_key`

func newestKeypair(ctx context.Context, q storage.Querier, projectID string) (keypairRow, error) {
	return scanKeypair(q.QueryRow(ctx, `SELECT `+keypairColumns+` FROM secret_keypairs
		WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`, projectID))
}

func findKeypair(ctx context.Context, q storage.Querier, projectID, id string) (keypairRow, error) {
	return scanKeypair(q.QueryRow(ctx, `SELECT `+keypairColumns+` FROM secret_keypairs WHERE id = $1 AND project_id = $2`, id, projectID))
}

func insertKeypair(ctx context.Context, q storage.Querier, projectID string, r keypairRow, now time.Time) error {
	_, err := q.Exec(ctx, `INSERT INTO secret_keypairs (`+keypairColumns+`, project_id, created_at) VALUES ($1, $2, $3, $4, $5)`,
		r.ID, r.PublicKey, r.privateKey, projectID, storage.Millis(now))
	return err
}
