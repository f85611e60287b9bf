package chrome

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// A workdir holds what the browsers of one provider write. It is Drover's by
// its name and its owner's by the lock on a file in it: the lock goes with the
// process that holds it, however that ends, so a workdir whose lock is free
// has lost its owner and is removed by whoever starts next. Process ids would
// not do, since the system hands them out again.
type workdir struct {
	path string
	lock *flock.Flock
}

const (
	workdirPrefix = "drover-chrome-"
	lockName      = "owner.lock"
)

// Browsers make a socket in their temporary directory, whose name must fit
// into the 107 bytes that Linux has for it. What comes below TempDir:
const socketTail = "/" + workdirPrefix + "4294967295/9999/tmp/org.chromium.Chromium.XXXXXX/SingletonSocket"

// shortEnough returns dir, or the system's directory in place of one whose
// name is too long for the browser's sockets.
func shortEnough(dir string, log *slog.Logger) string {
	if runtime.GOOS != "linux" || len(dir)+len(socketTail) <= 107 {
		return dir
	}
	instead := os.TempDir()
	if len(instead)+len(socketTail) > 107 {
		instead = "/tmp"
	}
	log.Warn("chrome: TempDir is too long for the browser's sockets", "dir", dir, "instead", instead)
	return instead
}

// newWorkdir makes a workdir in temp and locks it.
func newWorkdir(temp string) (*workdir, error) {
	var errs []error
	for range 10 { // a sweep elsewhere may take a new directory for an orphan
		path, err := os.MkdirTemp(temp, workdirPrefix)
		if err != nil {
			return nil, err
		}
		lock, err := own(path)
		if err == nil {
			return &workdir{path: path, lock: lock}, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

var errTaken = errors.New("the directory has another owner")

// own takes the lock of a workdir. It fails if another process has it, or has
// removed the directory meanwhile.
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

// remove ends the workdir: its files first, then the lock.
func (w *workdir) remove() error {
	return errors.Join(removeOwned(w.path), w.lock.Close())
}

// removeOwned removes a workdir that this process has locked, the lock's file
// last, so that a removal that was cut short is taken up by the next sweep.
func removeOwned(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if e.Name() != lockName {
			errs = append(errs, os.RemoveAll(filepath.Join(path, e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// sweep removes the workdirs in temp that have lost their owner, and ends
// browsers that still use them. What cannot be removed is logged and left to
// the next start.
func sweep(temp string, log *slog.Logger) {
	paths, err := filepath.Glob(filepath.Join(globEscape(temp), workdirPrefix+"*"))
	if err != nil {
		log.Warn("chrome: leftovers cannot be looked for", "dir", temp, "error", err)
		return
	}
	for _, path := range paths {
		sweepOne(path, log)
	}
}

func sweepOne(path string, log *slog.Logger) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !ownedByUs(info) {
		return // a link or another user's: not ours to follow or remove
	}
	lock, err := own(path)
	if err != nil {
		return // its owner lives
	}
	defer lock.Close()
	killed := killUsing(path)
	if err := removeOwned(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("chrome: a leftover directory cannot be removed", "dir", path, "error", err)
		return
	}
	log.Info("chrome: removed what a dead process had left", "dir", path, "processes", killed)
}

// globEscape quotes the characters of a directory's name that Glob would read
// as a pattern.
func globEscape(dir string) string {
	var out []rune
	for _, c := range dir {
		if c == '*' || c == '?' || c == '[' || (c == '\\' && filepath.Separator != '\\') {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}
