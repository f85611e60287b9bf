package request

import (
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

// codingError is what is wrong with a coding itself, not with reading.
type codingError struct {
	coding string
	cause  error
}

func (e *codingError) Error() string { return fmt.Sprintf("bad %s: %v", e.coding, e.cause) }
func (e *codingError) Unwrap() error { return e.cause }

// decoders undo codings, by name.
var decoders = map[string]func(byteReader) (io.Reader, error){
	"gzip":    func(r byteReader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": func(r byteReader) (io.Reader, error) { return zlib.NewReader(r) },
	"br":      func(r byteReader) (io.Reader, error) { return brotli.NewReader(r), nil },
}

// decoder tells errors of the coding from errors of the connection below.
type decoder struct {
	coding string
	below  *errorKeeper
	r      io.Reader
}

func newDecoder(coding string, r byteReader) (io.Reader, error) {
	d := &decoder{coding: coding, below: &errorKeeper{r: r}}
	var err error
	if d.r, err = decoders[coding](d.below); err != nil {
		return nil, d.classify(err)
	}
	return d, nil
}

func (d *decoder) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, d.classify(err)
}

func (d *decoder) classify(err error) error {
	if d.below.err != nil {
		return d.below.err
	}
	return &codingError{d.coding, err}
}

type byteReader interface {
	io.Reader
	io.ByteReader
}

// errorKeeper remembers the first error of a reader other than its end.
type errorKeeper struct {
	r   byteReader
	err error
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	return n, k.keep(err)
}

func (k *errorKeeper) ReadByte() (byte, error) {
	c, err := k.r.ReadByte()
	return c, k.keep(err)
}

func (k *errorKeeper) keep(err error) error {
	if err != nil && err != io.EOF && k.err == nil {
		k.err = err
	}
	return err
}
