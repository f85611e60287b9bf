package records

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/drover-go/drover/storage"
)

// row is a store and what only this package knows of it.
type row struct {
	Store
	number      int64
	firstClient sql.NullString
	turns       turns // the last that were given
}

const storeColumns = `number, id, kind, coalesce(name, ''), title, general_access, coalesce(schema, ''), coalesce(act_id, ''), coalesce(act_run_id, ''),
	created_at, modified_at, accessed_at, reads, writes, deletes, lists, bytes, items, clean_items, handled, first_client, many_clients, turn, turn_ms`

func scanStore(s storage.Scanner) (r row, err error) {
	var created, modified, accessed int64
	var schema string
	err = s.Scan(&r.number, &r.ID, &r.Kind, &r.Name, &r.Title, &r.GeneralAccess, &schema, &r.ActID, &r.ActRunID,
		&created, &modified, &accessed, &r.Stats.Reads, &r.Stats.Writes, &r.Stats.Deletes, &r.Stats.Lists, &r.Stats.Bytes,
		&r.Items, &r.CleanItems, &r.Handled, &r.firstClient, &r.HadMultipleClients, &r.turns.first, &r.turns.ms)
	if r.CreatedAt, r.ModifiedAt, r.AccessedAt = storage.Time(created), storage.Time(modified), storage.Time(accessed); schema != "" {
		r.Schema = []byte(schema)
	}
	if r.Kind == RequestQueue {
		r.Pending = r.Items - r.Handled
	}
	return r, err
}

// found is scanStore for a store that was asked for.
func found(s storage.Scanner, kind Kind) (row, error) {
	r, err := scanStore(s)
	if errors.Is(err, storage.ErrNoRow) {
		err = notFound(kind)
	}
	return r, err
}

func findStore(ctx context.Context, q storage.Querier, r ref) (row, error) {
	return found(q.QueryRow(ctx, `SELECT `+storeColumns+` FROM record_stores`+r.where(), r.args()...), r.kind)
}

func findOwner(ctx context.Context, q storage.Querier, kind Kind, id string) (string, error) {
	project, err := storage.Column[string](q.QueryRow(ctx,
		`SELECT project_id FROM record_stores WHERE id = $1 AND kind = $2 AND deleted_at IS NULL`, id, string(kind)))
	if errors.Is(err, storage.ErrNoRow) {
		err = notFound(kind)
	}
	return project, err
}

// insertStore makes a store, or finds the one that has the name.
func insertStore(ctx context.Context, q storage.Querier, projectID string, s Store) (row, error) {
	return scanStore(q.QueryRow(ctx, `INSERT INTO record_stores
		(id, project_id, kind, name, name_key, title, general_access, schema, act_id, act_run_id, created_at, modified_at, accessed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11)
		ON CONFLICT (project_id, kind, name_key) WHERE name_key IS NOT NULL DO UPDATE SET accessed_at = max(accessed_at, excluded.accessed_at)
		RETURNING `+storeColumns,
		s.ID, projectID, string(s.Kind), nullable(s.Name), nullable(nameKey(s.Name)), s.Title, s.GeneralAccess,
		nullable(string(s.Schema)), nullable(s.ActID), nullable(s.ActRunID), storage.Millis(s.CreatedAt)))
}

// runStores makes the stores of a run in one statement, since there are many runs. The
// key-value store begins with a change.
const runStores = `INSERT INTO record_stores (id, project_id, kind, general_access, act_id, act_run_id, created_at, modified_at, accessed_at, writes, items, bytes, schema)
	VALUES ($1, $4, 'key-value-store', $5, $6, $7, $8, $8, $8, $9, $10, $11, $12), ($2, $4, 'dataset', $5, $6, $7, $8, $8, $8, 0, 0, 0, $13),
		($3, $4, 'request-queue', $5, $6, $7, $8, $8, $8, 0, 0, 0, NULL)`

// insertRunStores returns the number of the key-value store, if it begins with a change.
func insertRunStores(ctx context.Context, q storage.Querier, r *RunStores, c change) (number int64, err error) {
	args := []any{
		r.KeyValueStore, r.Dataset, r.RequestQueue, r.run.ProjectID, GeneralAccesses[0], nullable(r.run.ActID), nullable(r.run.RunID), r.s.now(),
		c.writes, c.items, c.bytes, nullable(string(r.run.KeyValueStoreSchema)), nullable(string(r.run.DatasetSchema)),
	}
	if c == (change{}) {
		_, err = q.Exec(ctx, runStores, args...)
		return 0, err
	}
	_, err = storage.Collect(ctx, q, func(s storage.Scanner) (id string, err error) {
		var n int64
		if err = s.Scan(&id, &n); id == r.KeyValueStore {
			number = n
		}
		return id, err
	}, runStores+` RETURNING id, number`, args...)
	return number, err
}

