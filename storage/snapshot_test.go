package storage_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// snapshot copies a database and opens the copy.
func snapshot(t testing.TB, db *storage.DB) (path string, f *storage.File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "copy.db")
	if err := db.Snapshot(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	return path, openFile(t, path)
}

func openFile(t testing.TB, path string) *storage.File {
	t.Helper()
	f, err := storage.OpenFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func texts(t testing.TB, f *storage.File, query string) (all []string) {
	t.Helper()
	for text, err := range f.Texts(t.Context(), query) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

func TestSnapshotIsOfOneMoment(t *testing.T) {
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		// Two rows are always equal, and large enough that the copy takes several steps.
		write := func(ctx context.Context, i int) error {
			value := fmt.Sprintf("%01000000d", i)
			return db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
				for _, name := range []string{"a", "b"} {
					if _, err := tx.Exec(ctx, `INSERT INTO secret_keys (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, []byte(value)); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := write(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		written := make(chan int)
		go func() {
			n := 0
			for err := error(nil); err == nil; n++ {
				err = write(ctx, n)
			}
			written <- n
		}()
		for range 10 {
			path, f := snapshot(t, db)
			if all := texts(t, f, `SELECT DISTINCT CAST(value AS TEXT) FROM secret_keys WHERE name IN ('a', 'b')`); len(all) != 1 {
				t.Errorf("the rows are of %d moments", len(all))
			}
			if err := f.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
				t.Errorf("left beside the copy: %v", left)
			}
		}
		stop()
		t.Log(<-written, "transactions meanwhile")
	})
}

func TestSnapshotIsBrokenOff(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	path := filepath.Join(t.TempDir(), "copy.db")
	err := db.Snapshot(ctx, path, func(_, total int64) {
		if total == 0 {
			t.Error("progress without a total")
		}
		cancel()
	})
	if err != nil && !errors.Is(err, context.Canceled) { // a small one is copied in one step
		t.Error(err)
	}
	cancel()
	if err := db.Snapshot(ctx, path+"2", nil); !errtypes.Is(err, errtypes.Canceled) {
		t.Error(err)
	}
	addProject(t, db) // nothing is locked
}

// tamper changes a snapshot behind Drover's back.
func tamper(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(s, err)
		}
	}
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenFile(t)
	addProject(t, db)
	for name, one := range map[string]struct{ statement, want string }{
		"trigger":        {`CREATE TRIGGER evil AFTER INSERT ON instances BEGIN DELETE FROM projects; END`, "has a trigger evil"},
		"view":           {`CREATE VIEW evil AS SELECT 1`, "has a view evil"},
		"no trigger":     {"", "lacks the trigger"},
		"foreign key":    {`INSERT INTO extension_usage (project_id, files, bytes) VALUES ('nobody', 0, 0)`, "refers to one that is not there"},
		"newer":          {`PRAGMA user_version = 100000`, "newer version of Drover"},
		"another's":      {`PRAGMA application_id = 1`, "another program"},
		"without tables": {`PRAGMA user_version = 0`, "not a database of Drover"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "copy.db")
			if err := db.Snapshot(t.Context(), path, nil); err != nil {
				t.Fatal(err)
			}
			statement := one.statement
			if name == "no trigger" {
				f := openFile(t, path)
				statement = "DROP TRIGGER " + texts(t, f, `SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1`)[0]
			}
			tamper(t, path, statement)
			if err := check(t, path); !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), one.want) {
				t.Errorf("%v, want %q", err, one.want)
			}
		})
	}
}

func check(t *testing.T, path string) error {
	t.Helper()
	f, err := storage.OpenFile(t.Context(), path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Check(t.Context())
}

func TestCheckFindsDamagedPages(t *testing.T) {
	t.Parallel()
	path, _ := snapshot(t, storagetest.OpenFile(t))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := 1; page < len(whole)/4096; page += max(7, len(whole)/4096/testlevel.Of(4, 12)) {
		damaged := append([]byte(nil), whole...)
		for i := range 64 {
			damaged[page*4096+i] ^= 0xff
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := check(t, path); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("page %d: %v", page, err)
		}
	}
	if err := os.WriteFile(path, []byte("no database, but long enough for its header, which has one hundred bytes: so this goes on for a while"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(t, path); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("no database: %v", err)
	}
}

func TestInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inUse := func() bool {
		t.Helper()
		used, err := storage.InUse(dir)
		if err != nil {
			t.Fatal(err)
		}
		return used
	}
	if inUse() {
		t.Error("nobody has been here")
	}
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	if !inUse() {
		t.Error("it is open")
	}
	if err := db.Close(); err != nil || inUse() {
		t.Errorf("it is closed: %v", err)
	}
}

// BenchmarkSnapshot copies a database of 1 GB beside a writer of small
// transactions, and one that is not disturbed.
func BenchmarkSnapshot(b *testing.B) {
	db := storagetest.OpenWith(b, storage.Options{Dir: b.TempDir()})
	for i := range 1024 {
		err := db.Write(b.Context(), func(ctx context.Context, tx *storage.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO secret_keys (name, value) VALUES ($1, randomblob(1048576))`, fmt.Sprint(i))
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	stop, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		var longest time.Duration
		defer func() { worst <- longest }()
		for {
			select {
			case <-stop:
				return
			default:
				start := time.Now()
				if err := db.TryWrite(context.Background()); err != nil {
					b.Error(err)
					return
				}
				longest = max(longest, time.Since(start))
			}
		}
	}()
	b.SetBytes(1 << 30)
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "copy.db")
		if err := db.Snapshot(b.Context(), path, nil); err != nil {
			b.Fatal(err)
		}
		os.Remove(path)
	}
	close(stop)
	b.ReportMetric(float64((<-worst).Milliseconds()), "ms-longest-write")
}
