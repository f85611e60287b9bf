// Package statements keeps the prepared statements of a connection, by their text.
// SQLite compiles a statement each time that it is not given a prepared one, which
// takes longer than most statements run; the pool of database/sql keeps none for
// transactions.
package statements

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Kept is how many statements each connection keeps that are not in use; those that
// were used last stay.
const Kept = 200

// longest is the text of a statement that is kept, in bytes. Longer ones are scripts
// that run once.
const longest = 4 << 10

// Connector returns a connector whose connections keep their statements. Those of
// inner implement the interfaces of conn.
func Connector(inner driver.Connector) driver.Connector { return connector{inner} }

type connector struct{ driver.Connector }

// Connect implements [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	inner, ok := opened.(conn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("statements: a connection of %T lacks an interface", c.Connector), opened.Close())
	}
	return &keeper{conn: inner, byText: map[string]*list.Element{}, byAge: list.New()}, nil
}

// conn is what a connection must implement, and what database/sql finds of one that
// keeps its statements. Without a resetter and a validator it would close each
// connection whose transaction is broken off, and a database in memory with it.
type conn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// statement is what a prepared statement of such a connection implements.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keeper is a connection that keeps its statements. database/sql holds the lock of
// the connection during every call, to its rows as well.
type keeper struct {
	conn
	byText map[string]*list.Element
	byAge  *list.List // of prepared: what was used last is in front
}

// prepared is a statement that is not in use.
type prepared struct {
	text string
	stmt statement
}

// ExecContext implements [driver.ExecerContext].
func (k *keeper) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	stmt, err := k.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := stmt.ExecContext(ctx, args)
	if err != nil {
		stmt.Close()
		return nil, err
	}
	return result, k.giveBack(text, stmt)
}

// QueryContext implements [driver.QueryerContext].
func (k *keeper) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	stmt, err := k.take(ctx, text)
	if err != nil {
		return nil, err
	}
	found, err := stmt.QueryContext(ctx, args)
	if err != nil {
		stmt.Close()
		return nil, err
	}
	return &rows{Rows: found, of: k, text: text, stmt: stmt}, nil
}

// take returns a statement that nobody else uses until it is given back: rows of the
// same text may be open.
func (k *keeper) take(ctx context.Context, text string) (statement, error) {
	if e, ok := k.byText[text]; ok {
		return k.forget(e).stmt, nil
	}
	stmt, err := k.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return stmt.(statement), nil
}

// giveBack keeps a statement, unless there is another of its text.
func (k *keeper) giveBack(text string, stmt statement) error {
	if _, another := k.byText[text]; another || len(text) > longest {
		return stmt.Close()
	}
	k.byText[text] = k.byAge.PushFront(prepared{text, stmt})
	if k.byAge.Len() <= Kept {
		return nil
	}
	return k.forget(k.byAge.Back()).stmt.Close()
}

func (k *keeper) forget(e *list.Element) prepared {
	p := k.byAge.Remove(e).(prepared)
	delete(k.byText, p.text)
	return p
}

// Close implements [driver.Conn].
func (k *keeper) Close() error {
	var errs []error
	for k.byAge.Len() > 0 {
		errs = append(errs, k.forget(k.byAge.Front()).stmt.Close())
	}
	return errors.Join(append(errs, k.conn.Close())...)
}

// rows give their statement back when they are closed.
type rows struct {
	driver.Rows
	of   *keeper
	text string
	stmt statement
}

// Close implements [driver.Rows].
func (r *rows) Close() error {
	if r.stmt == nil {
		return nil
	}
	stmt := r.stmt
	r.stmt = nil
	if err := r.Rows.Close(); err != nil {
		stmt.Close()
		return err
	}
	return r.of.giveBack(r.text, stmt)
}
