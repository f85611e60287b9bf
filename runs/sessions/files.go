package sessions

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/drover-go/drover/internal/workdir"
)

// files are where uploads lie: below the data, where the next process finds
// what this one leaves when it is killed. What lives in memory has a directory
// of its own, made with the first upload, that the next process to start knows
// by its lock.
type files struct {
	log *slog.Logger

	mu   sync.Mutex
	root string // empty until it is needed
	own  *workdir.Dir
}

// filesPrefix is how the names of such directories begin.
const filesPrefix = "drover-sessions-"

func (f *files) start(c Config) {
	f.log = c.Logger
	if dir := c.DB.Dir(); dir != "" {
		f.root = filepath.Join(dir, "sessions")
	}
	workdir.Sweep(os.TempDir(), filesPrefix, f.log, nil)
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
