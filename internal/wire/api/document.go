package api

import (
	"bufio"
	"cmp"
	"io"
	"net/http"
	"strconv"
)

// Document is content that is written as it is read or made, at any length.
type Document struct {
	// Name is what the content is to be saved under. Default "": nothing is said
	// of saving it.
	Name string
	// Type is the media type that it is given.
	Type string
	// Status of the answer. Default 200.
	Status int
	// Header has further headers of the answer, unless it is an error. Default
	// none.
	Header http.Header
	// Write writes the content. An error becomes the answer as long as little has
	// been written, and else breaks it off. It is not called for HEAD.
	Write func(w io.Writer) error
}

// documentBuffer is how much of a document is kept back: so much has its length
// said, and can still be replaced by an error.
const documentBuffer = 64 << 10

// Stream implements [Streamer].
func (d *Document) Stream(x *Exchange) {
	w := x.Content(d.Name)
	out := &heldBack{d: d, w: w}
	b := bufio.NewWriterSize(out, documentBuffer)
	if x.R.Method != http.MethodHead {
		// As no bufio.Writer, which another one would take for its own and flush.
		if err := d.Write(struct{ io.Writer }{b}); err != nil {
			out.fail(x, err)
			return
		}
	}
	if w.status == 0 && x.R.Method != http.MethodHead && d.Header.Get("Content-Length") == "" {
		w.Header().Set("Content-Length", strconv.Itoa(b.Buffered()))
	}
	out.begin()
	if err := b.Flush(); err != nil {
		out.fail(x, err)
		return
	}
	w.End()
}

// heldBack writes the headers of a document once something of it is written.
type heldBack struct {
	d *Document
	w *Content
}

func (h *heldBack) Write(p []byte) (int, error) {
	h.begin()
	return h.w.Write(p)
}

func (h *heldBack) begin() {
	if h.w.status != 0 {
		return
	}
	for name, values := range h.d.Header {
		h.w.Header()[name] = values
	}
	h.w.Header().Set("Content-Type", h.d.Type)
	h.w.WriteHeader(cmp.Or(h.d.Status, http.StatusOK))
}

// fail answers with an error, or breaks off an answer that has begun, so that
// nobody takes it for whole.
func (h *heldBack) fail(x *Exchange, err error) {
	if h.w.status == 0 {
		x.Fail(err)
		return
	}
	x.Record.Err = err
	panic(http.ErrAbortHandler)
}
