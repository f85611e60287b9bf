package request

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// errGzip marks what is wrong with the compression itself, not with reading.
var errGzip = errors.New("bad gzip")

// gzipReader tells errors of the coding from errors of the connection below.
type gzipReader struct {
	below *errorKeeper
	gz    *gzip.Reader
}

func newGzipReader(r byteReader) (io.Reader, error) {
	g := &gzipReader{below: &errorKeeper{r: r}}
	gz, err := gzip.NewReader(g.below)
	g.gz = gz
	if err != nil {
		return nil, g.classify(err)
	}
	return g, nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.gz.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, g.classify(err)
}

func (g *gzipReader) classify(err error) error {
	if g.below.err != nil {
		return g.below.err
	}
	return fmt.Errorf("%w: %w", errGzip, err)
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
