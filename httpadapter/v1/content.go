package v1

import (
	"io"
	"net/http"
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
	x.attachment(f.Filename, fileMedia)
	x.w.Header().Set("ETag", strconv.Quote(f.Checksum()))
	w := newContentWriter(x)
	http.ServeContent(w, x.r, "", f.CreatedAt, f.content)
	w.end()
}

// attachment sets the headers of what is to be saved, and shown by nobody.
func (x *exchange) attachment(name, media string) {
	h := x.w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", filename.Attachment(name))
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
}

// contentWriter sends an answer that may be large. An error of net/http's
// becomes one of this interface.
type contentWriter struct {
	*exchange
	control *http.ResponseController
	status  int
	sent    int64
	// next is what has to be sent until the deadline.
	next int64
}

// timedPiece is how much is sent within the time that an answer may take.
const timedPiece = 1 << 20

func newContentWriter(x *exchange) *contentWriter {
	return &contentWriter{exchange: x, control: http.NewResponseController(x.w)}
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
		w.w.WriteHeader(status)
	}
}

func (w *contentWriter) failed() bool { return w.status >= http.StatusBadRequest }

// extend moves the deadline on.
func (w *contentWriter) extend() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.opts.AnswerTimeout))
	w.next = w.sent + timedPiece
}

func (w *contentWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.failed() {
		return len(p), nil // text for people, of net/http's
	}
	if w.sent >= w.next {
		w.extend()
	}
	n, err := w.w.Write(p)
	w.sent += int64(n)
	return n, err
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
		panic(http.ErrAbortHandler)
	}
}

// refuse answers with an error instead of the content.
func (w *contentWriter) refuse() {
	h := w.Header()
	for _, name := range []string{"Accept-Ranges", "Content-Disposition", "Content-Length", "Etag", "Last-Modified"} {
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
