// Package coding undoes the content codings of what callers send: gzip, deflate
// and br, each as RFC 9110 means it.
package coding

import (
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

// Error is what is wrong with a coding itself, not with reading.
type Error struct {
	// Coding is its name.
	Coding string
	cause  error
}

// Error returns the name and what is wrong.
func (e *Error) Error() string { return fmt.Sprintf("bad %s: %v", e.Coding, e.cause) }

// Unwrap returns what the decoder said.
func (e *Error) Unwrap() error { return e.cause }

// decoders undo codings, by name.
var decoders = map[string]func(Source) (io.Reader, error){
	"gzip":    func(r Source) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": func(r Source) (io.Reader, error) { return zlib.NewReader(r) },
	"br":      func(r Source) (io.Reader, error) { return brotli.NewReader(r), nil },
}

// Known reports whether NewReader undoes the coding with that name.
func Known(coding string) bool { return decoders[coding] != nil }

// decoder tells errors of the coding from errors of the connection below.
type decoder struct {
	coding string
	below  *errorKeeper
	r      io.Reader
}

// NewReader undoes a coding that is known. What is wrong with it is an [*Error];
// errors of r come as they are.
func NewReader(coding string, r Source) (io.Reader, error) {
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
	return &Error{d.coding, err}
}

// Source is what a coding is read from, not a byte beyond its end.
type Source interface {
	io.Reader
	io.ByteReader
}

// errorKeeper remembers the first error of a reader other than its end.
type errorKeeper struct {
	r   Source
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
