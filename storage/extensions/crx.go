package extensions

import (
	"encoding/binary"
	"errors"
	"io"
)

// crxMagic begins a CRX archive: a ZIP archive behind a header with signatures.
const crxMagic = "Cr24"

// maxHeader is the longest header of a CRX archive, in bytes.
const maxHeader = 1 << 20

var (
	errNoZip      = invalid("must be a ZIP or CRX archive")
	errCRXCut     = invalid("is a CRX archive whose header breaks off")
	errCRXVersion = invalid("is a CRX archive of an unknown version: there are 2 and 3")
	errCRXHeader  = invalid("is a CRX archive whose header is damaged or has more than %d bytes", maxHeader)
	errCRXKey     = invalid("is a CRX archive whose header has no key of 1 to %d bytes that is the one of its id", maxKey)
)

// preface is what stands before the ZIP archive in a file.
type preface struct {
	version int64 // of a CRX archive; 0 for none
	// header is where the header begins that has the keys, and start where it has
	// ended and the ZIP archive begins.
	header, start int64
	// key is how long the key is with which a header of version 2 begins.
	key int64
}

// readPreface wants the preface of a file of that size to be whole, as far as its
// lengths tell.
func readPreface(r io.ReaderAt, size int64) (p preface, err error) {
	head := make([]byte, 16)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return p, err
	}
	switch {
	case n < 4 || string(head[:4]) != crxMagic:
		return p, nil
	case n < len(head):
		return p, errCRXCut
	}
	word := func(at int) int64 { return int64(binary.LittleEndian.Uint32(head[at:])) }
	switch p.version = word(4); p.version {
	case 2:
		p.header, p.start, p.key = 16, 16+word(8)+word(12), word(8) // the key, the signature
	case 3:
		p.header, p.start = 12, 12+word(8)
	default:
		return p, errCRXVersion
	}
	if p.start >= size {
		return p, errCRXCut
	}
	return p, nil
}

// developerKey is the public key by which browsers know the extension, DER; nil
// for a file that is no CRX archive. The signatures with it are not checked: who
// uploads an archive may put any key into its manifest as well.
func (p preface) developerKey(r io.ReaderAt) ([]byte, error) {
	if p.version == 0 {
		return nil, nil
	}
	if p.start-p.header > maxHeader {
		return nil, errCRXHeader
	}
	header := make([]byte, p.start-p.header)
	if _, err := r.ReadAt(header, p.header); err != nil {
		return nil, err
	}
	key, err := header[:p.key], error(nil)
	if p.version == 3 {
		key, err = keyOfHeader(header)
	}
	if err == nil && (len(key) == 0 || len(key) > maxKey) {
		err = errCRXKey
	}
	return key, err
}
