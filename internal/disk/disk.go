// Package disk tells what errors of files mean.
package disk

import (
	"errors"
	"syscall"
)

// IsFull reports whether an error is that of a disk, or of a quota of it, that has no
// room left.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
