package egress

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// flow is one direction between two connections.
type flow struct {
	dst, src net.Conn
	in       *bufio.Reader // on src
	n        *atomic.Int64 // counts what comes from src
	idle     *idleWatch
	// inProcess keeps the bytes from being moved within the kernel, where it
	// cannot be told which side has failed.
	inProcess bool
}

// message writes a head, and copies the body that follows it. sent is called
// when the whole message has been read, before its end is written where that is
// possible.
func (f *flow) message(head []byte, body framing, sent func()) error {
	switch body.kind {
	case bodyChunked:
		return f.chunks(head, sent)
	case bodyToEnd:
		if err := f.write(head); err != nil {
			return err
		}
		defer sent()
		return f.toEnd()
	}
	return f.copy(head, body.length, sent)
}

// toEnd copies until the end of src, which is no error.
func (f *flow) toEnd() error {
	err := f.copy(nil, math.MaxInt64, func() {})
	if errors.Is(err, errNoEnd) {
		return nil
	}
	return err
}

// copy writes first, and so many bytes from src.
func (f *flow) copy(first []byte, left int64, sent func()) error {
	if left == 0 { // as most requests: no buffer is needed
		sent()
		return f.write(first)
	}
	buf := pumpBuffers.Get().(*[pumpBuffer]byte)
	defer pumpBuffers.Put(buf)
	ahead, _ := f.in.Peek(int(min(left, int64(f.in.Buffered()))))
	b := append(append(buf[:0], first...), ahead...)
	f.in.Discard(len(ahead))
	got := len(ahead)
	soon := len(first) > 0 // a body comes at once, mostly; what a tunnel waits for may be long in coming
	for {
		f.n.Add(int64(got))
		if left -= int64(got); left == 0 {
			sent()
		}
		if err := f.write(b); err != nil || left == 0 {
			return err
		}
		if left >= bulkLeast && (soon || got == pumpBuffer) {
			soon = false
			moved, err := f.bulk(left)
			if left -= moved; err != nil {
				return err
			}
			if left == 0 {
				sent()
				return nil
			}
		}
		var err error
		if got, err = f.src.Read(buf[:min(left, pumpBuffer)]); got == 0 && err != nil {
			return noEnd(err)
		}
		b = buf[:got]
	}
}

// pumpBuffer is small enough for the many connections that wait, and filled
// by one read only where much is under way.
const pumpBuffer = 64 << 10

var pumpBuffers = sync.Pool{New: func() any { return new([pumpBuffer]byte) }}

func (f *flow) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	f.idle.touch()
	_, err := f.dst.Write(b)
	f.idle.touch()
	if err != nil {
		return writeError{err}
	}
	return nil
}

// writeError is a failure of the connection that is written to.
type writeError struct{ error }

// Unwrap returns the failure itself.
func (e writeError) Unwrap() error { return e.error }

// Write is write, for a buffer before it.
func (f *flow) Write(b []byte) (int, error) { return len(b), f.write(b) }

// bulk moves a large piece within the kernel, where both ends are plain TCP:
// the bytes are not copied into this process. It returns at the end of the
// piece, of the stream, or when there is nothing to move for a while.
func (f *flow) bulk(left int64) (moved int64, err error) {
	to, isTCP := f.dst.(*net.TCPConn)
	from, isTCPToo := f.src.(*net.TCPConn)
	if !isTCP || !isTCPToo || f.inProcess {
		return 0, nil
	}
	if err := from.SetReadDeadline(time.Now().Add(min(bulkPause, f.idle.timeout/2))); err != nil {
		return 0, err
	}
	piece := io.LimitedReader{R: from, N: min(left, bulkPiece)}
	moved, err = to.ReadFrom(&piece)
	f.idle.touch() // before it is counted: who sees the count may rely on it
	f.n.Add(moved)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return moved, errors.Join(err, from.SetReadDeadline(time.Time{}))
}

// bulkLeast is how many bytes must be left, for setting it up to pay; bulkPiece
// is how many are moved before they are counted, and bulkPause how long they may
// take.
const (
	bulkLeast = 32 << 10
	bulkPiece = 8 << 20
	bulkPause = 5 * time.Second
)
