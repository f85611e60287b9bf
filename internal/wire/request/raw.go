package request

import (
	"io"
	"net/http"
	"strings"
)

// Raw hands over a body of any media type and length as it comes, in the coding
// that it is in, "" for none; an absent one is empty. What goes wrong while it is
// read comes out of the reader, as an error of the kinds of [JSON]. What take leaves
// of a body that it refuses is read and dropped, within the limits.
func Raw(w http.ResponseWriter, r *http.Request, rules Rules, take func(coding string, content io.Reader) error) error {
	b, absent, err := open(w, r, rules.withDefaults())
	switch {
	case err != nil:
		return err
	case absent:
		return take("", strings.NewReader(""))
	}
	defer b.timed.release()
	if b.coding, err = b.codingOf(); err == nil {
		err = take(b.coding, rawReader{b})
	}
	if err != nil {
		b.discard()
	}
	return err
}

// rawReader reads a body without undoing its coding.
type rawReader struct{ *body }

func (r rawReader) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	if err != nil && err != io.EOF {
		err = r.convert(err)
	}
	return n, err
}
