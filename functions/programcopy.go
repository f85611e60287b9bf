package functions

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// modulesDir is where installers put what a program depends on.
const modulesDir = "node_modules"

// copyProgram makes a copy of the program in a directory, which it may change, at a
// place where there is nothing yet. What is installed is most of it: that is linked to.
// Links are copied as they are, and not followed.
func copyProgram(ctx context.Context, from, to string) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		return copyEntry(root, e, name, filepath.Join(from, name), filepath.Join(to, name))
	})
}

func copyEntry(root *os.Root, e fs.DirEntry, name, from, to string) error {
	switch {
	case e.Name() == modulesDir:
		if err := os.Symlink(from, to); err != nil || !e.IsDir() {
			return err
		}
		return fs.SkipDir
	case e.IsDir():
		return os.Mkdir(to, 0o755)
	case e.Type() == fs.ModeSymlink:
		target, err := root.Readlink(name)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case e.Type().IsRegular():
		return copyFile(root, name, to)
	}
	return nil
}

// copyFile copies a file with the right to be executed. The system may have both share
// their blocks until one is changed.
func copyFile(root *os.Root, name, to string) (err error) {
	in, err := root.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644|info.Mode().Perm()&0o111)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
