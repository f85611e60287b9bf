package v1

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/filename"
	"github.com/drover-go/drover/storage/downloads"
)

// file is the content of a download as an answer.
type file struct {
	downloads.Download
	content io.ReadSeekCloser
}

// stream lets net/http answer to ranges and conditions. The content is of a
// page's making, so it is never given a type that a browser would show.
func (f *file) stream(x *exchange) {
	defer f.content.Close()
	x.w.Header().Set("Content-Type", fileMedia)
	x.w.Header().Set("ETag", strconv.Quote(f.Checksum()))
	w := newContentWriter(x, f.Filename)
	http.ServeContent(w, x.r, "", f.CreatedAt, f.content)
	w.end()
}

// contentWriter sends an answer that may be large. An error of net/http's
// becomes one of this interface.
type contentWriter struct {
	*exchange
	// name is what the content is to be saved under.
	name    string
	control *http.ResponseController
	status  int
	sent    int64
	// next is what has to be sent until the deadline.
	next int64
}

// timedPiece is how much is sent within the time that an answer may take.
const timedPiece = 1 << 20

func newContentWriter(x *exchange, name string) *contentWriter {
	return &contentWriter{exchange: x, name: name, control: http.NewResponseController(x.w)}
}

func (w *contentWriter) Header() http.Header { return w.w.Header() }

func (w *contentWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	if !w.failed() {
		w.started = true
		w.extend()
		w.guard()
		w.w.WriteHeader(status)
	}
}

// guard has the content saved, and shown by nobody.
func (w *contentWriter) guard() {
	h := w.Header()
	h.Set("Content-Disposition", filename.Attachment(w.name))
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
}

func (w *contentWriter) failed() bool { return w.status >= http.StatusBadRequest }

// extend moves the deadline on.
func (w *contentWriter) extend() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.opts.AnswerTimeout))
	w.next = w.sent + timedPiece
}

func (w *contentWriter) Write(p []byte) (n int, err error) {
	w.WriteHeader(http.StatusOK)
	if w.failed() {
		return len(p), nil // text for people, of net/http's
	}
	for piece := range slices.Chunk(p, timedPiece) {
		if w.sent >= w.next {
			w.extend()
		}
		more, err := w.w.Write(piece)
		n += more
		w.sent += int64(more)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// end finishes the answer. One that is not whole is broken off, so that nobody
// takes it for that.
func (w *contentWriter) end() {
	if w.failed() {
		w.refuse()
		return
	}
	_ = w.control.Flush()
	_ = w.control.SetWriteDeadline(time.Time{})
	length, err := strconv.ParseInt(w.Header().Get("Content-Length"), 10, 64)
	if err == nil && w.sent < length && w.r.Method != http.MethodHead {
		if w.record.Err == nil { // net/http does not say why
			w.record.Err = io.ErrUnexpectedEOF
		}
		panic(http.ErrAbortHandler)
	}
}

// refuse answers with an error instead of the content.
func (w *contentWriter) refuse() {
	h := w.Header()
	for _, name := range []string{"Accept-Ranges", "Content-Length", "Etag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store") // net/http takes it away
	switch w.status {
	case http.StatusRequestedRangeNotSatisfiable:
		w.write(answer{w.status, errorBody{w.status, http.StatusText(w.status), "the header Range asks for nothing that the content has", ""}})
	case http.StatusPreconditionFailed:
		w.fail(errtypes.New(errtypes.PreconditionFailed, "the content does not meet the condition of the request"))
	default:
		w.fail(errtypes.New(errtypes.Unavailable, "the content cannot be read"))
	}
}
