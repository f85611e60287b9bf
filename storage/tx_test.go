package storage_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func insertInstance(ctx context.Context, q storage.Querier, id string, at int64) error {
	_, err := q.Exec(ctx, `INSERT INTO instances (id, started_at) VALUES ($1, $2)`, id, at)
	return err
}

func countInstances(t *testing.T, db *storage.DB) (n int) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT count(*) FROM instances`).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWriteCommitsAndTellsAfterwards(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		var told []int
		err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			tx.AfterCommit(func() { told = append(told, countInstances(t, db)) })
			tx.AfterCommit(func() { told = append(told, 0) })
			return insertInstance(ctx, tx, "x", 1)
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(told) != 2 || told[0] != 2 || told[1] != 0 {
			t.Errorf("hooks saw %v, want the committed row, in order", told)
		}
	})
}

func TestFailedWriteLeavesNothingAndTellsNobody(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			tx.AfterCommit(func() { t.Error("told of a rollback") })
			return errors.Join(insertInstance(ctx, tx, "x", 1), boom)
		})
		if !errors.Is(err, boom) || countInstances(t, db) != 1 {
			t.Errorf("err %v, %d rows", err, countInstances(t, db))
		}
	})
}

func TestPanicInWriteRollsBackAndFreesTheWriter(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	func() {
		defer func() { recover() }()
		db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			insertInstance(ctx, tx, "x", 1)
			panic("boom")
		})
	}()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		return insertInstance(ctx, tx, "y", 1)
	})
	if err != nil || countInstances(t, db) != 2 {
		t.Errorf("after a panic: %v, %d rows", err, countInstances(t, db))
	}
}

func TestDatabaseUsedInsideItsTransactionIsDetected(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		other := storagetest.Open(t)
		inWrite := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			if err := other.Read(ctx, nothing); err != nil {
				t.Errorf("another database is refused: %v", err)
			}
			return db.Read(ctx, nothing)
		})
		inRead := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
			return db.Write(ctx, func(context.Context, *storage.Tx) error { return nil })
		})
		if !errors.Is(inWrite, storage.ErrNested) || !errors.Is(inRead, storage.ErrNested) {
			t.Errorf("in a write: %v; in a read: %v", inWrite, inRead)
		}
	})
}

// The context of outside says nothing of the transaction: the database has to
// find out by itself, or the call would wait for its own caller.
func TestUseInsideATransactionIsFoundWithoutItsContext(t *testing.T) {
	t.Parallel()
	uses := map[string]func(ctx context.Context, db *storage.DB) error{
		"read":  func(ctx context.Context, db *storage.DB) error { return db.Read(ctx, nothing) },
		"write": func(ctx context.Context, db *storage.DB) error { return db.Write(ctx, writeNothing) },
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			storagetest.Each(t, func(t *testing.T, db *storage.DB) {
				outer := t.Context()
				inWrite := db.Write(outer, func(context.Context, *storage.Tx) error { return use(outer, db) })
				inRead := db.Read(outer, func(context.Context, storage.Querier) error { return use(outer, db) })
				if !errors.Is(inWrite, storage.ErrNested) || !errors.Is(inRead, storage.ErrNested) {
					t.Errorf("in a write: %v; in a read: %v", inWrite, inRead)
				}
				if err := use(outer, db); err != nil {
					t.Errorf("afterwards: %v", err)
				}
			})
		})
	}
}

// Many goroutines that come from one place are not inside one another, nor is
// one that another waits for, nor what is told after a commit.
func TestSamePlaceInOtherGoroutinesIsNotNested(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for range 20 {
					if err := writeAndReadAfterwards(t.Context(), db); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	})
}

func writeAndReadAfterwards(ctx context.Context, db *storage.DB) (err error) {
	outer := ctx
	written := db.Write(ctx, func(_ context.Context, tx *storage.Tx) error {
		tx.AfterCommit(func() { err = errors.Join(db.Read(outer, nothing), db.Write(outer, writeNothing)) })
		return nil
	})
	return errors.Join(err, written)
}

func nothing(context.Context, storage.Querier) error { return nil }

func writeNothing(context.Context, *storage.Tx) error { return nil }

func leaveRowsOpen(ctx context.Context, q storage.Querier) (*storage.Rows, error) {
	return q.Query(ctx, `SELECT id FROM instances`)
}

func TestRowsThatOutliveTheirCallAreDetectedAndClosed(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		var kept *storage.Rows
		err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) (err error) {
			kept, err = leaveRowsOpen(ctx, q)
			return err
		})
		if !errors.Is(err, storage.ErrRowsOpen) || !strings.Contains(err.Error(), "leaveRowsOpen") {
			t.Errorf("error %v does not name the place", err)
		}
		if kept.Next() {
			t.Error("rows can be read after their call")
		}
		err = db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			if _, err := leaveRowsOpen(ctx, tx); err != nil {
				t.Fatal(err)
			}
			return insertInstance(ctx, tx, "x", 1)
		})
		if !errors.Is(err, storage.ErrRowsOpen) || countInstances(t, db) != 1 {
			t.Errorf("a write that leaves rows open: %v, %d rows", err, countInstances(t, db))
		}
	})
}

func TestQuerierIsRefusedAfterItsCall(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	var kept storage.Querier
	db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error { kept = q; return nil })
	if _, err := kept.Exec(t.Context(), `SELECT 1`); err == nil {
		t.Error("Exec works after the call")
	}
	if err := kept.QueryRow(t.Context(), `SELECT 1`).Scan(new(int)); err == nil {
		t.Error("QueryRow works after the call")
	}
}

func TestReadersCannotWrite(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
			return insertInstance(ctx, q, "x", 1)
		})
		if err == nil || countInstances(t, db) != 1 {
			t.Errorf("a read wrote: %v", err)
		}
	})
}

func TestUniqueViolationIsAConflict(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		return errors.Join(insertInstance(ctx, tx, "x", 1), insertInstance(ctx, tx, "x", 1))
	})
	if !errors.Is(err, storage.ErrConflict) {
		t.Errorf("error %v", err)
	}
}

func TestMissingRow(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT id FROM instances WHERE id = $1`, "none").Scan(new(string))
	})
	if !errors.Is(err, storage.ErrNoRow) {
		t.Errorf("error %v", err)
	}
}

