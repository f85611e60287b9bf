package storage_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestFileSurvivesCloseAndOddPaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", "with space", "question?mark", "hash#tag", "per%41cent", "ümlaut", "amp&x=y"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			db, err := storage.Open(t.Context(), storage.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			addProject(t, db)
			if err := errors.Join(db.Close(), db.Close()); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "drover.db")); err != nil {
				t.Error("the file is elsewhere:", err)
			}
			if got := countProjects(t, storagetest.OpenWith(t, storage.Options{Dir: dir})); got != 1 {
				t.Errorf("%d projects after reopening", got)
			}
		})
	}
}

func TestDatabasesInMemoryAreApart(t *testing.T) {
	t.Parallel()
	one, two := storagetest.Open(t), storagetest.Open(t)
	addProject(t, one)
	if countProjects(t, one) != 1 || countProjects(t, two) != 0 {
		t.Error("two databases in memory share rows")
	}
}

func TestSecondOpeningOfTheSameFileWorks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := storagetest.OpenWith(t, storage.Options{Dir: dir})
	two := storagetest.OpenWith(t, storage.Options{Dir: dir})
	addProject(t, one)
	if countProjects(t, two) != 1 {
		t.Error("the second opening does not see the row of the first")
	}
}

func TestSlowWriterOfAnotherOpeningGivesUnavailable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := storagetest.OpenWith(t, storage.Options{Dir: dir})
	two := storagetest.OpenWith(t, storage.Options{Dir: dir, BusyTimeout: time.Millisecond})
	err := one.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		return two.Write(ctx, func(context.Context, *storage.Tx) error { return nil })
	})
	if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "busy") {
		t.Errorf("error %v", err)
	}
}

func TestFilesThatAreNotOursAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ sql, want string }{
		"newer version":   {"PRAGMA application_id = 1146246738; PRAGMA user_version = 9999", "newer version"},
		"another program": {"CREATE TABLE t (x); PRAGMA user_version = 1", "another program"},
		"other id":        {"PRAGMA application_id = 7", "another program"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			execRaw(t, filepath.Join(dir, "drover.db"), test.sql)
			_, err := storage.Open(t.Context(), storage.Options{Dir: dir})
			if !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("not a database", func(t *testing.T) {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "drover.db"), []byte(strings.Repeat("no database ", 500)), 0o600)
		_, err := storage.Open(t.Context(), storage.Options{Dir: dir})
		if !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("no directory", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		os.WriteFile(file, nil, 0o600)
		_, err := storage.Open(t.Context(), storage.Options{Dir: filepath.Join(file, "sub")})
		if !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("error %v", err)
		}
	})
}

func TestRunningMigrationsTwiceAtOnceIsHarmless(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	errs := make(chan error)
	for range 4 {
		go func() {
			db, err := storage.Open(t.Context(), storage.Options{Dir: dir})
			if err == nil {
				err = db.Close()
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestClosedDatabaseSaysSo(t *testing.T) {
	t.Parallel()
	db, err := storage.Open(t.Context(), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	err = db.Read(t.Context(), func(context.Context, storage.Querier) error { return nil })
	if !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("error %v", err)
	}
}

func addProject(t *testing.T, db *storage.DB) {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO projects (id, user_id, name, username, created_at) VALUES ('p', 'u', 'n', 'n', 1)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func countProjects(t *testing.T, db *storage.DB) (n int) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT count(*) FROM projects`).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func execRaw(t *testing.T, path, statements string) {
	t.Helper()
	raw, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}

func TestFilesArePrivateEvenInAnOpenDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	addProject(t, storagetest.OpenWith(t, storage.Options{Dir: dir}))
	files, err := filepath.Glob(filepath.Join(dir, "drover.db*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", filepath.Base(file), info.Mode(), err)
		}
	}
}
