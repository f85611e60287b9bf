// Package sealed keeps the private keys of things that lie sealed in the rows of
// a table, whatever the things are: all of them are listed, and sealed again when
// the master key changes.
package sealed

import (
	"context"

	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
)

// Keys are the keys of all things of a kind, in the rows of one table.
type Keys struct {
	// Thing is what a key belongs to, such as "context": it binds the key to
	// that, and stands in messages.
	Thing string
	// List selects the id and the sealed key of every row that has one, by id.
	List string
	// Replace puts the key $2 in the place of the key $3 in the row with the id
	// $1, and changes nothing where another key lies there.
	Replace string
}

// Purpose binds a sealed key to the thing with the id.
func (k Keys) Purpose(id string) string { return seal.Purpose(k.Thing, id) }

// Explain is what a caller is told of the key of a thing that cannot be opened.
// Error kind Unavailable.
func (k Keys) Explain(id string, err error) error { return seal.Explain(k.Thing, id, err) }

// All returns the keys of all projects, as they lie in the rows.
func (k Keys) All(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	t.Kind = k.Thing
	err = db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		t.Keys, err = k.list(ctx, q)
		return err
	})
	return t, err
}

// Reseal seals again, under the ring's first key, what a former one sealed, in
// one transaction, and counts it. Keys that no key of the ring opens stay as they
// are: the error is then a [seal.Unread], and the rest is done.
func (k Keys) Reseal(ctx context.Context, db *storage.DB, ring *seal.Ring) (n int, err error) {
	var unread error
	err = db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		all, err := k.list(ctx, tx)
		if err != nil {
			return err
		}
		n, unread, err = ring.Renew(k.Thing, all, func(was seal.Sealed, now []byte) error {
			_, err := tx.Exec(ctx, k.Replace, was.ID, now, was.Key)
			return err
		})
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, unread
}

func (k Keys) list(ctx context.Context, q storage.Querier) ([]seal.Sealed, error) {
	return storage.Collect(ctx, q, scan, k.List)
}

func scan(s storage.Scanner) (k seal.Sealed, err error) {
	err = s.Scan(&k.ID, &k.Key)
	return k, err
}
