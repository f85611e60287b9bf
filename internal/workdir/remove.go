package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// RemoveAll removes a path as os.RemoveAll does, and directories that their owner has
// made read-only, too.
func RemoveAll(path string) error {
	err := os.RemoveAll(path)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && err == nil {
			_ = os.Chmod(path, 0o700) // before what is in it is read
		}
		return nil // what is left says so below
	})
	return os.RemoveAll(path)
}
