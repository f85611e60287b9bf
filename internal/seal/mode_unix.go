//go:build unix

package seal

import (
	"errors"
	"io/fs"
	"os"
)

// othersMay reports whether others than the owner may do anything with a file.
func othersMay(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// syncDir makes a rename in a folder survive the loss of power.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
