package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/disk"
)

// ofEntry is what is said when a file or folder of an archive cannot be made:
// whether that is the archive's fault or the disk's, and no path of the host.
func ofEntry(name string, err error) error {
	if err == nil {
		return nil
	}
	err = bare(err)
	if n, ok := errors.AsType[syscall.Errno](err); !ok || namesFault(n) {
		return fmt.Errorf("%q cannot be made: %w", name, err)
	}
	return ofDisk(err)
}

// namesFault reports whether the name of a file is to blame, or another file
// that has it.
func namesFault(n syscall.Errno) bool {
	switch n {
	case syscall.EEXIST, syscall.ENOTDIR, syscall.EISDIR, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ELOOP:
		return true
	}
	return false
}

// ofDisk is what is said when the disk does not take what is written.
func ofDisk(err error) error {
	if err == nil {
		return nil
	}
	err = bare(err)
	if disk.IsFull(err) {
		return errtypes.New(errtypes.Unavailable, "the disk where profiles are unpacked is full").WithCause(err)
	}
	return errtypes.New(errtypes.Unavailable, "the profile cannot be written where it is unpacked").WithCause(err)
}

// bare takes off where it happened.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// diskWriter writes a file, and says of what goes wrong that the disk did it.
type diskWriter struct{ f *os.File }

func (w diskWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	return n, ofDisk(err)
}
