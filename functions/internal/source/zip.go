package source

import (
	"archive/zip"
	"context"
	"errors"
	"io"

	"github.com/drover-go/drover/errtypes"
)

// zip unpacks a zip file, which is read where its directory says that its files lie.
func (u *unpacking) zip(ctx context.Context, r io.Reader) ([]string, error) {
	file, ok := r.(io.ReadSeeker)
	if !ok {
		return nil, errtypes.New(errtypes.Invalid, "the archive is a zip file, which cannot be read here")
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(seeker{file}, size)
	if err != nil {
		return nil, broken(err)
	}
	if len(archive.File) > u.o.MaxFiles {
		u.files = u.o.MaxFiles
		return nil, u.count()
	}
	for _, f := range archive.File {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if err := u.zipped(f); err != nil {
			return nil, err
		}
	}
	return u.skipped, nil
}

// zipped unpacks one entry. One of a directory may have content, which is nobody's.
func (u *unpacking) zipped(f *zip.File) error {
	mode := f.Mode()
	if !mode.IsRegular() {
		return u.entry(f.Name, mode, false, nil)
	}
	content, err := f.Open()
	if err != nil {
		return broken(err)
	}
	return errors.Join(u.entry(f.Name, mode, true, content), content.Close())
}

// seeker reads at a place what can seek, one call at a time.
type seeker struct{ r io.ReadSeeker }

func (s seeker) ReadAt(p []byte, at int64) (int, error) {
	if _, err := s.r.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}
