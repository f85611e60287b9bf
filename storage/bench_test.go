package storage_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/drover-go/drover/storage"
)

// BenchmarkWriteAndDelete is a row of a kilobyte that comes and goes, which is
// what it costs that deleted rows are overwritten.
func BenchmarkWriteAndDelete(b *testing.B) {
	db, err := storage.Open(b.Context(), storage.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	write := func(query string, args ...any) {
		err := db.Write(b.Context(), func(ctx context.Context, tx *storage.Tx) error {
			_, err := tx.Exec(ctx, query, args...)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	write(`CREATE TABLE bench (id INTEGER PRIMARY KEY, content BLOB)`)
	content := bytes.Repeat([]byte("x"), 1024)
	i := 0
	for b.Loop() {
		write(`INSERT INTO bench (id, content) VALUES ($1, $2)`, i, content)
		if i >= 1000 {
			write(`DELETE FROM bench WHERE id = $1`, i-1000)
		}
		i++
	}
}
