package projects

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

const projectColumns = `id, user_id, name, username, created_at`

func scanProject(s storage.Scanner) (Project, error) {
	var p Project
	var created int64
	err := s.Scan(&p.ID, &p.UserID, &p.Name, &p.Username, &created)
	p.CreatedAt = storage.Time(created)
	return p, err
}

func insertProject(ctx context.Context, q storage.Querier, p Project) error {
	_, err := q.Exec(ctx, `INSERT INTO projects (`+projectColumns+`) VALUES ($1, $2, $3, $4, $5)`,
		p.ID, p.UserID, p.Name, p.Username, storage.Millis(p.CreatedAt))
	return err
}

// findProject takes an id or a name. No name has the form of an id: a name
// cannot be as long as it and be one.
func findProject(ctx context.Context, q storage.Querier, ref string) (Project, error) {
	p, err := scanProject(q.QueryRow(ctx,
		`SELECT `+projectColumns+` FROM projects WHERE id = $1 OR name = $1 ORDER BY id = $1 DESC LIMIT 1`, ref))
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.NotFound, "there is no project %q", ref)
	}
	return p, err
}

func listProjects(ctx context.Context, q storage.Querier) ([]Project, error) {
	return storage.Collect(ctx, q, scanProject, `SELECT `+projectColumns+` FROM projects ORDER BY created_at, id`)
}

const keyColumns = `id, project_id, name, prefix, created_at, revoked_at`

func scanKey(s storage.Scanner) (Key, error) {
	var k Key
	var created int64
	var revoked sql.NullInt64
	err := s.Scan(&k.ID, &k.ProjectID, &k.Name, &k.Prefix, &created, &revoked)
	k.CreatedAt, k.RevokedAt = storage.Time(created), storage.Time(revoked.Int64)
	return k, err
}

func insertKey(ctx context.Context, q storage.Querier, k Key, hash []byte) error {
	_, err := q.Exec(ctx,
		`INSERT INTO api_keys (id, project_id, name, prefix, lookup, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		k.ID, k.ProjectID, k.Name, k.Prefix, hash[:lookupLen], hash, storage.Millis(k.CreatedAt))
	return err
}

// findKeyByHash narrows by the beginning of the hash and compares the whole in
// constant time. It returns revoked keys, too.
func findKeyByHash(ctx context.Context, q storage.Querier, want []byte) (Key, error) {
	type candidate struct {
		id   string
		hash []byte
	}
	scan := func(s storage.Scanner) (c candidate, err error) { return c, s.Scan(&c.id, &c.hash) }
	found, err := storage.Collect(ctx, q, scan, `SELECT id, hash FROM api_keys WHERE lookup = $1`, want[:lookupLen])
	if err != nil {
		return Key{}, err
	}
	for _, c := range found {
		if sameHash(c.hash, want) {
			return findKey(ctx, q, c.id)
		}
	}
	return Key{}, storage.ErrNoRow
}

func findKey(ctx context.Context, q storage.Querier, id string) (Key, error) {
	return scanKey(q.QueryRow(ctx, `SELECT `+keyColumns+` FROM api_keys WHERE id = $1`, id))
}

func listKeys(ctx context.Context, q storage.Querier, projectID string) ([]Key, error) {
	return storage.Collect(ctx, q, scanKey,
		`SELECT `+keyColumns+` FROM api_keys WHERE project_id = $1 ORDER BY created_at, id`, projectID)
}

func revokeKey(ctx context.Context, q storage.Querier, id string, now time.Time) (Key, error) {
	k, err := scanKey(q.QueryRow(ctx,
		`UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING `+keyColumns,
		id, storage.Millis(now)))
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.NotFound, "there is no key %q", id)
	}
	return k, err
}

// renewKey makes a key good again under a name.
func renewKey(ctx context.Context, q storage.Querier, id, name string) (Key, error) {
	return scanKey(q.QueryRow(ctx,
		`UPDATE api_keys SET revoked_at = NULL, name = $2 WHERE id = $1 RETURNING `+keyColumns, id, name))
}

// revokeNamesakes revokes the other good keys of k's project with k's name.
func revokeNamesakes(ctx context.Context, q storage.Querier, k Key, now time.Time) error {
	_, err := q.Exec(ctx,
		`UPDATE api_keys SET revoked_at = $4 WHERE project_id = $1 AND name = $2 AND id <> $3 AND revoked_at IS NULL`,
		k.ProjectID, k.Name, k.ID, storage.Millis(now))
	return err
}
