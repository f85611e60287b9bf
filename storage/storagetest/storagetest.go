// Package storagetest opens real databases for tests.
package storagetest

import (
	"testing"

	"github.com/drover-go/drover/storage"
)

// Open returns a fresh database in memory that is closed when the test ends.
func Open(tb testing.TB) *storage.DB {
	tb.Helper()
	return OpenWith(tb, storage.Options{})
}

// OpenFile returns a fresh database in a directory of the test.
func OpenFile(tb testing.TB) *storage.DB {
	tb.Helper()
	return OpenWith(tb, storage.Options{Dir: tb.TempDir()})
}

// OpenWith opens a database that is closed when the test ends.
func OpenWith(tb testing.TB, o storage.Options) *storage.DB {
	tb.Helper()
	db, err := storage.Open(tb.Context(), o)
	if err != nil {
		tb.Fatalf("open the database: %v", err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Errorf("close the database: %v", err)
		}
	})
	return db
}

// Each runs a test on both forms of database, in memory and on file: they
// differ in what blocks whom.
func Each(t *testing.T, test func(t *testing.T, db *storage.DB)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, Open(t)) })
	t.Run("file", func(t *testing.T) { test(t, OpenFile(t)) })
}
