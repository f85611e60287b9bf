package blob

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/drover-go/drover/errtypes"
)

// Hold keeps every blob that was in a store when it began, for a reader that
// takes longer than one call, such as a backup. What is deleted meanwhile, also
// by other processes, is put aside: for everybody else it is gone at once.
type Hold interface {
	// Open returns a blob, also one that was deleted since the hold began. Error
	// kind NotFound.
	Open(ctx context.Context, key string) (Reader, error)
	// Release ends the hold and removes what was put aside. It is idempotent.
	Release() error
}

// errHeld is the answer to a second hold.
func errHeld() error {
	return errtypes.New(errtypes.Conflict, "a backup of these files is under way")
}

// A dirHold is an exclusive lock of a file beside the blobs. Whoever deletes a
// blob looks at the lock after its row is gone: if nobody holds it then, no hold
// that begins later can belong to a reader who still sees the row. The lock goes
// with its process, and what a dead one has put aside with the next sweep.
type dirHold struct {
	*dir
	lock *flock.Flock
}

func (d *dir) holdLock() string { return filepath.Join(d.root, "hold.lock") }

func (d *dir) aside(name string) string { return filepath.Join(d.root, "held", name) }

const (
	holdTime = 2 * time.Second // who looks at the lock has it for microseconds
	holdPoll = 2 * time.Millisecond
)

func (d *dir) Hold(ctx context.Context) (_ Hold, err error) {
	defer errtypes.Wrap(&err, "blob.Hold")
	if err := os.MkdirAll(d.aside(""), 0o700); err != nil {
		return nil, unavailable(err)
	}
	lock := flock.New(d.holdLock(), flock.SetPermissions(0o600))
	wait, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	ok, err := lock.TryLockContext(wait, holdPoll)
	switch {
	case ok:
		return &dirHold{d, lock}, nil
	case ctx.Err() != nil:
		return nil, errors.Join(context.Cause(ctx), lock.Close())
	case wait.Err() != nil:
		return nil, errors.Join(errHeld(), lock.Close())
	default:
		return nil, errors.Join(unavailable(err), lock.Close())
	}
}

// held reports whether somebody holds the blobs.
func (d *dir) held() (bool, error) {
	lock := flock.New(d.holdLock(), flock.SetFlag(os.O_RDWR)) // never makes the file
	free, err := lock.TryRLock()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return err == nil && !free, lock.Close()
}

// Open looks at the place of the blob first: it moves the other way only.
func (h *dirHold) Open(ctx context.Context, key string) (Reader, error) {
	r, err := h.dir.Open(ctx, key)
	if errtypes.Is(err, errtypes.NotFound) && keyForm.MatchString(key) {
		return openFile(h.aside(key), key)
	}
	return r, err
}

func (h *dirHold) Release() (err error) {
	defer errtypes.Wrap(&err, "blob.Release")
	if !h.lock.Locked() {
		return nil
	}
	err = h.dropAside()
	if err = errors.Join(err, h.lock.Close()); err != nil {
		return unavailable(err)
	}
	return h.dropHeld() // what was put aside just now
}

// dropHeld removes what was put aside for a hold that has ended.
func (d *dir) dropHeld() error {
	lock := flock.New(d.holdLock(), flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if free {
		err = d.dropAside()
	}
	if err = errors.Join(err, lock.Close()); err != nil {
		return unavailable(err)
	}
	return nil
}

func (d *dir) dropAside() error {
	files, err := os.ReadDir(d.aside(""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		if gone := os.Remove(d.aside(f.Name())); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// memoryHold has what was deleted since it began.
type memoryHold struct {
	*memory
	gone map[string]memoryBlob
}

func (m *memory) Hold(context.Context) (Hold, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hold != nil {
		return nil, errHeld()
	}
	m.hold = &memoryHold{m, map[string]memoryBlob{}}
	return m.hold, nil
}

func (h *memoryHold) Open(ctx context.Context, key string) (Reader, error) {
	h.mu.RLock()
	b, ok := h.gone[key]
	h.mu.RUnlock()
	if ok {
		return b.open(), nil
	}
	r, err := h.memory.Open(ctx, key)
	if err == nil {
		return r, nil
	}
	h.mu.RLock() // it may have been deleted between the two looks
	defer h.mu.RUnlock()
	if b, ok := h.gone[key]; ok {
		return b.open(), nil
	}
	return nil, err
}

func (h *memoryHold) Release() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hold == h {
		h.hold, h.gone = nil, nil
	}
	return nil
}
