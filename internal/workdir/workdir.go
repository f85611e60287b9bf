// Package workdir makes directories for temporary files that do not outlive
// their owner for long, however that ends.
//
// A directory is Drover's by its name and its owner's by the lock on a file in
// it. The lock goes with the process that holds it, so a directory whose lock
// is free has lost its owner and is removed by whoever starts next. Process ids
// would not do, since the system hands them out again.
package workdir

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/drover-go/drover/errtypes"
)

// A Dir is a directory that this process owns.
type Dir struct {
	path string
	lock *flock.Flock
	// release gives back the room that is set aside for it; nil for none.
	release func()
}

const lockName = "owner.lock"

// New makes a directory in temp, whose name begins with the prefix, and locks
// it. Only its owner can read it.
func New(temp, prefix string) (_ *Dir, err error) {
	defer errtypes.Wrap(&err, "workdir.New(%q, %q)", temp, prefix)
	var errs []error
	for range 10 { // a sweep elsewhere may take a new directory for an orphan
		path, err := os.MkdirTemp(temp, prefix)
		if err != nil {
			return nil, err
		}
		lock, err := own(path)
		if err == nil {
			return &Dir{path: path, lock: lock}, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// Path is where the directory is.
func (d *Dir) Path() string { return d.path }

// Remove removes the directory with all that is in it.
func (d *Dir) Remove() error {
	if d.release != nil {
		defer d.release()
	}
	return errors.Join(removeOwned(d.path), d.lock.Close())
}

var errTaken = errors.New("the directory has another owner")

// own takes the lock of a directory. It fails if another process has it, or
// has removed the directory meanwhile.
func own(path string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(path, lockName), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err == nil && (!ok || !stillThere(lock)) {
		err = errTaken
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// stillThere reports whether the locked file is the one that others see. It
// may have been removed between opening and locking it.
func stillThere(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	seen, err := os.Lstat(lock.Path())
	return err == nil && os.SameFile(held, seen)
}

// removeOwned removes a directory that this process has locked, the lock's file
// last, so that a removal that was cut short is taken up by the next sweep.
func removeOwned(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if e.Name() != lockName {
			errs = append(errs, RemoveAll(filepath.Join(path, e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return os.RemoveAll(path)
}
