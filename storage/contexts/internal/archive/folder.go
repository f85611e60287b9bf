package archive

import (
	"archive/tar"
	"bufio"
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/drover-go/drover/errtypes"
)

// Limits bound a folder.
type Limits struct {
	// MaxBytes is how much the files may come to.
	MaxBytes int64
	// MaxFiles is how many files and folders there may be.
	MaxFiles int
}

func (l Limits) check(bytes int64, files int) error {
	switch {
	case bytes > l.MaxBytes:
		return errtypes.New(errtypes.TooLarge, "the profile is larger than the %d bytes that a context may have", l.MaxBytes)
	case files > l.MaxFiles:
		return errtypes.New(errtypes.TooLarge, "the profile has more than the %d files that a context may have", l.MaxFiles)
	}
	return nil
}

// Stats tell what a folder comes to.
type Stats struct {
	Files int
	Bytes int64
}

// Pack writes the folder to w, encrypted for the owner of the key. Only files
// and folders count: a link in a profile leads nowhere else. Error kind TooLarge
// beyond the limits.
func Pack(ctx context.Context, w io.Writer, dir string, public *rsa.PublicKey, contextID string, l Limits) (s Stats, err error) {
	e, err := newEncrypter(w, public, contextID)
	if err != nil {
		return s, err
	}
	z, err := zstd.NewWriter(e, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return s, err
	}
	t := tar.NewWriter(z)
	if s, err = PackPlain(ctx, t, dir, l); err != nil {
		z.Reset(io.Discard) // what it holds is not wanted any more
		return s, errors.Join(err, z.Close())
	}
	return s, errors.Join(t.Close(), z.Close(), e.Close())
}

// PackPlain writes the files of the folder. It does not close t.
func PackPlain(ctx context.Context, t *tar.Writer, dir string, l Limits) (s Stats, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		size, err := packOne(t, root, name, d)
		s.Bytes, s.Files = s.Bytes+size, s.Files+1
		return errors.Join(err, l.check(s.Bytes, s.Files))
	})
	return s, err
}

func packOne(t *tar.Writer, root *os.Root, name string, d fs.DirEntry) (int64, error) {
	if d.IsDir() {
		return 0, t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o700})
	}
	if !d.Type().IsRegular() {
		return 0, nil
	}
	f, err := root.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime()}); err != nil {
		return 0, err
	}
	_, err = io.Copy(t, io.LimitReader(f, info.Size()))
	return info.Size(), err
}

// Unpack writes the files of an archive into a folder that is there and empty.
// Its error is [ErrDamaged] before anything has been written, of kind TooLarge
// beyond the limits, or of kind Unavailable for what the disk says.
func Unpack(ctx context.Context, r io.ReadSeeker, size int64, dir string, private *rsa.PrivateKey, contextID string, l Limits) (s Stats, err error) {
	d, err := newDecrypter(r, size, private, contextID)
	if err != nil {
		return s, err
	}
	z, err := zstd.NewReader(d, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return s, err
	}
	defer z.Close()
	return UnpackPlain(ctx, tar.NewReader(z), dir, l)
}

// UnpackPlain writes the files of a tar file, which is not trusted, into a
// folder that is there and empty. Error kinds: TooLarge; Unavailable for what
// the disk says.
func UnpackPlain(ctx context.Context, t *tar.Reader, dir string, l Limits) (Stats, error) {
	return unpackAll(ctx, t, dir, l, func() {})
}

// unpackAll calls before ahead of each entry, and of the end.
func unpackAll(ctx context.Context, t *tar.Reader, dir string, l Limits, before func()) (s Stats, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, ofDisk(err)
	}
	defer root.Close()
	made := folders{}
	for {
		before()
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return s, err
		}
		s.Bytes, s.Files = s.Bytes+h.Size, s.Files+1+made.add(h, l.MaxFiles)
		if err := l.check(s.Bytes, s.Files); err != nil {
			return s, err
		}
		if err := unpackOne(root, h, t); err != nil {
			return s, err
		}
	}
}

// folders are those that a tar file has named, or that are there because
// something is in them.
type folders map[string]bool

// add takes in the folders that an entry needs, and returns how many of them are
// new and have had no entry of their own; it stops beyond most.
func (f folders) add(h *tar.Header, most int) (implied int) {
	name := path.Clean(h.Name)
	for at := path.Dir(name); at != "." && at != "/" && !f[at] && implied <= most; at = path.Dir(at) {
		f[at] = true
		implied++
	}
	if h.Typeflag == tar.TypeDir {
		f[name] = true
	}
	return implied
}

func unpackOne(root *os.Root, h *tar.Header, content io.Reader) error {
	name := path.Clean(h.Name)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%q is no place in a folder", h.Name)
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return ofEntry(h.Name, root.MkdirAll(name, 0o700))
	case tar.TypeReg:
		return unpackFile(root, name, content)
	}
	return fmt.Errorf("%q is neither a file nor a folder", h.Name)
}

func unpackFile(root *os.Root, name string, content io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return ofEntry(name, err)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return ofEntry(name, err)
	}
	w := bufio.NewWriterSize(diskWriter{f}, chunk)
	if _, err = w.ReadFrom(content); err == nil {
		err = w.Flush()
	}
	return cmp.Or(err, ofDisk(f.Close()))
}
