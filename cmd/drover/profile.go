package main

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome"
)

// openProfile opens what is to be imported as a tar file. Close it. Once the
// context has ended, nobody waits for more of it.
func openProfile(ctx context.Context, from string) (io.ReadCloser, error) {
	if from == "-" {
		return untilDone(ctx, func() (io.ReadCloser, error) { return os.Stdin, nil }), nil
	}
	info, err := os.Stat(from)
	switch {
	case err != nil:
		return nil, errtypes.Field("from", "cannot be read").WithCause(err)
	case info.IsDir():
		return packProfile(from)
	case info.Mode().IsRegular():
		return os.Open(from)
	}
	return untilDone(ctx, func() (io.ReadCloser, error) { return os.Open(from) }), nil
}

// untilDone reads what may keep its reader waiting for ever, such as a pipe that
// nobody writes to: even to open that waits. What still waits then is left to
// the end of the process.
func untilDone(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		from, err := open()
		if err == nil {
			_, err = io.Copy(w, from)
			err = errors.Join(err, from.Close())
		}
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { r.CloseWithError(context.Cause(ctx)) })
	return r
}

// packProfile reads a user-data directory as a tar file.
func packProfile(dir string) (io.ReadCloser, error) {
	if info, err := os.Stat(filepath.Join(dir, "Default")); err != nil || !info.IsDir() {
		return nil, errtypes.Field("from", "is no user-data directory: it has no folder Default")
	}
	if err := notInUse(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		defer root.Close()
		w.CloseWithError(writeProfile(w, root.FS()))
	}()
	return r, nil
}

// writeProfile leaves out what a browser makes anew, and what is neither a file
// nor a folder.
func writeProfile(w io.Writer, profile fs.FS) error {
	t := tar.NewWriter(w)
	err := fs.WalkDir(profile, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case chrome.Disposable(name) && d.IsDir():
			return fs.SkipDir
		case chrome.Disposable(name) || !d.IsDir() && !d.Type().IsRegular():
			return nil
		}
		return writeEntry(t, profile, name, d)
	})
	if err != nil {
		return err
	}
	return t.Close()
}

func writeEntry(t *tar.Writer, profile fs.FS, name string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	h, err := tar.FileInfoHeader(info, "")
	if err != nil {
		return err
	}
	if h.Name = name; d.IsDir() {
		h.Name += "/"
	}
	if err := t.WriteHeader(h); err != nil || d.IsDir() {
		return err
	}
	f, err := profile.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(t, f)
	return err
}
