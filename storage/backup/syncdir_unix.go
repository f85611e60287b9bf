//go:build unix

package backup

import (
	"errors"
	"os"
)

// syncDir makes renames in a directory survive the loss of power.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
