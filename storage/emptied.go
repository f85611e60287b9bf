package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
)

// checkEmptied refuses a database file of no bytes beside what only a database
// can have left: SQLite would take it for a new one, and drop the log beside it.
// Who was killed while making a database leaves an empty file alone.
func checkEmptied(path string, o Options) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 0 {
		return nil // whatever is wrong shows when it is opened
	}
	for _, trace := range append([]string{fileName + "-wal"}, o.Traces...) {
		found, err := holdsFile(filepath.Join(o.Dir, trace))
		if err != nil {
			return errtypes.New(errtypes.Unavailable, "the data directory cannot be read").WithCause(err)
		}
		if found {
			return errtypes.New(errtypes.Conflict, "the database file %s is empty, and what belongs to its content is there: %s. "+
				"Put the file back from a backup. To start anew, and lose the rest, move it and what lies beside it away", path, trace)
		}
	}
	return nil
}

// holdsFile reports whether there is a file that is not empty at path, or any
// file below.
func holdsFile(path string) (found bool, err error) {
	err = filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && (at != path || info.Size() > 0) {
			found, err = true, fs.SkipAll
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return found, err
}
