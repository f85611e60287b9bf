package extensions

import (
	"encoding/binary"
	"errors"
	"io"
)

// crxMagic begins a CRX archive: a ZIP archive behind a header with signatures.
const crxMagic = "Cr24"

var (
	errNoZip      = invalid("must be a ZIP or CRX archive")
	errCRXCut     = invalid("is a CRX archive whose header breaks off")
	errCRXVersion = invalid("is a CRX archive of an unknown version: there are 2 and 3")
)

// zipStart is where the ZIP archive begins in a file of that size.
func zipStart(r io.ReaderAt, size int64) (int64, error) {
	head := make([]byte, 16)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	switch {
	case n < 4 || string(head[:4]) != crxMagic:
		return 0, nil
	case n < len(head):
		return 0, errCRXCut
	}
	word := func(at int) int64 { return int64(binary.LittleEndian.Uint32(head[at:])) }
	var start int64
	switch word(4) {
	case 2:
		start = 16 + word(8) + word(12) // the key, the signature
	case 3:
		start = 12 + word(8)
	default:
		return 0, errCRXVersion
	}
	if start >= size {
		return 0, errCRXCut
	}
	return start, nil
}
