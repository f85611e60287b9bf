package storage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
)

// Instance is one opening of the database by one process. It is alive exactly
// as long as the operating system holds the lock on its marker file, so a
// process that is killed is known to be dead at once, and one that is merely
// slow never is.
type Instance struct {
	ID        string
	StartedAt time.Time
	// Self is true for the instance that asks.
	Self bool
	// Alive is true while the process that opened it lives.
	Alive bool
}

// marker is the locked file of this instance. A database in memory has none:
// nobody else can see it.
type marker struct {
	id   string
	lock *flock.Flock
}

// InstanceID returns the id of this opening of the database.
func (db *DB) InstanceID() string { return db.instance.id }

func (db *DB) markerPath(id string) string {
	return filepath.Join(db.opts.Dir, "instances", id+".lock")
}

// register locks the marker before the row is written, so that a row without
// a locked marker always belongs to the dead.
func (db *DB) register(ctx context.Context) error {
	db.instance = &marker{id: ids.New()}
	if db.opts.Dir != "" {
		if err := db.lockMarker(); err != nil {
			return errtypes.New(errtypes.Unavailable, "the data directory does not take lock files").WithCause(err)
		}
	}
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO instances (id, started_at) VALUES ($1, $2)`,
			db.instance.id, Millis(db.opts.Clock.Now()))
		return err
	})
}

func (db *DB) lockMarker() error {
	path := db.markerPath(db.instance.id)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return errors.Join(err, errors.New("a new lock file is already locked"))
	}
	db.instance.lock = lock
	return nil
}

// unregisterTime is what closing waits for the row to go, however impatient the
// database was opened.
const unregisterTime = 5 * time.Second

// unregister removes the row, then the marker.
func (db *DB) unregister() error {
	ctx, cancel := context.WithTimeout(context.Background(), max(db.opts.BusyTimeout, unregisterTime))
	defer cancel()
	err := db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM instances WHERE id = $1`, db.instance.id)
		return err
	})
	if db.instance.lock != nil {
		err = errors.Join(err, os.Remove(db.instance.lock.Path()), db.instance.lock.Unlock())
	}
	return err
}

// Instances returns every opening of the database that is known, oldest first.
func (db *DB) Instances(ctx context.Context) (_ []Instance, err error) {
	defer errtypes.Wrap(&err, "storage.Instances")
	var all []Instance
	err = db.Read(ctx, func(ctx context.Context, q Querier) error {
		all, err = Collect(ctx, q, scanInstance, `SELECT id, started_at FROM instances ORDER BY started_at, id`)
		return err
	})
	for i := range all {
		all[i].Self = all[i].ID == db.instance.id
		all[i].Alive = all[i].Self || db.alive(all[i].ID)
	}
	return all, err
}

func scanInstance(s Scanner) (Instance, error) {
	var in Instance
	var started int64
	err := s.Scan(&in.ID, &started)
	in.StartedAt = Time(started)
	return in, err
}

// Alive reports whether the process of an instance lives, of any that was ever
// known. It asks no row, so that it may be called in a transaction: an instance
// lives from before its row is there.
func (db *DB) Alive(id string) bool { return id == db.instance.id || db.alive(id) }

// alive tells whether somebody holds the lock of the instance's marker.
func (db *DB) alive(id string) bool {
	lock, dead := db.seizeMarker(id)
	if dead && lock != nil {
		lock.Unlock()
	}
	return !dead
}

// seizeMarker locks the marker of a dead instance. dead without a lock means
// that the file is gone, which its owner does last.
func (db *DB) seizeMarker(id string) (lock *flock.Flock, dead bool) {
	if db.opts.Dir == "" {
		return nil, true
	}
	lock = flock.New(db.markerPath(id), flock.SetFlag(os.O_RDWR)) // never makes the file
	ok, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true
	}
	return lock, err == nil && ok
}

// BuryDead calls bury for every instance whose process has died, each in a
// write transaction of its own, and removes the instance afterwards. No other
// process buries the same instance at the same time. If bury fails, the
// instance stays for the next call.
func (db *DB) BuryDead(ctx context.Context, bury func(ctx context.Context, tx *Tx, dead Instance) error) (err error) {
	defer errtypes.Wrap(&err, "storage.BuryDead")
	all, err := db.Instances(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, in := range all {
		if !in.Alive {
			errs = append(errs, db.buryOne(ctx, in, bury))
		}
	}
	return errors.Join(errs...)
}

func (db *DB) buryOne(ctx context.Context, in Instance, bury func(context.Context, *Tx, Instance) error) error {
	lock, dead := db.seizeMarker(in.ID)
	if !dead {
		return nil // another process is at it
	}
	err := db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Exec(ctx, `DELETE FROM instances WHERE id = $1`, in.ID)
		if err != nil || n == 0 {
			return err // somebody was faster
		}
		return bury(ctx, tx, in)
	})
	if lock == nil {
		return err
	}
	if err == nil {
		err = os.Remove(lock.Path())
	}
	return errors.Join(err, lock.Unlock())
}
