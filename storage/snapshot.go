package storage

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"

	"modernc.org/sqlite"

	"github.com/drover-go/drover/errtypes"
)

// snapshotPages are copied at once: in between the context is looked at, and others of
// the process go first.
const snapshotPages = 32

// backuper is a connection of the driver that copies its database.
type backuper interface {
	NewBackup(uri string) (*sqlite.Backup, error)
}

// Snapshot copies the database, as it is at one moment, into a file that is not
// there yet. It has a connection of its own and holds up no writer, but for that
// of a database in memory, and what is committed meanwhile stays in the log beside
// the database until it is done. progress, if not nil, is told how much is copied,
// in bytes. Of a snapshot that fails a part may be left. Error kind Unavailable.
func (db *DB) Snapshot(ctx context.Context, path string, progress func(done, total int64)) (err error) {
	defer errtypes.Wrap(&err, "storage.Snapshot")
	if _, err := db.enter(ctx); err != nil {
		return err
	}
	if err := makePrivate(path); err != nil {
		return errtypes.New(errtypes.Unavailable, "the copy of the database cannot be made").WithCause(err)
	}
	return db.alone(ctx, func(conn *sql.Conn) error {
		// In a transaction what is copied stays of one moment, however often it is
		// gone on with.
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			return err
		}
		defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		var version int
		if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		return conn.Raw(func(driver any) error { return copyPages(ctx, driver.(backuper), path, progress) })
	})
}

// alone runs fn with a connection that nobody else uses.
func (db *DB) alone(ctx context.Context, fn func(*sql.Conn) error) error {
	name := *db.name
	q := name.Query()
	q.Set("_busy_timeout", milliseconds(db.opts.BusyTimeout))
	q.Set("_pragma", "query_only(1)")
	name.RawQuery = q.Encode()
	pool, err := sql.Open("sqlite", name.String())
	if err != nil {
		return convert(ctx, err)
	}
	conn, err := pool.Conn(ctx)
	if err == nil {
		err = errors.Join(fn(conn), conn.Close())
	}
	return errors.Join(convert(ctx, err), pool.Close())
}

func copyPages(ctx context.Context, from backuper, path string, progress func(done, total int64)) error {
	to, err := fileURL(path, url.Values{"_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}})
	if err != nil {
		return err
	}
	b, err := from.NewBackup(to.String())
	if err != nil {
		return err
	}
	const pageSize = 4096 // what SQLite makes, and no option here changes
	for more := true; more; {
		if err := context.Cause(ctx); err != nil {
			return errors.Join(err, b.Finish())
		}
		if more, err = b.Step(snapshotPages); err != nil {
			b.Finish() // says the same once more
			return err
		}
		runtime.Gosched()
		if total := int64(b.PageCount()); progress != nil {
			progress((total-int64(b.Remaining()))*pageSize, total*pageSize)
		}
	}
	return b.Finish()
}

// fileURL is the name of a database in a file.
func fileURL(path string, query url.Values) (*url.URL, error) {
	path, err := filepath.Abs(path)
	return &url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}, err
}
