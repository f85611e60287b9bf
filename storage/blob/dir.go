package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/disk"
)

// DirOptions configure [NewDir].
type DirOptions struct {
	// FullSync makes a completed blob survive the loss of power. Default false.
	FullSync bool
}

// NewDir returns a store in a directory of its own, which is made with mode
// 0700 when it is not there. Several processes may share it. Error kind
// Unavailable.
func NewDir(path string, o DirOptions) (_ Store, err error) {
	defer errtypes.Wrap(&err, "blob.NewDir")
	d := &dir{root: path, opts: o}
	if err := os.MkdirAll(d.unfinished(), 0o700); err != nil {
		return nil, unavailable(err)
	}
	return d, d.dropAbandoned()
}

// abandonedAfter is how long a file that nobody writes to stays unfinished
// before it counts as left by a process that died.
const abandonedAfter = time.Hour

// dropAbandoned removes what processes left that died while they wrote a blob or
// held the store.
func (d *dir) dropAbandoned() error {
	if err := d.dropHeld(); err != nil {
		return err
	}
	files, err := os.ReadDir(d.unfinished())
	if err != nil {
		return unavailable(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || time.Since(info.ModTime()) < abandonedAfter {
			continue // gone meanwhile, or still being written
		}
		if err := os.Remove(filepath.Join(d.unfinished(), f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable(err)
		}
	}
	return nil
}

// dir keeps a blob in a folder named by the first two letters of its key, so
// that no folder grows large. A blob is written in the folder "unfinished" and
// renamed when it is whole.
type dir struct {
	root string
	opts DirOptions
}

func unavailable(err error) error {
	if disk.IsFull(err) {
		return errtypes.New(errtypes.Unavailable, "no space is left on the disk of the data directory").WithCause(err)
	}
	return errtypes.New(errtypes.Unavailable, "the files of the data directory cannot be read or written").WithCause(err)
}

func (d *dir) unfinished() string { return filepath.Join(d.root, "unfinished") }

func (d *dir) path(key string) string { return filepath.Join(d.root, key[:2], key) }

func (d *dir) Put(ctx context.Context, r io.Reader, limit int64) (_ Info, err error) {
	defer errtypes.Wrap(&err, "blob.Put")
	f, err := os.CreateTemp(d.unfinished(), "*")
	if err != nil {
		return Info{}, unavailable(err)
	}
	info, err := d.fill(f, &limited{ctx: ctx, r: r, limit: limit})
	if err != nil {
		return Info{}, errors.Join(err, os.Remove(f.Name()))
	}
	return info, nil
}

// tried is what TryWrite writes: a block, which a full disk has no room for.
var tried [4096]byte

func (d *dir) TryWrite(context.Context) (err error) {
	defer errtypes.Wrap(&err, "blob.TryWrite")
	f, err := os.CreateTemp(d.unfinished(), "*")
	if err != nil {
		return unavailable(err)
	}
	_, err = f.Write(tried[:])
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return unavailable(err)
	}
	return nil
}

// fill copies, hashes, closes and moves the file to its place.
func (d *dir) fill(f *os.File, r io.Reader) (Info, error) {
	defer f.Close() // a second Close does no harm
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(fileWriter{f}, hash), r)
	if err != nil {
		return Info{}, err
	}
	info := Info{Key: newKey(), Size: size, SHA256: [32]byte(hash.Sum(nil))}
	if err := d.settle(f, info.Key); err != nil {
		return Info{}, unavailable(err)
	}
	return info, nil
}

// fileWriter tells a full disk from a reader that failed.
type fileWriter struct{ f *os.File }

func (w fileWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = unavailable(err)
	}
	return n, err
}

func (d *dir) settle(f *os.File, key string) error {
	if d.opts.FullSync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.path(key)), 0o700); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), d.path(key)); err != nil {
		return err
	}
	if d.opts.FullSync {
		return syncDir(filepath.Dir(d.path(key)))
	}
	return nil
}

// syncDir makes a rename durable.
func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *dir) Open(_ context.Context, key string) (_ Reader, err error) {
	defer errtypes.Wrap(&err, "blob.Open")
	if !keyForm.MatchString(key) {
		return nil, notFound(key)
	}
	return openFile(d.path(key), key)
}

// openFile opens the file of a blob, wherever it lies.
func openFile(path, key string) (Reader, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound(key)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(unavailable(err), f.Close())
	}
	return fileReader{f, info.Size()}, nil
}

type fileReader struct {
	*os.File
	size int64
}

func (r fileReader) Size() int64 { return r.size }

func (d *dir) Delete(_ context.Context, key string) (err error) {
	defer errtypes.Wrap(&err, "blob.Delete")
	if !keyForm.MatchString(key) {
		return nil
	}
	held, err := d.held()
	if err == nil && held {
		err = os.Rename(d.path(key), d.aside(key))
	} else if err == nil {
		err = os.Remove(d.path(key))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unavailable(err)
	}
	return nil
}

func (d *dir) All(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			entry, ok := asEntry(path, e)
			if ok && !yield(entry, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Entry{}, unavailable(err))
		}
	}
}

// asEntry skips folders, unfinished files and what is gone by now.
func asEntry(path string, e fs.DirEntry) (Entry, bool) {
	if e.IsDir() || !keyForm.MatchString(e.Name()) || filepath.Base(filepath.Dir(path)) != e.Name()[:2] {
		return Entry{}, false
	}
	info, err := e.Info()
	if err != nil {
		return Entry{}, false
	}
	return Entry{Key: e.Name(), Size: info.Size(), WrittenAt: info.ModTime()}, true
}
