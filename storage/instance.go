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

// Reap calls reap in a write transaction when the process of the instance has
// died, and removes the instance in it. The instance may be one that nobody
// knows any more. No other process reaps the same one at the same time; done is
// false when another one does, or the process lives. If reap fails, the instance
// stays.
func (db *DB) Reap(ctx context.Context, id string, reap func(ctx context.Context, tx *Tx) error) (done bool, err error) {
	defer errtypes.Wrap(&err, "storage.Reap(%q)", id)
	if id == db.instance.id {
		return false, nil
	}
	lock, dead := db.seizeMarker(id)
	if !dead {
		return false, nil
	}
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM instances WHERE id = $1`, id); err != nil {
			return err
		}
		return reap(ctx, tx)
	})
	if lock == nil {
		return err == nil, err
	}
	if err == nil {
		err = os.Remove(lock.Path())
	}
	err = errors.Join(err, lock.Unlock())
	return err == nil, err
}
