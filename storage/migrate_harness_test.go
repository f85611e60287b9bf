package storage

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// migratedBefore is a database as it was before the migration of that name, and all
// migrations.
func migratedBefore(t *testing.T, name string) (*sql.DB, []migration) {
	t.Helper()
	pool, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "old.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	all := migrations()
	before := slices.IndexFunc(all, func(m migration) bool { return strings.Contains(m.name, name) })
	if err := migrate(t.Context(), pool, all[:before]); err != nil {
		t.Fatal(err)
	}
	return pool, all
}
