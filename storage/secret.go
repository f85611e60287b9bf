package storage

import (
	"context"
	"crypto/rand"

	"github.com/drover-go/drover/errtypes"
)

// SecretKey returns the 32 random bytes that this database keeps under a name,
// making them on first use. They sign what must be recognised as the
// service's own, such as cursors; they are no place for a master key, because
// they lie in the file they would protect.
func (db *DB) SecretKey(ctx context.Context, name string) (key []byte, err error) {
	defer errtypes.Wrap(&err, "storage.SecretKey(%q)", name)
	fresh := make([]byte, 32)
	rand.Read(fresh) // never fails since Go 1.24
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.QueryRow(ctx, `INSERT INTO secret_keys (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value`, name, fresh).Scan(&key)
	})
	return key, err
}
