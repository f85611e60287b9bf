package records

import (
	"context"
	"database/sql"
	"errors"

	"github.com/drover-go/drover/storage"
)

const valueColumns = `key, content_type, coding, size, stored, modified_at`

func scanValue(s storage.Scanner, more ...any) (r Record, err error) {
	var modified int64
	err = s.Scan(append([]any{&r.Key, &r.ContentType, &r.Coding, &r.Size, &r.Stored, &modified}, more...)...)
	r.ModifiedAt = storage.Time(modified)
	return r, err
}

const findValueQuery = `SELECT ` + valueColumns + `, coalesce(blob, ''), data FROM record_values WHERE store = $1 AND key = $2`

func findValue(ctx context.Context, q storage.Querier, store int64, key string) (r Record, c content, err error) {
	r, err = scanValue(q.QueryRow(ctx, findValueQuery, store, key), &c.blob, &c.data)
	c.size = r.Stored
	return r, c, err
}

func insertValue(ctx context.Context, q storage.Querier, store int64, r Record, c content) error {
	_, err := q.Exec(ctx, `INSERT INTO record_values (store, `+valueColumns+`, blob, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		store, r.Key, r.ContentType, r.Coding, r.Size, r.Stored, storage.Millis(r.ModifiedAt), nullable(c.blob), c.data)
	return err
}

// deleted is what a row took that is gone.
type deleted struct {
	rows, bytes int64
	blob        string
}

// deleteValue deletes a record if there is one.
func deleteValue(ctx context.Context, q storage.Querier, store int64, key string) (d deleted, err error) {
	var blob sql.NullString
	err = q.QueryRow(ctx, `DELETE FROM record_values WHERE store = $1 AND key = $2 RETURNING stored, blob`, store, key).Scan(&d.bytes, &blob)
	if errors.Is(err, storage.ErrNoRow) {
		return deleted{}, nil
	}
	d.rows, d.blob = 1, blob.String
	return d, err
}

const listValuesQuery = `SELECT ` + valueColumns + ` FROM record_values
	WHERE store = $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4`

// lastKey is behind every key.
const lastKey = "\U0010ffff"

func listValues(ctx context.Context, q storage.Querier, store int64, s span, most int) ([]Record, error) {
	if s.end == "" {
		s.end = lastKey
	}
	scan := func(s storage.Scanner) (Record, error) { return scanValue(s) }
	return storage.Collect(ctx, q, scan, listValuesQuery, store, s.first, s.end, most)
}
