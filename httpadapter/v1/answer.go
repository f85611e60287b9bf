package v1

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// answer is what a call came to.
type answer struct {
	status int
	// body is sent as JSON; nil sends none.
	body any
}

// appender is a body that writes its own JSON, because it is large.
type appender interface{ appendJSON(dst []byte) []byte }

// streamed is a body that is too large to be held in memory. It sends itself,
// with its status and headers.
type streamed interface{ stream(x *exchange) }

// buffers hold answers until their length is known: the clients of v1 cannot
// do with chunks on a connection that is used again.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

type buffer struct{ data []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.data = append(b.data, p...)
	return len(p), nil
}

// release keeps the memory for the next answer, unless it is a lot.
func (b *buffer) release() {
	const most = 1 << 20
	if cap(b.data) <= most {
		b.data = b.data[:0]
		buffers.Put(b)
	}
}

func (b *buffer) encode(body any) error {
	switch body := body.(type) {
	case nil:
		return nil
	case appender:
		b.data = body.appendJSON(b.data)
		return nil
	case json.RawMessage:
		b.data = append(b.data, body...)
		return nil
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(body)
}

// write sends an answer.
func (x *exchange) write(a answer) {
	if body, ok := a.body.(streamed); ok {
		body.stream(x)
		return
	}
	b := buffers.Get().(*buffer)
	defer b.release()
	if err := b.encode(a.body); err != nil {
		x.fail(err)
		return
	}
	if a.body != nil {
		x.w.Header().Set("Content-Type", "application/json; charset=utf-8")
		x.w.Header().Set("Content-Length", strconv.Itoa(len(b.data)))
	}
	x.send(a.status, b.data)
}

// send writes with a deadline, which it takes back: the connection may go on
// to serve somebody else's handlers. What cannot be written nobody reads.
func (x *exchange) send(status int, data []byte) {
	x.started = true
	control := http.NewResponseController(x.w)
	_ = control.SetWriteDeadline(time.Now().Add(x.opts.AnswerTimeout))
	x.w.WriteHeader(status)
	if len(data) > 0 && x.r.Method != http.MethodHead {
		_, _ = x.w.Write(data)
	}
	_ = control.Flush()
	_ = control.SetWriteDeadline(time.Time{})
}
