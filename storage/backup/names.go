package backup

import (
	"context"
	"iter"

	"github.com/drover-go/drover/storage"
)

// named is a blob that a row names.
type named struct{ folder, key string }

// names yields the blobs that rows of a database name, in the order in which they
// stand in a backup: it and the files are walked side by side, so that nothing of
// them has to be kept in memory.
func names(ctx context.Context, db *storage.File, stores []headOfOnes) iter.Seq2[named, error] {
	return func(yield func(named, error) bool) {
		for _, s := range stores {
			for key, err := range db.Texts(ctx, s.Columns.AllQuery()) {
				if !yield(named{s.Folder, key}, err) || err != nil {
					return
				}
			}
		}
	}
}
