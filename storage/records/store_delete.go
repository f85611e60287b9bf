package records

import (
	"context"
	"database/sql"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// markDeleted hides a store, whose name is free from then on.
func markDeleted(ctx context.Context, q storage.Querier, r ref, now int64) (row, error) {
	return found(q.QueryRow(ctx, `UPDATE record_stores SET deleted_at = $4, name_key = NULL`+r.where()+` RETURNING `+storeColumns, r.args(now)...), r.kind)
}

// markUnused hides unnamed stores that were last used before.
func markUnused(ctx context.Context, q storage.Querier, before, now int64, most int) ([]int64, error) {
	return storage.Collect(ctx, q, storage.Column[int64], `UPDATE record_stores SET deleted_at = $2 WHERE number IN
		(SELECT number FROM record_stores WHERE name_key IS NULL AND deleted_at IS NULL AND accessed_at <= $1 ORDER BY accessed_at LIMIT $3) RETURNING number`,
		before, now, most)
}

// oldestDeleted is when the store was deleted whose content is longest left.
func oldestDeleted(ctx context.Context, q storage.Querier) (time.Time, error) {
	ms, err := storage.Column[int64](q.QueryRow(ctx, `SELECT deleted_at FROM record_stores WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1`))
	return storage.Time(ms), err
}

func deletedBefore(ctx context.Context, q storage.Querier, before int64, most int) ([]int64, error) {
	return storage.Collect(ctx, q, storage.Column[int64],
		`SELECT number FROM record_stores WHERE deleted_at IS NOT NULL AND deleted_at <= $1 ORDER BY deleted_at LIMIT $2`, before, most)
}

// contents are the statements that delete some of what a store holds. Each names
// the blobs of what is gone.
var contents = []string{
	`DELETE FROM record_values WHERE rowid IN (SELECT rowid FROM record_values WHERE store = $1 LIMIT $2) RETURNING blob`,
	`DELETE FROM dataset_chunks WHERE rowid IN (SELECT rowid FROM dataset_chunks WHERE store = $1 LIMIT $2) RETURNING blob`,
	`DELETE FROM queue_requests WHERE rowid IN (SELECT rowid FROM queue_requests WHERE store = $1 LIMIT $2) RETURNING blob`,
}

// deleteContent deletes up to most rows of a store that was deleted, and the
// store with the last. It returns the blobs, which are to be deleted after the
// commit.
func deleteContent(ctx context.Context, q storage.Querier, number int64, most int) (blobs []string, done bool, err error) {
	for _, statement := range contents {
		gone, err := storage.Collect(ctx, q, storage.Column[sql.NullString], statement, number, most)
		if err != nil {
			return nil, false, err
		}
		for _, b := range gone {
			if b.Valid {
				blobs = append(blobs, b.String)
			}
		}
		if most -= len(gone); most <= 0 {
			return blobs, false, nil
		}
	}
	_, err = q.Exec(ctx, `DELETE FROM record_stores WHERE number = $1 AND deleted_at IS NOT NULL`, number)
	return blobs, err == nil, err
}

// blobColumns are where records name blobs.
var blobColumns = retention.Columns{"record_values.blob", "dataset_chunks.blob", "queue_requests.blob"}
