package egress

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pump copies from src, of which a part has been read into in, to dst, until
// the end of src, which is no error.
func pump(dst, src net.Conn, in *bufio.Reader, n *atomic.Int64, idle *idleWatch) error {
	if err := pumpBuffered(dst, in, n, idle); err != nil {
		return err
	}
	buf := pumpBuffers.Get().(*[pumpBuffer]byte)
	defer pumpBuffers.Put(buf)
	for {
		got, err := src.Read(buf[:])
		if got > 0 {
			n.Add(int64(got))
			if err := writeTouching(dst, buf[:got], idle); err != nil {
				return err
			}
		}
		if err == nil && got == pumpBuffer {
			err = pumpBulk(dst, src, n, idle)
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// pumpBuffer is small enough for the many connections that wait, and filled
// by one read only where much is under way.
const pumpBuffer = 64 << 10

var pumpBuffers = sync.Pool{New: func() any { return new([pumpBuffer]byte) }}

func pumpBuffered(dst io.Writer, in *bufio.Reader, n *atomic.Int64, idle *idleWatch) error {
	if in.Buffered() == 0 {
		return nil
	}
	ahead, _ := in.Peek(in.Buffered())
	n.Add(int64(len(ahead)))
	return writeTouching(dst, ahead, idle)
}

func writeTouching(dst io.Writer, b []byte, idle *idleWatch) error {
	idle.touch()
	_, err := dst.Write(b)
	idle.touch()
	return err
}

// pumpBulk moves a large piece within the kernel, where both ends are plain TCP:
// the bytes are not copied into this process. It returns at the end of the
// piece, of the stream, or when there is nothing to move for a while.
func pumpBulk(dst, src net.Conn, n *atomic.Int64, idle *idleWatch) error {
	if e, ok := dst.(*exact); ok {
		dst = e.Conn // writing to it is no matter of the limit
	}
	to, isTCP := dst.(*net.TCPConn)
	from, isTCPToo := src.(*net.TCPConn)
	if !isTCP || !isTCPToo {
		return nil
	}
	if err := from.SetReadDeadline(time.Now().Add(min(bulkPause, idle.timeout/2))); err != nil {
		return err
	}
	piece := io.LimitedReader{R: from, N: bulkPiece}
	moved, err := to.ReadFrom(&piece)
	n.Add(moved)
	idle.touch()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return errors.Join(err, from.SetReadDeadline(time.Time{}))
}

// bulkPiece is how many bytes are moved before they are counted, and bulkPause
// how long they may take.
const (
	bulkPiece = 8 << 20
	bulkPause = 5 * time.Second
)
