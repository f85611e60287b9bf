package extensions

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/drover-go/drover/errtypes"
)

// contents are what an archive holds once it has been checked.
type contents struct {
	manifest manifest
	// files are what is to be written, without the manifest and directories.
	files    []*zip.File
	names    *names
	unpacked int64
	// key is the developer's, in the header of a CRX archive; nil for none.
	key []byte
	// keyFault tells why such a header has no key.
	keyFault *errtypes.Error
}

// invalid is a fault of the file that was uploaded.
func invalid(format string, args ...any) *errtypes.Error {
	return errtypes.Field("file", format, args...)
}

// read checks an archive: its names before anything is read, then its manifest.
// The contents of the other files are checked while they are read.
func (l Limits) read(r io.ReaderAt, size int64) (contents, error) {
	before, err := readPreface(r, size)
	if err != nil {
		return contents{}, err
	}
	start := before.start
	m := &metered{r: io.NewSectionReader(r, start, size-start), left: l.directoryBytes()}
	z, err := zip.NewReader(m, size-start)
	switch {
	case m.left < 0:
		return contents{}, invalid("has more than %d files and directories", l.MaxFiles)
	case m.err != nil:
		return contents{}, m.err
	case err != nil:
		return contents{}, errNoZip.WithCause(err)
	}
	m.free = true // what follows has limits of its own
	c, err := l.checked(z.File, size)
	if err != nil {
		return c, err
	}
	c.key, err = before.developerKey(r)
	if errors.As(err, &c.keyFault) { // of the archive, and not of who reads it
		err = nil
	}
	return c, err
}

func (l Limits) checked(entries []*zip.File, size int64) (c contents, err error) {
	if len(entries) > l.MaxFiles {
		return c, invalid("has more than %d files and directories", l.MaxFiles)
	}
	names := newNames(l)
	var root *zip.File
	for _, f := range entries {
		if err := names.add(f); err != nil {
			return c, err
		}
		if c.unpacked, err = l.weigh(c.unpacked, f, size); err != nil {
			return c, err
		}
		switch {
		case f.Name == manifestName:
			root = f
		case !f.Mode().IsDir() && !ignored(f.Name):
			c.files = append(c.files, f)
		}
	}
	if root == nil {
		return c, noManifest(entries)
	}
	text, err := readManifest(root)
	if err != nil {
		return c, err
	}
	if c.manifest, err = parseManifest(text); err != nil {
		return c, err
	}
	c.names = names
	return c, c.manifest.checkLocale(names)
}

// freeBytes is what an archive may hold however small it is.
const freeBytes = 8 << 20

// weigh adds the size of an entry to that of those before it.
func (l Limits) weigh(sum int64, f *zip.File, archive int64) (int64, error) {
	if f.UncompressedSize64 > uint64(l.MaxUnpacked) {
		return 0, invalid("holds more than %d bytes when it is unpacked", l.MaxUnpacked)
	}
	sum += int64(f.UncompressedSize64)
	switch {
	case sum > l.MaxUnpacked:
		return 0, invalid("holds more than %d bytes when it is unpacked", l.MaxUnpacked)
	case sum > freeBytes && sum/l.MaxRatio > archive:
		return 0, invalid("holds more than %d times its size when it is unpacked", l.MaxRatio)
	}
	return sum, nil
}

// verify checks what an upload must be beyond what can be unpacked, and reads
// everything once: what is whole now can be unpacked later.
func (c contents) verify(ctx context.Context) error {
	if c.keyFault != nil {
		return c.keyFault
	}
	if err := c.checkMessages(); err != nil {
		return err
	}
	if err := c.manifest.checkReferences(c.names); err != nil {
		return err
	}
	for _, f := range c.files {
		if err := copyEntry(ctx, io.Discard, f); err != nil {
			return err
		}
	}
	return nil
}

// copyEntry writes the content of an entry, which is no longer than its header
// says and has the sum that stands there, or fails.
func copyEntry(ctx context.Context, w io.Writer, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return damaged(f, err)
	}
	defer r.Close()
	_, err = io.Copy(w, &reading{ctx, r, f})
	return err
}

// reading tells faults of the archive from those of who writes.
type reading struct {
	ctx context.Context
	r   io.Reader
	f   *zip.File
}

func (r *reading) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		err = damaged(r.f, err)
	}
	return n, err
}

func damaged(f *zip.File, err error) error {
	if known := (*errtypes.Error)(nil); errors.As(err, &known) {
		return err
	}
	if lost := (*fs.PathError)(nil); errors.As(err, &lost) { // ours, and not the archive's
		return err
	}
	return invalid("is damaged: %s cannot be unpacked", quoted(f.Name)).WithCause(err)
}

// metered fails when more is read than there may be of an archive's directory:
// its entries are kept in memory before anybody can count them.
type metered struct {
	r    io.ReaderAt
	left int64
	free bool
	err  error // of the reader itself
}

// directoryBytes are what the directory of an archive may take, and the search
// for it.
func (l Limits) directoryBytes() int64 {
	const search, entry = 256 << 10, 512
	return search + int64(l.MaxFiles)*entry
}

func (m *metered) ReadAt(p []byte, off int64) (int, error) {
	if !m.free {
		if m.left -= int64(len(p)); m.left < 0 {
			return 0, io.ErrUnexpectedEOF
		}
	}
	n, err := m.r.ReadAt(p, off)
	if err != nil && err != io.EOF && m.err == nil {
		m.err = err
	}
	return n, err
}
