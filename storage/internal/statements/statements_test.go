package statements

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"testing"

	"modernc.org/sqlite"
)

// counting counts the statements that connections of SQLite prepare and close.
type counting struct {
	driver.Connector
	prepared, closed int
}

func (c *counting) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countingConn{opened.(conn), c}, nil
}

type countingConn struct {
	conn
	of *counting
}

func (c *countingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	stmt, err := c.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.of.prepared++
	return &countingStmt{stmt.(statement), c.of}, nil
}

type countingStmt struct {
	statement
	of *counting
}

func (s *countingStmt) Close() error {
	s.of.closed++
	return s.statement.Close()
}

// open returns a database with one connection and a table of the numbers 1 to 3.
func open(t *testing.T) (*sql.DB, *counting) {
	inner, err := sqlite.NewConnector(filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{Connector: inner}
	db := sql.OpenDB(Connector(c))
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	run(t, db, "CREATE TABLE t (n INTEGER UNIQUE) STRICT")
	run(t, db, "INSERT INTO t VALUES (1), (2), (3)")
	return db, c
}

func run(t *testing.T, db *sql.DB, text string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func number(t *testing.T, db *sql.DB, text string, args ...any) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), text, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func TestAStatementIsPreparedOnce(t *testing.T) {
	t.Parallel()
	db, c := open(t)
	before := c.prepared
	for i := range 10 {
		run(t, db, "INSERT INTO t VALUES ($1)", 10+i)
		if n := number(t, db, "SELECT n FROM t WHERE n = $1", 10+i); n != 10+i {
			t.Fatalf("found %d for %d", n, 10+i)
		}
	}
	if c.prepared-before != 2 || c.closed != 0 {
		t.Errorf("%d were prepared, %d closed", c.prepared-before, c.closed)
	}
}

// Rows that are open keep their statement for themselves.
func TestAStatementMayBeUsedInsideItself(t *testing.T) {
	t.Parallel()
	db, _ := open(t)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const text = "SELECT n FROM t WHERE n > $1 ORDER BY n"
	var pairs []string
	outer, err := tx.QueryContext(t.Context(), text, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer outer.Close()
	for outer.Next() {
		var a, b int
		if err := outer.Scan(&a); err != nil {
			t.Fatal(err)
		}
		inner, err := tx.QueryContext(t.Context(), text, a)
		if err != nil {
			t.Fatal(err)
		}
		for inner.Next() {
			if err := inner.Scan(&b); err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, fmt.Sprint(a, b))
		}
		inner.Close()
	}
	if got := fmt.Sprint(pairs); outer.Err() != nil || got != "[1 2 1 3 2 3]" {
		t.Errorf("%s, %v", got, outer.Err())
	}
}

// Rows that are given up half way begin anew the next time.
func TestAStatementBeginsAnew(t *testing.T) {
	t.Parallel()
	db, c := open(t)
	before := c.prepared
	for range 3 {
		if n := number(t, db, "SELECT n FROM t ORDER BY n"); n != 1 { // of three rows
			t.Errorf("the first row is %d", n)
		}
	}
	run(t, db, "DELETE FROM t") // no statement is still reading
	if c.prepared-before != 2 {
		t.Errorf("%d were prepared", c.prepared-before)
	}
}

func TestAStatementFollowsTheSchema(t *testing.T) {
	t.Parallel()
	db, _ := open(t)
	number(t, db, "SELECT max(n) FROM t")
	run(t, db, "ALTER TABLE t RENAME TO old")
	run(t, db, "CREATE TABLE t (text TEXT, n INTEGER) STRICT")
	run(t, db, "INSERT INTO t VALUES ('a', 7)")
	if n := number(t, db, "SELECT max(n) FROM t"); n != 7 {
		t.Errorf("the statement reads %d, of the old table", n)
	}
}

func TestAStatementThatFailsIsClosed(t *testing.T) {
	t.Parallel()
	db, c := open(t)
	for range 3 {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO t VALUES ($1)", 1); err == nil {
			t.Fatal("no error")
		}
	}
	if c.closed != 3 {
		t.Errorf("%d of 3 are closed", c.closed)
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO nowhere VALUES ($1)", 1); err == nil {
		t.Error("no error without a table")
	}
}

func TestStatementsAreBounded(t *testing.T) {
	t.Parallel()
	db, c := open(t)
	for i := range 2 * Kept {
		number(t, db, fmt.Sprintf("SELECT %d", i))
		number(t, db, "SELECT 'a' = 'b'") // used all the time: it stays
	}
	if open := c.prepared - c.closed; open != Kept {
		t.Errorf("%d are open", open)
	}
	before := c.prepared
	number(t, db, "SELECT 'a' = 'b'")
	number(t, db, fmt.Sprintf("SELECT %d", 2*Kept-1))
	if c.prepared != before {
		t.Error("what was used last was not kept")
	}
	if err := db.Close(); err != nil || c.prepared != c.closed {
		t.Errorf("%d of %d are closed; %v", c.closed, c.prepared, err)
	}
}

// A transaction that is broken off keeps its connection: a database in memory would
// go with it.
func TestABrokenTransactionKeepsItsConnection(t *testing.T) {
	t.Parallel()
	inner, err := sqlite.NewConnector("file:/statements?vfs=memdb")
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(Connector(inner))
	defer db.Close()
	db.SetMaxOpenConns(1)
	run(t, db, "CREATE TABLE t (n INTEGER) STRICT")
	ctx, cancel := context.WithCancel(t.Context())
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := tx.QueryContext(ctx, "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c")
	if err != nil || !found.Next() {
		t.Fatal(err)
	}
	cancel()
	for found.Next() {
	}
	found.Close()
	if n := number(t, db, "SELECT count(*) FROM t"); n != 0 {
		t.Errorf("%d rows", n)
	}
}
