package osuser

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/errtypes"
)

// TakeBack makes a directory the host's again that was given to a user of whom no
// process is left: nobody else can write to what is in it, by other names of files
// and files that are open included, and what could be run as its owner cannot. What is
// neither the user's nor the host's is removed, and so is what is neither a file, a
// directory nor a symbolic link. Other users may try to change it meanwhile.
func TakeBack(dir string, uid uint32) (err error) {
	defer errtypes.Wrap(&err, "osuser.TakeBack(%q)", dir)
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return (&taking{uid}).directory(fd, dir, 0)
}

// maxNested is how deep directories may be in each other: each takes a file of the
// host's while it is read.
const maxNested = 200

// taking is a directory that is taken back from a user. Directories are closed to
// others before they are read, from the top down.
type taking struct{ uid uint32 }

// directory takes an open directory back, and closes it.
func (t *taking) directory(fd int, name string, depth int) error {
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	if depth > maxNested {
		return fmt.Errorf("there are more than %d directories in each other", maxNested)
	}
	if err := errors.Join(dir.Chown(0, 0), dir.Chmod(0o755)); err != nil {
		return err
	}
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := t.entry(fd, name, depth); err != nil {
			return &os.PathError{Op: "take back", Path: name, Err: err}
		}
	}
	return nil
}

func (t *taking) entry(parent int, name string, depth int) error {
	var info unix.Stat_t
	if err := unix.Fstatat(parent, name, &info, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	kind := info.Mode & unix.S_IFMT
	switch {
	case info.Uid != t.uid && info.Uid != 0:
		return removeAt(parent, name, kind == unix.S_IFDIR, depth)
	case kind == unix.S_IFDIR:
		fd, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		return t.directory(fd, name, depth+1)
	case kind == unix.S_IFLNK:
		return unix.Fchownat(parent, name, 0, 0, unix.AT_SYMLINK_NOFOLLOW)
	case kind != unix.S_IFREG:
		return unix.Unlinkat(parent, name, 0)
	case info.Uid == 0 && info.Nlink > 1: // the host's own, or one that it did not put here
		if info.Mode&0o022 == 0 {
			return nil
		}
		return unix.Unlinkat(parent, name, 0)
	}
	return t.file(parent, name)
}

// file takes a file back. One that has other names, or that somebody may still write
// to, is replaced by a copy.
func (t *taking) file(parent int, name string) error {
	fd, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	mode := os.FileMode(info.Mode&0o755 | 0o444)
	if mode&0o100 != 0 {
		mode |= 0o111
	}
	if info.Nlink > 1 {
		return replace(parent, name, f, mode)
	}
	if err := errors.Join(f.Chown(0, 0), f.Chmod(mode)); err != nil {
		return err
	}
	if isWrittenTo(fd) { // by who has opened it before
		return replace(parent, name, f, mode)
	}
	return nil
}

// isWrittenTo reports whether a file is open for writing. The kernel refuses a lease to
// read it then, and where the file system has no leases.
func isWrittenTo(fd int) bool {
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return errors.Is(err, unix.EAGAIN)
	}
	_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK) // it ends with the file, too
	return false
}

// replace puts a copy of a file in its place.
func replace(parent int, name string, from io.Reader, mode os.FileMode) error {
	copied := ".drover-" + rand.Text()
	fd, err := unix.Openat(parent, copied, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	to := os.NewFile(uintptr(fd), copied)
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Chmod(mode), to.Close()); err != nil {
		return err
	}
	return unix.Renameat(parent, copied, parent, name)
}

// removeAt removes what has a name in a directory, with all that is in it.
func removeAt(parent int, name string, isDir bool, depth int) error {
	if !isDir {
		return unix.Unlinkat(parent, name, 0)
	}
	if depth > maxNested {
		return fmt.Errorf("there are more than %d directories in each other", maxNested)
	}
	fd, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	if err := errors.Join(dir.Chown(0, 0), dir.Chmod(0o700)); err != nil { // so that nothing comes in meanwhile
		return err
	}
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := removeAt(fd, e.Name(), e.IsDir(), depth+1); err != nil {
			return err
		}
	}
	return unix.Unlinkat(parent, name, unix.AT_REMOVEDIR)
}
