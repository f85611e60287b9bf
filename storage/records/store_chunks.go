package records

import (
	"context"
	"database/sql"

	"github.com/drover-go/drover/storage"
)

// smallChunk is how large a chunk is that small pushes are appended to. It is
// written anew with each.
const smallChunk = 8 << 10

// appendChunks adds chunks behind the first so many items.
func appendChunks(ctx context.Context, q storage.Querier, store, first int64, chunks []chunk) error {
	for i, c := range chunks {
		if i == 0 && first > 0 && c.bytes <= smallChunk && c.blob == "" {
			merged, err := mergeChunk(ctx, q, store, c)
			if err != nil {
				return err
			}
			if merged {
				first += c.items
				continue
			}
		}
		if err := insertChunk(ctx, q, store, first, c); err != nil {
			return err
		}
		first += c.items
	}
	return nil
}

// mergeChunk appends to the last chunk, if that stays small.
func mergeChunk(ctx context.Context, q storage.Querier, store int64, c chunk) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE dataset_chunks SET data = data || $2, items = items + $3, bytes = bytes + $4
		WHERE store = $1 AND first = (SELECT max(first) FROM dataset_chunks WHERE store = $1) AND blob IS NULL AND bytes + $4 <= $5`,
		store, c.data, c.items, c.bytes, smallChunk)
	return n == 1, err
}

func insertChunk(ctx context.Context, q storage.Querier, store, first int64, c chunk) error {
	_, err := q.Exec(ctx, `INSERT INTO dataset_chunks (store, first, items, bytes, blob, data) VALUES ($1, $2, $3, $4, $5, $6)`,
		store, first, c.items, c.bytes, nullable(c.blob), nullable(c.data))
	return err
}

// placed is a chunk and its place.
type placed struct {
	first int64
	chunk
}

func scanChunk(s storage.Scanner) (c placed, err error) {
	var blob, data sql.NullString
	err = s.Scan(&c.first, &c.items, &blob, &data)
	c.blob, c.data = blob.String, data.String
	return c, err
}

// The pages of chunks: those from the one with an item on, upwards and downwards.
const (
	selectChunks = `SELECT first, items, blob, data FROM dataset_chunks WHERE store = $1`
	chunksUp     = selectChunks + ` AND first >= coalesce((SELECT max(first) FROM dataset_chunks WHERE store = $1 AND first <= $2), 0) ORDER BY first LIMIT $3`
	chunksDown   = selectChunks + ` AND first <= $2 ORDER BY first DESC LIMIT $3`
)

func listChunks(ctx context.Context, q storage.Querier, store, from int64, down bool, most int) ([]placed, error) {
	query := chunksUp
	if down {
		query = chunksDown
	}
	return storage.Collect(ctx, q, scanChunk, query, store, from, most)
}

// insertFields adds names until there are as many as are told. Those who push at the
// same time may make them a few more.
func insertFields(ctx context.Context, q storage.Querier, store int64, names []string) error {
	there, err := storage.Column[int64](q.QueryRow(ctx, `SELECT count(*) FROM dataset_fields WHERE store = $1`, store))
	for _, name := range names {
		if err != nil || there >= maxFields {
			return err
		}
		var n int64
		n, err = q.Exec(ctx, `INSERT INTO dataset_fields (store, name) VALUES ($1, $2) ON CONFLICT (store, name) DO NOTHING`, store, name)
		there += n
	}
	return err
}

func countField(ctx context.Context, q storage.Querier, store int64, name string, s FieldStatistics) error {
	_, err := q.Exec(ctx, `UPDATE dataset_fields SET low = coalesce(min(low, $3), low, $3), high = coalesce(max(high, $4), high, $4),
		nulls = nulls + $5, empties = empties + $6 WHERE store = $1 AND name = $2`, store, name, s.Min, s.Max, s.Nulls, s.Empties)
	return err
}

func fieldNames(ctx context.Context, q storage.Querier, store int64) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT name FROM dataset_fields WHERE store = $1 ORDER BY name`, store)
}

func fieldStatistics(ctx context.Context, q storage.Querier, store int64) (map[string]FieldStatistics, error) {
	all := map[string]FieldStatistics{}
	_, err := storage.Collect(ctx, q, func(s storage.Scanner) (name string, err error) {
		var f FieldStatistics
		var low, high sql.NullFloat64
		err = s.Scan(&name, &low, &high, &f.Nulls, &f.Empties)
		if low.Valid {
			f.Min, f.Max = &low.Float64, &high.Float64
		}
		all[name] = f
		return name, err
	}, `SELECT name, low, high, nulls, empties FROM dataset_fields WHERE store = $1`, store)
	return all, err
}
