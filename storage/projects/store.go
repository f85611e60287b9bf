package projects

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

const projectColumns = `id, user_id, name, username, created_at`

// scanProject copies a row of projectColumns, and of further ones into more.
func scanProject(s storage.Scanner, more ...any) (Project, error) {
	var p Project
	var created int64
	err := s.Scan(append([]any{&p.ID, &p.UserID, &p.Name, &p.Username, &created}, more...)...)
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
	scan := func(s storage.Scanner) (Project, error) { return scanProject(s) }
	return storage.Collect(ctx, q, scan, `SELECT `+projectColumns+` FROM projects ORDER BY created_at, id`)
}

const keyColumns = `id, project_id, name, prefix, created_at, revoked_at`

// scanKey copies a row of keyColumns, and of further ones into more.
func scanKey(s storage.Scanner, more ...any) (Key, error) {
	var k Key
	var created int64
	var revoked sql.NullInt64
	err := s.Scan(append([]any{&k.ID, &k.ProjectID, &k.Name, &k.Prefix, &created, &revoked}, more...)...)
	k.CreatedAt, k.RevokedAt = storage.Time(created), storage.Time(revoked.Int64)
	return k, err
}

func insertKey(ctx context.Context, q storage.Querier, k Key, hash []byte) error {
	_, err := q.Exec(ctx,
		`INSERT INTO api_keys (id, project_id, name, prefix, lookup, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		k.ID, k.ProjectID, k.Name, k.Prefix, hash[:lookupLen], hash, storage.Millis(k.CreatedAt))
	return err
}

// stored is a key with the hash of its secret.
type stored struct {
	Key
	hash []byte
}

// findKeyByHash narrows by the beginning of the hash and compares the whole in
// constant time. It returns revoked keys, too.
func findKeyByHash(ctx context.Context, q storage.Querier, want []byte) (Key, error) {
	scan := func(s storage.Scanner) (k stored, err error) {
		k.Key, err = scanKey(s, &k.hash)
		return k, err
	}
	found, err := storage.Collect(ctx, q, scan,
		`SELECT `+keyColumns+`, hash FROM api_keys WHERE lookup = $1`, want[:lookupLen])
	if err != nil {
		return Key{}, err
	}
	i := slices.IndexFunc(found, func(k stored) bool { return sameHash(k.hash, want) })
	if i < 0 {
		return Key{}, storage.ErrNoRow
	}
	return found[i].Key, nil
}

// holder is a project with one of its good keys, and the hash of that.
type holder struct {
	Project
	key  string
	hash []byte
}

// findHolder returns the project whose good key has the hash; found and
// compared as in findKeyByHash.
func findHolder(ctx context.Context, q storage.Querier, want []byte) (holder, error) {
	scan := func(s storage.Scanner) (h holder, err error) {
		h.Project, err = scanProject(s, &h.key, &h.hash)
		return h, err
	}
	found, err := storage.Collect(ctx, q, scan, `SELECT p.id, p.user_id, p.name, p.username, p.created_at, k.id, k.hash
		FROM api_keys k JOIN projects p ON p.id = k.project_id
		WHERE k.lookup = $1 AND k.revoked_at IS NULL`, want[:lookupLen])
	if err != nil {
		return holder{}, err
	}
	i := slices.IndexFunc(found, func(h holder) bool { return sameHash(h.hash, want) })
	if i < 0 {
		return holder{}, storage.ErrNoRow
	}
	return found[i], nil
}

func isGood(ctx context.Context, q storage.Querier, id string) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM api_keys WHERE id = $1 AND revoked_at IS NULL)`, id))
}

func listKeys(ctx context.Context, q storage.Querier, projectID string) ([]Key, error) {
	scan := func(s storage.Scanner) (Key, error) { return scanKey(s) }
	return storage.Collect(ctx, q, scan,
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

// revokeNamesakes revokes the other good keys of k's project with k's name, and
// returns their ids.
func revokeNamesakes(ctx context.Context, q storage.Querier, k Key, now time.Time) ([]string, error) {
	scan := func(s storage.Scanner) (id string, err error) {
		err = s.Scan(&id)
		return id, err
	}
	return storage.Collect(ctx, q, scan,
		`UPDATE api_keys SET revoked_at = $4 WHERE project_id = $1 AND name = $2 AND id <> $3 AND revoked_at IS NULL RETURNING id`,
		k.ProjectID, k.Name, k.ID, storage.Millis(now))
}
