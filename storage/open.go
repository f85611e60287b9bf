package storage

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage/internal/statements"
)

// Options configure [Open]. The zero value is a database in memory.
type Options struct {
	// Dir is the data directory. It is made with mode 0700 when it is not
	// there. Several processes may open the same one. Default empty: the
	// database lives in memory and is gone when it is closed.
	Dir string
	// Traces are paths in Dir of files, and of folders with files, that are there
	// only where a database has been. Beside one of them an empty database is
	// refused: its rows were lost. Default none.
	Traces []string
	// BusyTimeout is how long a write waits for a writer in another process.
	// Range 1 ms and up. Default 5 seconds.
	BusyTimeout time.Duration
	// Readers is how many reads may run at the same time. Default 4 or the
	// number of processors, whichever is more.
	Readers int
	// FullSync makes every commit survive the loss of power. Without it the
	// last commits may be lost then, never consistency; the death of the
	// process loses nothing either way. Default false.
	FullSync bool
	// Clock stamps the instance row. Default the system clock.
	Clock clock.Clock
	// Logger hears what is not worth an error. Default discards.
	Logger *slog.Logger
	// Telemetry counts transactions. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
}

func (o Options) withDefaults() Options {
	o.BusyTimeout = cmp.Or(o.BusyTimeout, 5*time.Second)
	o.Readers = cmp.Or(o.Readers, max(4, runtime.NumCPU()))
	o.Clock = cmp.Or(o.Clock, clock.System())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// fileName is the database inside the data directory.
const fileName = "drover.db"

// DB is an open database: one connection that writes and several that read.
type DB struct {
	opts     Options
	name     *url.URL // without what is a pool's own
	writer   *sql.DB
	readers  *sql.DB
	turns    turnstile
	instance *marker
	closed   atomic.Bool
	calls    calls
	metrics  metrics
}

// Open opens the database, brings its schema up to date and registers this
// process as an instance. The context bounds the opening only. Error kinds:
// Conflict for a file that a newer version or another program made, and for one
// that has lost its content; Unavailable for one that cannot be reached or is
// busy.
func Open(ctx context.Context, o Options) (_ *DB, err error) {
	defer errtypes.Wrap(&err, "storage.Open(%q)", o.Dir)
	o = o.withDefaults()
	name, err := dataSource(o)
	if err != nil {
		return nil, err
	}
	db := &DB{opts: o, name: name, turns: newTurnstile(o)}
	if err := db.connect(ctx, name); err != nil {
		return nil, errors.Join(err, db.closePools())
	}
	if err := migrate(ctx, db.writer, migrations()); err != nil {
		return nil, errors.Join(err, db.closePools())
	}
	if err := db.register(ctx); err != nil {
		return nil, errors.Join(err, db.closePools())
	}
	db.metrics = newMetrics(o)
	return db, nil
}

// dataSource returns the URL of the database without per-pool parameters, and
// makes the data directory.
func dataSource(o Options) (*url.URL, error) {
	if o.Dir == "" {
		// Every connection of the process that names the same memdb shares it:
		// a fresh name keeps databases apart.
		return &url.URL{Scheme: "file", Path: "/" + rand.Text(), RawQuery: "vfs=memdb"}, nil
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "the data directory cannot be made").WithCause(err)
	}
	path, err := filepath.Abs(filepath.Join(o.Dir, fileName))
	if err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "the data directory cannot be resolved").WithCause(err)
	}
	if err := checkEmptied(path, o); err != nil {
		return nil, err
	}
	if err := makePrivate(path); err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "the database file cannot be made").WithCause(err)
	}
	return &url.URL{Scheme: "file", Path: filepath.ToSlash(path)}, nil
}

// makePrivate makes the file before SQLite does, so that others cannot read it
// even where the directory lets them in; SQLite gives its side files the same
// mode. A file that is there is left alone: to open and close it here would
// drop the locks that this process holds on it.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// connect opens the two pools. All pragmas stand in the name, because a PRAGMA
// statement would reach only one connection of a pool.
func (db *DB) connect(ctx context.Context, name *url.URL) (err error) {
	sync := "NORMAL"
	if db.opts.FullSync {
		sync = "FULL"
	}
	common := url.Values{
		"_busy_timeout": {milliseconds(db.opts.BusyTimeout)},
		"_pragma": {
			"journal_mode(WAL)", "synchronous(" + sync + ")", "foreign_keys(1)",
			"journal_size_limit(67108864)", "temp_store(MEMORY)",
			"secure_delete(1)", // what is deleted, such as a sealed key, is overwritten
		},
		"_dqs": {"0"},
	}
	// What a transaction changes stays in memory until it is committed, if it is not huge.
	if db.writer, err = openPool(ctx, name, common, url.Values{"_txlock": {"immediate"}, "_pragma": {"cache_size(-16384)"}}, 1); err != nil {
		return err
	}
	db.readers, err = openPool(ctx, name, common, url.Values{"_pragma": {"query_only(1)"}}, db.opts.Readers)
	return err
}

func openPool(ctx context.Context, name *url.URL, common, own url.Values, size int) (*sql.DB, error) {
	q := name.Query()
	for _, values := range []url.Values{common, own} {
		for k, v := range values {
			q[k] = append(q[k], v...)
		}
	}
	u := *name
	u.RawQuery = q.Encode()
	connector, err := sqlite.NewConnector(u.String())
	if err != nil {
		return nil, convert(ctx, err)
	}
	pool := sql.OpenDB(statements.Connector(connector))
	// An idle connection is never dropped: a database in memory lives as long
	// as its connections do.
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(convert(ctx, err), pool.Close())
	}
	return pool, nil
}

// Clock returns the clock the database was opened with.
func (db *DB) Clock() clock.Clock { return db.opts.Clock }

// Dir returns the data directory; empty for a database in memory.
func (db *DB) Dir() string { return db.opts.Dir }

// Close ends this instance and closes the connections. Calls still running
// fail. It is idempotent.
func (db *DB) Close() error {
	if db.closed.Swap(true) {
		return nil
	}
	return errors.Join(db.unregister(), db.closePools())
}

func (db *DB) closePools() error {
	var errs []error
	for _, pool := range []*sql.DB{db.readers, db.writer} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}
