package osuser

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
)

// Give gives a directory, which the host alone has written to or which was taken
// back, to a user, who alone can reach into it then. Files that lie elsewhere, too
// (hard links) stay the host's.
func Give(dir string, uid uint32) (err error) {
	defer errtypes.Wrap(&err, "osuser.Give(%q)", dir)
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil || !e.IsDir() && links(info) > 1 {
			return err
		}
		return os.Lchown(path, int(uid), int(uid))
	})
	if err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// Share lets the processes of a group, and nobody else but the host, read a
// directory of the host's.
func Share(dir string, gid int) error {
	if err := os.Lchown(dir, 0, gid); err != nil {
		return err
	}
	return os.Chmod(dir, 0o750)
}

// GroupOf is the group of a directory.
func GroupOf(dir string) (int, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return 0, err
	}
	return group(info), nil
}

// LetThrough lets everybody reach what lies in a directory of the host's by its
// name, and list nothing.
func LetThrough(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || info.Mode()&0o001 != 0 {
		return err
	}
	return os.Chmod(dir, info.Mode().Perm()|0o001)
}

// Reachable returns an error where a user who is nobody in particular cannot reach
// what a path names. Error kind Unavailable, which names the directory at fault.
func Reachable(path string) (err error) {
	defer errtypes.Wrap(&err, "osuser.Reachable")
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for at := filepath.Dir(real); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return err
		}
		if info.Mode()&0o001 == 0 {
			return errtypes.New(errtypes.Unavailable, "other users cannot reach %s: the directory %s is closed to them", path, at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}
