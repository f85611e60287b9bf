package storage

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
)

// TryWrite commits a row and its removal: a page goes to the disk, which an
// empty transaction does not try. Error kind Unavailable while the database
// cannot be written: a full disk, or another writer for longer than the busy
// timeout.
func (db *DB) TryWrite(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "storage.TryWrite")
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		id := ids.New()
		if _, err := tx.Exec(ctx, `INSERT INTO instances (id, started_at) VALUES ($1, 0)`, id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM instances WHERE id = $1`, id)
		return err
	})
}
