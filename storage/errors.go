package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/drover-go/drover/errtypes"
)

// ErrConflict is a row that a unique constraint refuses. A store turns it into
// the error of its domain.
var ErrConflict = errors.New("storage: a unique constraint refuses the row")

// convert is the only place that knows the codes of the driver. What the
// caller can do something about gets a kind; the rest stays foreign, which
// makes it internal. A call whose context ends is told so: what it meets then is
// the interrupted statement, or a transaction that was rolled back behind it.
func convert(ctx context.Context, err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return errors.Join(ErrConflict, err)
	}
	switch e.Code() & 0xff { // the low byte is the primary code
	case sqlite3.SQLITE_INTERRUPT:
		return cmp.Or(ctx.Err(), err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return errtypes.New(errtypes.Unavailable, "the database is busy; try again").WithCause(err)
	case sqlite3.SQLITE_FULL:
		return errtypes.New(errtypes.Unavailable, "the disk of the database is full").WithCause(err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR:
		return errtypes.New(errtypes.Unavailable, "the database file cannot be read or written").WithCause(err)
	case sqlite3.SQLITE_NOTADB:
		return errtypes.New(errtypes.Conflict, "the file is not a database of Drover").WithCause(err)
	}
	return err
}
