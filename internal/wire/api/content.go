package api

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/filename"
)

// File is stored content as an answer. net/http answers to ranges and
// conditions.
type File struct {
	// Name is what the content is to be saved under. Default "": nothing is said
	// of saving it.
	Name string
	// Type is the media type that it is given.
	Type string
	// Tag is the same for the same content only.
	Tag      string
	Modified time.Time
	// Content is closed in the end.
	Content io.ReadSeekCloser
}

// Stream implements [Streamer].
func (f *File) Stream(x *Exchange) {
	defer f.Content.Close()
	x.W.Header().Set("Content-Type", f.Type)
	x.W.Header().Set("ETag", strconv.Quote(f.Tag))
	w := x.Content(f.Name)
	http.ServeContent(w, x.R, "", f.Modified, f.Content)
	w.End()
}

// Content sends an answer that may be large. An error of net/http's becomes one
// of the interface.
type Content struct {
	x       *Exchange
	name    string
	control *http.ResponseController
	status  int
	sent    int64
	// next is what has to be sent until the deadline.
	next int64
}

// timedPiece is how much is sent within the time that an answer may take.
const timedPiece = 1 << 20

// Content begins an answer that is to be saved under a name; "" for one that
// is not. It must be ended.
func (x *Exchange) Content(name string) *Content {
	return &Content{x: x, name: name, control: http.NewResponseController(x.W)}
}

// Header implements http.ResponseWriter.
func (w *Content) Header() http.Header { return w.x.W.Header() }

// WriteHeader implements http.ResponseWriter. That of an error is kept back
// until the end.
func (w *Content) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	if !w.failed() {
		w.x.started = true
		w.extend()
		w.guard()
		w.x.W.WriteHeader(status)
	}
}

// guard has the content shown by nobody that could be harmed by it.
func (w *Content) guard() {
	h := w.Header()
	if w.name != "" {
		h.Set("Content-Disposition", filename.Attachment(w.name))
	}
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
}

func (w *Content) failed() bool { return w.status >= http.StatusBadRequest }

// extend moves the deadline on.
func (w *Content) extend() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.x.in.AnswerTimeout))
	w.next = w.sent + timedPiece
}

// Write implements http.ResponseWriter.
func (w *Content) Write(p []byte) (n int, err error) {
	w.WriteHeader(http.StatusOK)
	if w.failed() {
		return len(p), nil // text for people, of net/http's
	}
	for piece := range slices.Chunk(p, timedPiece) {
		if w.sent >= w.next {
			w.extend()
		}
		more, err := w.x.W.Write(piece)
		n += more
		w.sent += int64(more)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// End finishes the answer. One that is not whole is broken off, so that nobody
// takes it for that.
func (w *Content) End() {
	if w.failed() {
		w.refuse()
		return
	}
	_ = w.control.Flush()
	_ = w.control.SetWriteDeadline(time.Time{})
	length, err := strconv.ParseInt(w.Header().Get("Content-Length"), 10, 64)
	if err == nil && w.sent < length && w.x.R.Method != http.MethodHead {
		if w.x.Record.Err == nil { // net/http does not say why
			w.x.Record.Err = io.ErrUnexpectedEOF
		}
		panic(http.ErrAbortHandler)
	}
}

// refuse answers with an error instead of the content.
func (w *Content) refuse() {
	h := w.Header()
	for _, name := range []string{"Accept-Ranges", "Content-Length", "Etag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store") // net/http takes it away
	switch w.status {
	case http.StatusRequestedRangeNotSatisfiable:
		err := errtypes.New(errtypes.Invalid, "the header Range asks for nothing that the content has")
		w.x.refuse(Failure{err, err, w.status})
	case http.StatusPreconditionFailed:
		w.x.Fail(errtypes.New(errtypes.PreconditionFailed, "the content does not meet the condition of the request"))
	default:
		w.x.Fail(errtypes.New(errtypes.Unavailable, "the content cannot be read"))
	}
}
