package backup

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncTree has the file system write all that is below a directory: one call is
// much faster than one for each of many small files.
func syncTree(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