func nullable(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// updateStore changes the fields that are given. A name that is taken is
// [storage.ErrConflict].
func updateStore(ctx context.Context, q storage.Querier, r ref, u Update, now int64) (row, error) {
	rename, name := u.Name != nil, sql.NullString{}
	if rename {
		name = nullable(*u.Name)
	}
	return found(q.QueryRow(ctx, `UPDATE record_stores SET
		name = CASE WHEN $4 THEN $5 ELSE name END, name_key = CASE WHEN $4 THEN $6 ELSE name_key END,
		title = coalesce($7, title), general_access = coalesce($8, general_access), modified_at = $9, accessed_at = max(accessed_at, $9)`+
		r.where()+` RETURNING `+storeColumns,
		r.args(rename, name, nullable(nameKey(name.String)), u.Title, u.GeneralAccess, now)...), r.kind)
}

// change is what a write adds to the row of its store.
type change struct {
	reads, writes, deletes, lists int64
	bytes, items, clean, handled  int64
	modified                      bool
}

// touchStore finds a store and adds a change in one statement, so that those who
// write at the same time come one after the other.
func touchStore(ctx context.Context, q storage.Querier, r ref, c change, now int64) (row, error) {
	return found(q.QueryRow(ctx, `UPDATE record_stores SET reads = reads + $4, writes = writes + $5, deletes = deletes + $6, lists = lists + $7,
		bytes = bytes + $8, items = items + $9, clean_items = clean_items + $10, handled = handled + $11,
		modified_at = CASE WHEN $12 THEN max(modified_at, $13) ELSE modified_at END, accessed_at = max(accessed_at, $13)`+
		r.where()+` RETURNING `+storeColumns,
		r.args(c.reads, c.writes, c.deletes, c.lists, c.bytes, c.items, c.clean, c.handled, c.modified, now)...), r.kind)
}

// addTo adds to a store that is known what has turned out since it was touched.
func addTo(ctx context.Context, q storage.Querier, number int64, c change, now int64) error {
	_, err := q.Exec(ctx, `UPDATE record_stores SET writes = writes + $2, bytes = bytes + $3, items = items + $4, handled = handled + $5,
		modified_at = CASE WHEN $6 THEN max(modified_at, $7) ELSE modified_at END WHERE number = $1`,
		number, c.writes, c.bytes, c.items, c.handled, c.modified, now)
	return err
}

// addUse adds what was counted of reads.
func addUse(ctx context.Context, q storage.Querier, id string, reads, lists, at int64) error {
	_, err := q.Exec(ctx, `UPDATE record_stores SET reads = reads + $2, lists = lists + $3, accessed_at = max(accessed_at, $4) WHERE id = $1 AND deleted_at IS NULL`,
		id, reads, lists, at)
	return err
}

// selection is the condition of a list.
func selection(q Query) string {
	if q.Unnamed {
		return ` WHERE project_id = $1 AND kind = $2 AND deleted_at IS NULL`
	}
	return ` WHERE project_id = $1 AND kind = $2 AND name_key IS NOT NULL`
}

// pageQuery skips in the index alone, and reads the rows of the page.
func pageQuery(q Query) string {
	order := ` ORDER BY created_at, number`
	if q.Desc {
		order = ` ORDER BY created_at DESC, number DESC`
	}
	return `SELECT ` + storeColumns + ` FROM record_stores WHERE number IN (SELECT number FROM record_stores` + selection(q) + order + ` LIMIT $3 OFFSET $4)` + order
}

func listStores(ctx context.Context, q storage.Querier, projectID string, kind Kind, f Query) ([]row, error) {
	return storage.Collect(ctx, q, scanStore, pageQuery(f), projectID, string(kind), f.Limit, f.Offset)
}

func countStores(ctx context.Context, q storage.Querier, projectID string, kind Kind, f Query) (int, error) {
	return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM record_stores`+selection(f), projectID, string(kind)))
}

// oldestUnnamed is when the unnamed store was last used that was not used for
// the longest time.
func oldestUnnamed(ctx context.Context, q storage.Querier) (time.Time, error) {
	ms, err := storage.Column[int64](q.QueryRow(ctx,
		`SELECT accessed_at FROM record_stores WHERE name_key IS NULL AND deleted_at IS NULL ORDER BY accessed_at LIMIT 1`))
	return storage.Time(ms), err
}
