package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// ErrNested is the use of a database inside one of its own transactions other
// than through the Querier at hand. Inside a write it would wait for itself;
// inside a read it would see another state.
var ErrNested = errors.New("storage: the database was used inside its own transaction; use the Querier")

// Querier runs statements inside a transaction. It is good until the function
// it was handed to returns.
//
// The interface may gain methods; implement it only inside Drover.
type Querier interface {
	// Exec runs a statement and returns how many rows it changed.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Query runs a statement that returns rows. They must be closed before
	// the transaction ends; [Collect] does so.
	Query(ctx context.Context, query string, args ...any) (*Rows, error)
	// QueryRow runs a statement that returns at most one row. No row is
	// [ErrNoRow], from Scan.
	QueryRow(ctx context.Context, query string, args ...any) *Row
}

// Tx is a write transaction.
type Tx struct {
	scope
	afterCommit []func()
}

// AfterCommit runs f once the transaction has been committed, in the order of
// the calls; never if it is rolled back. It is where those who wait are told.
func (tx *Tx) AfterCommit(f func()) { tx.afterCommit = append(tx.afterCommit, f) }

// Read runs fn in a read transaction: everything it reads is of one moment.
// Use the context that fn is given for the calls inside. [ErrNested] inside
// another transaction of the database.
func (db *DB) Read(ctx context.Context, fn func(ctx context.Context, q Querier) error) error {
	inner, err := db.enter(ctx)
	if err != nil {
		return err
	}
	err = db.read(inner, fn)
	db.metrics.read(err)
	return err
}

// ReadOne is [DB.Read] for what is one value.
func ReadOne[T any](ctx context.Context, db *DB, read func(ctx context.Context, q Querier) (T, error)) (v T, err error) {
	err = db.Read(ctx, func(ctx context.Context, q Querier) error {
		v, err = read(ctx, q)
		return err
	})
	return v, err
}

func (db *DB) read(ctx context.Context, fn func(ctx context.Context, q Querier) error) error {
	t, err := db.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return db.beginError(ctx, err)
	}
	defer t.Rollback() // reading needs no commit
	defer db.calls.begin()()
	s := &scope{tx: t}
	err = fn(ctx, s)
	return joinOne(err, s.end())
}

// Write runs fn in the write transaction and commits if it returns nil. An
// error or a panic rolls everything back. Use the context that fn is given for
// the calls inside. Processes that write the same file take turns, a transaction
// each. Error kind Unavailable when another process writes for longer than the
// busy timeout; [ErrNested] inside another transaction of the
// database.
func (db *DB) Write(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	inner, err := db.enter(ctx)
	if err != nil {
		return err
	}
	afterCommit, err := db.write(inner, fn)
	db.metrics.wrote(err)
	// The transaction is over: those who are told may use the database.
	for _, f := range afterCommit {
		f()
	}
	return err
}

// write returns what is to be run after the commit; nothing if there was none.
func (db *DB) write(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) (afterCommit []func(), err error) {
	asked := time.Now()
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return nil, db.beginError(ctx, err)
	}
	defer conn.Close()
	t, err := db.turns.begin(ctx, conn)
	if err != nil {
		return nil, db.beginError(ctx, err)
	}
	defer db.metrics.began(asked)()
	defer t.Rollback() // after a commit it does nothing
	defer db.calls.begin()()
	tx := &Tx{scope: scope{tx: t}}
	err = fn(ctx, tx)
	if err = joinOne(err, tx.end()); err != nil {
		return nil, err
	}
	if err := t.Commit(); err != nil {
		return nil, convert(ctx, err)
	}
	return tx.afterCommit, nil
}

func (db *DB) beginError(ctx context.Context, err error) error {
	if db.closed.Load() {
		return errtypes.New(errtypes.Unavailable, "the database is closed").WithCause(err)
	}
	return convert(ctx, err)
}

// joinOne joins two errors but leaves a single one as it is.
func joinOne(a, b error) error {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return errors.Join(a, b)
}

// Millis is how a time is stored: Unix milliseconds. The zero time is 0.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time is the inverse of [Millis], in UTC.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func milliseconds(d time.Duration) string {
	return strconv.FormatInt(max(1, d.Milliseconds()), 10)
}
