package records

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/coding"
)

// inRow is how many bytes lie in a row; more lie in a blob.
const inRow = 64 << 10

// content are bytes that are kept: in the row, or in a blob.
type content struct {
	data []byte
	blob string
	size int64
}

// keepContent reads all of r, at most limit bytes. A blob that it has written is
// to be dropped unless a row comes to name it. Over the limit it returns what
// tooLarge does.
func (s *service) keepContent(ctx context.Context, r io.Reader, limit int64, tooLarge func() error) (content, error) {
	head, err := io.ReadAll(io.LimitReader(r, inRow+1))
	switch {
	case err != nil:
		return content{}, err
	case int64(len(head)) > limit:
		return content{}, tooLarge()
	case len(head) <= inRow:
		return content{data: head, size: int64(len(head))}, nil
	}
	info, err := s.conf.Blobs.Put(ctx, io.MultiReader(bytes.NewReader(head), r), limit)
	if errtypes.Is(err, errtypes.TooLarge) {
		err = tooLarge()
	}
	return content{blob: info.Key, size: info.Size}, err
}

// open returns the bytes as they are kept.
func (s *service) open(ctx context.Context, c content) (io.ReadCloser, error) {
	if c.blob == "" {
		return io.NopCloser(bytes.NewReader(c.data)), nil
	}
	return s.conf.Blobs.Open(ctx, c.blob)
}

// decoded is a reader that undoes a coding when it is first read.
type decoded struct {
	coding string
	kept   io.ReadCloser
	r      io.Reader
}

func (d *decoded) Read(p []byte) (n int, err error) {
	if d.r == nil {
		if d.r, err = coding.NewReader(d.coding, bufio.NewReader(d.kept)); err != nil {
			return 0, err
		}
	}
	return d.r.Read(p)
}

func (d *decoded) Close() error { return d.kept.Close() }

// readAll reads a content without its coding, at most so many bytes of it.
func (s *service) readAll(ctx context.Context, name string, c content, most int64) ([]byte, error) {
	kept, err := s.open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	var r io.Reader = kept
	if name != "" {
		r = &decoded{coding: name, kept: kept}
	}
	return io.ReadAll(io.LimitReader(r, most))
}

// measure is how many bytes a content has without its coding.
func (s *service) measure(ctx context.Context, c content, name string, limit int64, tooLarge func() error) (int64, error) {
	kept, err := s.open(ctx, c)
	if err != nil {
		return 0, err
	}
	defer kept.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(&decoded{coding: name, kept: kept}, limit+1))
	var bad *coding.Error
	switch {
	case errors.As(err, &bad):
		return 0, errtypes.New(errtypes.Invalid, "the content is not valid %s", name).WithCause(err)
	case err == nil && n > limit:
		return 0, tooLarge()
	}
	return n, err
}
