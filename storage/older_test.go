package storage

import (
	"errors"
	"net/url"
	"path/filepath"
	"testing"
)

// A database of an older version is sound as it is, and brought up to date when it
// is opened.
func TestCheckOfAnOlderDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	for _, steps := range []int{1, len(migrations()) / 2, len(migrations()) - 1} {
		name, err := fileURL(path, url.Values{})
		if err != nil {
			t.Fatal(err)
		}
		pool, err := openPool(t.Context(), name, nil, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(migrate(t.Context(), pool, migrations()[:steps]), pool.Close()); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Check(t.Context()), f.Close()); err != nil || f.Schema != steps {
			t.Errorf("%d steps of %d: %v", f.Schema, steps, err)
		}
	}
	db, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
