package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
)

// ErrNoRow is what [Row.Scan] returns when there is no row.
var ErrNoRow = errors.New("storage: no row")

// ErrRowsOpen is a call that ended with rows still open. They have been
// closed; the error says where they were opened.
var ErrRowsOpen = errors.New("storage: rows were left open at the end of the call")

// errEnded is a Querier used after the call that it was handed to.
var errEnded = errors.New("storage: the transaction has ended")

// scope is a transaction and the rows that are open in it. It is used by one
// goroutine at a time, as the connection behind it must be.
type scope struct {
	tx    *sql.Tx
	open  map[*Rows]struct{}
	ended bool
}

func (s *scope) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if s.ended {
		return 0, errEnded
	}
	res, err := s.tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, convert(ctx, err)
	}
	return res.RowsAffected()
}

func (s *scope) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	if s.ended {
		return nil, errEnded
	}
	rows, err := s.tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, convert(ctx, err)
	}
	r := &Rows{ctx: ctx, rows: rows, scope: s}
	runtime.Callers(2, r.opened[:])
	if s.open == nil {
		s.open = map[*Rows]struct{}{}
	}
	s.open[r] = struct{}{}
	return r, nil
}

func (s *scope) QueryRow(ctx context.Context, query string, args ...any) *Row {
	rows, err := s.Query(ctx, query, args...)
	return &Row{rows: rows, err: err}
}

// end closes what was left open and says where it was opened.
func (s *scope) end() error {
	s.ended = true
	var errs []error
	for r := range s.open {
		r.rows.Close()
		errs = append(errs, fmt.Errorf("%w: %s", ErrRowsOpen, r.place()))
	}
	return errors.Join(errs...)
}

// Rows is the result of a query, read one after the other.
type Rows struct {
	ctx    context.Context // of the query: it explains what breaks the rows off
	rows   *sql.Rows
	scope  *scope
	opened [8]uintptr
}

// Next prepares the next row for Scan; false at the end or on an error.
func (r *Rows) Next() bool { return r.rows.Next() }

// Scan copies the columns of the row into dest.
func (r *Rows) Scan(dest ...any) error { return convert(r.ctx, r.rows.Scan(dest...)) }

// Err returns what ended the iteration before its end.
func (r *Rows) Err() error { return convert(r.ctx, r.rows.Err()) }

// Close ends the iteration. It is idempotent.
func (r *Rows) Close() error {
	delete(r.scope.open, r)
	return convert(r.ctx, r.rows.Close())
}

// place names the first caller outside this package's own helpers.
func (r *Rows) place() string {
	frames := runtime.CallersFrames(r.opened[:])
	for {
		f, more := frames.Next()
		if !isOwnHelper(f.Function) || !more {
			return fmt.Sprintf("opened by %s at line %d", f.Function, f.Line)
		}
	}
}

func isOwnHelper(function string) bool {
	switch function {
	case "github.com/drover-go/drover/storage.(*scope).QueryRow",
		"github.com/drover-go/drover/storage.(*Tx).Query":
		return true
	}
	return false
}

// Row is the result of a query for one row.
type Row struct {
	rows *Rows
	err  error
}

// Scan copies the columns into dest and closes the result. Without a row it
// returns [ErrNoRow].
func (r *Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return ErrNoRow
	}
	if err := r.rows.Scan(dest...); err != nil {
		return err
	}
	return r.rows.Close()
}

// Scanner is a row to copy from: [Row] and [Rows] are.
type Scanner interface{ Scan(dest ...any) error }

// Column copies a row of one column.
func Column[T any](s Scanner) (v T, err error) {
	err = s.Scan(&v)
	return v, err
}

// Collect runs a query and returns what scan makes of each row. The result is
// never nil.
func Collect[T any](ctx context.Context, q Querier, scan func(Scanner) (T, error), query string, args ...any) (_ []T, err error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Text is the value of a column of text that is NULL where there is none.
func Text[T ~string | ~[]byte](s T) sql.NullString {
	return sql.NullString{String: string(s), Valid: len(s) > 0}
}

// JSON is the inverse of [Text] for a column of JSON.
func JSON(s sql.NullString) json.RawMessage {
	if !s.Valid {
		return nil
	}
	return json.RawMessage(s.String)
}
