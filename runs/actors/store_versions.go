package actors

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/sealed"
	"github.com/drover-go/drover/storage"
)

// number is a version's, as it is ordered.
type number struct{ major, minor int }

func parseNumber(s string) (n number, ok bool) {
	if !versionForm.MatchString(s) {
		return n, false
	}
	_, err := fmt.Sscanf(strings.Replace(s, ".", " ", 1), "%d %d", &n.major, &n.minor)
	return n, err == nil
}

func (n number) String() string { return strconv.Itoa(n.major) + "." + strconv.Itoa(n.minor) }

// versionRow is a version as it is stored, but for its environment.
type versionRow struct {
	actorID  string
	number   number
	revision int64
	source   []byte
	blob     string
}

const versionColumns = `actor_id, major, minor, revision, source, source_blob`

func scanVersion(s storage.Scanner) (r versionRow, err error) {
	var source, blob sql.NullString
	err = s.Scan(&r.actorID, &r.number.major, &r.number.minor, &r.revision, &source, &blob)
	r.source, r.blob = []byte(source.String), blob.String
	return r, err
}

// orNull is a column's value; NULL for none.
func orNull[T ~string | ~[]byte](s T) sql.NullString {
	return sql.NullString{String: string(s), Valid: len(s) > 0}
}

// insertVersion adds a version while the Actor has fewer than most. It fails with
// [storage.ErrConflict] when the number is taken.
func insertVersion(ctx context.Context, q storage.Querier, r versionRow, most int) (fits bool, err error) {
	n, err := q.Exec(ctx, `INSERT INTO actor_versions (`+versionColumns+`)
		SELECT $1, $2, $3, 1, $4, $5
		WHERE EXISTS (SELECT 1 FROM actor_versions WHERE actor_id = $1 AND major = $2 AND minor = $3) OR
			(SELECT count(*) < $6 FROM actor_versions WHERE actor_id = $1)`,
		r.actorID, r.number.major, r.number.minor, orNull(r.source), orNull(r.blob), most)
	return n > 0, err
}

func findVersion(ctx context.Context, q storage.Querier, actorID string, n number) (versionRow, error) {
	return scanVersion(q.QueryRow(ctx, `SELECT `+versionColumns+` FROM actor_versions WHERE actor_id = $1 AND major = $2 AND minor = $3`, actorID, n.major, n.minor))
}

func listVersions(ctx context.Context, q storage.Querier, actorID string) ([]versionRow, error) {
	return storage.Collect(ctx, q, scanVersion, `SELECT `+versionColumns+` FROM actor_versions WHERE actor_id = $1 ORDER BY major, minor`, actorID)
}

// replaceVersion changes a version that is still as r.revision had it.
func replaceVersion(ctx context.Context, q storage.Querier, r versionRow) (done bool, err error) {
	n, err := q.Exec(ctx, `UPDATE actor_versions SET revision = revision + 1, source = $5, source_blob = $6
		WHERE actor_id = $1 AND major = $2 AND minor = $3 AND revision = $4`,
		r.actorID, r.number.major, r.number.minor, r.revision, orNull(r.source), orNull(r.blob))
	return n > 0, err
}

func deleteVersion(ctx context.Context, q storage.Querier, actorID string, n number) (done bool, err error) {
	gone, err := q.Exec(ctx, `DELETE FROM actor_versions WHERE actor_id = $1 AND major = $2 AND minor = $3`, actorID, n.major, n.minor)
	return gone > 0, err
}

// values are the secret values of environments.
var values = sealed.Keys{
	Thing:   "environment variable",
	List:    `SELECT id, sealed FROM actor_env_vars WHERE sealed IS NOT NULL ORDER BY id`,
	Replace: `UPDATE actor_env_vars SET sealed = $2 WHERE id = $1 AND sealed = $3`,
}

// Sealed returns the secret variables of all projects, as they lie in the rows.
func Sealed(ctx context.Context, db *storage.DB) (seal.Things, error) { return values.All(ctx, db) }

// Reseal seals again, under the first of the master keys, secret variables that a
// former one sealed, and counts them.
func Reseal(ctx context.Context, db *storage.DB, keys *seal.Ring) (int, error) {
	return values.Reseal(ctx, db, keys)
}

// envRow is a variable as it is stored: its value, or that sealed.
type envRow struct {
	id     string
	name   string
	value  string
	sealed []byte
}

func (r envRow) variable() EnvVar {
	return EnvVar{Name: r.name, Value: r.value, Secret: r.sealed != nil}
}

func sealVariable(keys *seal.Ring, e EnvVar) envRow {
	r := envRow{id: ids.NewShort(), name: e.Name, value: e.Value}
	if e.Secret {
		r.value, r.sealed = "", keys.Seal(values.Purpose(r.id), []byte(e.Value))
	}
	return r
}

func listEnv(ctx context.Context, q storage.Querier, actorID string, n number) ([]envRow, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (r envRow, err error) {
		var value sql.NullString
		err = s.Scan(&r.id, &r.name, &value, &r.sealed)
		r.value = value.String
		return r, err
	}, `SELECT id, name, value, sealed FROM actor_env_vars WHERE actor_id = $1 AND major = $2 AND minor = $3 ORDER BY position`, actorID, n.major, n.minor)
}

// replaceEnv puts an environment in the place of the one that there is.
func replaceEnv(ctx context.Context, q storage.Querier, actorID string, n number, all []envRow) error {
	_, err := q.Exec(ctx, `DELETE FROM actor_env_vars WHERE actor_id = $1 AND major = $2 AND minor = $3`, actorID, n.major, n.minor)
	for i, r := range all {
		if err != nil {
			return err
		}
		var sealed any
		if r.sealed != nil {
			sealed = r.sealed
		}
		_, err = q.Exec(ctx, `INSERT INTO actor_env_vars (id, actor_id, major, minor, position, name, value, sealed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			r.id, actorID, n.major, n.minor, i, r.name, r.value, sealed)
	}
	return err
}

// blobColumns are where versions, tasks and what builds have made name blobs.
var blobColumns = retention.Columns{"actor_versions.source_blob", "actor_tasks.input_blob", "actor_builds.made_blob"}