func TestCollectKeepsOrderAndIsNeverNil(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	scan := func(s storage.Scanner) (n int, err error) {
		err = s.Scan(&n)
		return n, err
	}
	db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		some, err := storage.Collect(ctx, q, scan, `SELECT 3 UNION ALL SELECT 1`)
		if err != nil || len(some) != 2 || some[0] != 3 {
			t.Errorf("%v, %v", some, err)
		}
		none, err := storage.Collect(ctx, q, scan, `SELECT 1 WHERE $1 = 0`, 1)
		if err != nil || none == nil || len(none) != 0 {
			t.Errorf("%v, %v", none, err)
		}
		return nil
	})
}

func TestEveryConnectionHasThePragmas(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenWith(t, storage.Options{Dir: t.TempDir(), Readers: 3})
	check := func(ctx context.Context, q storage.Querier) error {
		for pragma, want := range map[string]string{
			"foreign_keys": "1", "busy_timeout": "5000", "journal_mode": "wal", "synchronous": "1",
		} {
			var got string
			if err := q.QueryRow(ctx, "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s = %q (%v), want %s", pragma, got, err, want)
			}
		}
		return nil
	}
	inThree := make(chan struct{}, 3)
	all := make(chan struct{})
	errs := make(chan error, 3)
	for range 3 { // three at once, so that each has a connection of its own
		go func() {
			errs <- db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
				inThree <- struct{}{}
				<-all
				return check(ctx, q)
			})
		}()
	}
	for range 3 {
		<-inThree
	}
	close(all)
	for range 3 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error { return check(ctx, tx) })
}

func TestEndedContextEndsTheCall(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
			cancel()
			return insertInstance(ctx, tx, "x", 1)
		})
		if !errtypes.Is(err, errtypes.Canceled) || countInstances(t, db) != 1 {
			t.Errorf("error %v, %d rows", err, countInstances(t, db))
		}
	})
}

func TestWritersOfOneProcessQueueUp(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		const writers, each = 8, 25
		errs := make(chan error, writers)
		for range writers {
			go func() {
				var err error
				for range each {
					err = errors.Join(err, db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
						var n int64
						if err := tx.QueryRow(ctx, `SELECT count(*) FROM instances`).Scan(&n); err != nil {
							return err
						}
						return insertInstance(ctx, tx, time.Now().String()+string(rune(n)), n)
					}))
				}
				errs <- err
			}()
		}
		for range writers {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if got := countInstances(t, db); got != writers*each+1 {
			t.Errorf("%d rows, want %d", got, writers*each+1)
		}
	})
}

func TestMillisAndTimeAreInverse(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 2, 3, 4, 5, 6, 789_000_000, time.FixedZone("x", 3600))
	if got := storage.Time(storage.Millis(at)); !got.Equal(at) || got.Location() != time.UTC {
		t.Errorf("%v became %v", at, got)
	}
	if !storage.Time(storage.Millis(time.Time{})).IsZero() {
		t.Error("the zero time is not kept")
	}
}
