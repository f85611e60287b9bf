package sessions

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage"
)

// files are where uploads lie: below the data, where the keeper of another
// process finds what this one leaves when it is killed. What lives in memory has
// a directory of its own, made with the first upload, that others know by its
// lock.
type files struct {
	mu   sync.Mutex
	root string // empty until it is needed
	own  *workdir.Dir
}

// filesPrefix is how the names of such directories begin.
const filesPrefix = "drover-sessions-"

func (f *files) start(c Config) {
	if dir := c.DB.Dir(); dir != "" {
		f.root = filepath.Join(dir, "sessions")
	}
}

// left are the sessions that files below the data are called by.
func (f *files) left() (ids []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root == "" || f.own != nil {
		return nil, nil
	}
	entries, err := os.ReadDir(f.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids, err
}

// sweepUploads removes what dead processes have left of uploads.
func (s *service) sweepUploads(ctx context.Context) error {
	workdir.Sweep(os.TempDir(), filesPrefix, s.conf.Logger, nil)
	ids, err := s.files.left()
	for _, id := range ids {
		open := true
		readErr := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
			open, err = isOpen(ctx, q, id)
			return err
		})
		if !open && readErr == nil {
			readErr = s.files.remove(id)
		}
		err = errors.Join(err, readErr)
	}
	return err
}

// of returns the directory of a session's uploads, which is there then.
func (f *files) of(id string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root == "" {
		own, err := workdir.New(os.TempDir(), filesPrefix)
		if err != nil {
			return "", err
		}
		f.root, f.own = own.Path(), own
	}
	dir := filepath.Join(f.root, id)
	return dir, os.MkdirAll(dir, 0o700)
}

// remove removes what was uploaded to a session.
func (f *files) remove(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root == "" {
		return nil
	}
	return os.RemoveAll(filepath.Join(f.root, id))
}

func (f *files) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.own == nil {
		return nil
	}
	own := f.own
	f.root, f.own = "", nil
	return own.Remove()
}
