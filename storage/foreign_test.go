package storage_test

import (
	"context"
	"errors"
	"testing"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func foreignVersion(t *testing.T, db *storage.DB) int64 {
	t.Helper()
	v, err := db.ForeignVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func writeInstance(t *testing.T, db *storage.DB, id string) {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error { return insertInstance(ctx, tx, id, 1) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestForeignVersionTellsOtherWritersFromOneself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	before := foreignVersion(t, db)
	writeInstance(t, db, "own")
	if foreignVersion(t, db) != before {
		t.Error("an own commit changed the number")
	}
	other := storagetest.OpenWith(t, storage.Options{Dir: dir}) // registers itself: a commit
	opened := foreignVersion(t, db)
	if opened == before {
		t.Error("another opening did not change the number")
	}
	writeInstance(t, other, "foreign")
	seen := foreignVersion(t, db)
	if seen == opened {
		t.Error("a foreign commit did not change the number")
	}
	writeInstance(t, db, "own 2") // reads the foreign commit on its way
	if foreignVersion(t, db) != seen {
		t.Error("the same foreign commit was told twice")
	}
	writeInstance(t, other, "foreign 2")
	writeInstance(t, db, "own 3")
	if foreignVersion(t, db) == seen {
		t.Error("an own commit hid the foreign one before it")
	}
}

func TestForeignVersionOfMemoryStandsStill(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	writeInstance(t, db, "own")
	if v := foreignVersion(t, db); v != 0 {
		t.Errorf("version %d", v)
	}
}

func TestForeignVersionInsideATransactionIsRefused(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenFile(t)
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := db.ForeignVersion(ctx)
		return err
	})
	if !errors.Is(err, storage.ErrNested) {
		t.Errorf("error %v", err)
	}
}
