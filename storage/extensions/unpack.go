package extensions

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/blob"
)

func (s *service) Unpack(ctx context.Context, id, dir string) (err error) {
	defer errtypes.Wrap(&err, "extensions.Unpack(%q)", id)
	return s.open(ctx, id, func(c contents) error {
		if err := c.manifest.checkDebugger(s.conf.Debugger); err != nil {
			return err
		}
		err := c.writeTo(ctx, dir, id)
		if lost := (*fs.PathError)(nil); errors.As(err, &lost) {
			err = errtypes.New(errtypes.Unavailable, "the extension cannot be unpacked").WithCause(err)
		}
		return err
	})
}

func (s *service) Debugs(ctx context.Context, id string) (asks bool, err error) {
	defer errtypes.Wrap(&err, "extensions.Debugs(%q)", id)
	err = s.open(ctx, id, func(c contents) (err error) {
		asks, err = c.manifest.debugs()
		return err
	})
	return asks, err
}

// open reads the archive of an extension for as long as f needs it.
func (s *service) open(ctx context.Context, id string, f func(contents) error) error {
	r, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	content, err := s.conf.Blobs.Open(ctx, r.blob)
	if errtypes.Is(err, errtypes.NotFound) { // it was deleted just now
		err = notFound(id)
	}
	if err != nil {
		return err
	}
	defer content.Close()
	// What it was checked with may have been more than what is allowed today.
	c, err := anyLimits.read(&seeking{r: content}, content.Size())
	if err != nil {
		return errtypes.New(errtypes.Internal, "the extension's archive is not whole").WithCause(err)
	}
	return f(c)
}

// anyLimits are for an archive that has been let in.
var anyLimits = Limits{MaxFile: 1 << 62, MaxUnpacked: 1 << 62, MaxRatio: 1 << 32, MaxFiles: 1 << 24, MaxPath: 1 << 16, MaxDepth: 1 << 16}

// writeTo writes the files below dir. The root sees to it that none gets out.
func (c contents) writeTo(ctx context.Context, dir, id string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	key := c.key
	if key == nil {
		key = keyOf(id)
	}
	text, err := c.manifest.written(key)
	if err != nil {
		return err
	}
	if err := root.WriteFile(manifestName, text, 0o600); err != nil {
		return err
	}
	for _, f := range c.files {
		if err := writeEntry(ctx, root, f); err != nil {
			return err
		}
	}
	return nil
}

func writeEntry(ctx context.Context, root *os.Root, f *zip.File) (err error) {
	if dir := path.Dir(f.Name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	w, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return copyEntry(ctx, w, f)
}

// seeking reads a blob at any place.
type seeking struct {
	mu sync.Mutex
	r  blob.Reader
}

func (s *seeking) ReadAt(p []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.r.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}
