package mux

import (
	"bufio"
	"errors"
	"io"
	"os"
	"sync"
)

// Framed is a transport that carries messages as they are, so that those of
// external clients, among them pictures of megabytes, are not taken apart.
type Framed interface {
	// ReadFrame returns the next message. One goroutine reads.
	ReadFrame() ([]byte, error)
	// WriteFrame writes a message; several goroutines may.
	WriteFrame([]byte) error
	io.Closer
}

// A Pipe is the two pipes of a browser: messages end with a zero byte.
type Pipe struct {
	r  io.ReadCloser
	w  io.WriteCloser
	br *bufio.Reader

	mu   sync.Mutex // of what writes
	once sync.Once
	err  error
}

// OpenPipe returns our end, and the browser's, which are its file descriptors 3
// and 4. No other process gets an end, so when this one dies, however that
// happens, the browser reads the end of its pipe and leaves.
func OpenPipe() (ours *Pipe, theirs []*os.File, err error) {
	browserR, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	r, browserW, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, browserR.Close(), w.Close())
	}
	return newPipe(r, w), []*os.File{browserR, browserW}, nil
}

func newPipe(r io.ReadCloser, w io.WriteCloser) *Pipe {
	return &Pipe{r: r, w: w, br: bufio.NewReaderSize(r, 64<<10)}
}

// ReadFrame implements [Framed].
func (p *Pipe) ReadFrame() ([]byte, error) {
	var frame []byte
	for {
		part, err := p.br.ReadSlice(0)
		frame = append(frame, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(frame) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(frame) > 1:
			return frame[:len(frame)-1], nil
		default:
			frame = frame[:0]
		}
	}
}

// WriteFrame implements [Framed].
func (p *Pipe) WriteFrame(frame []byte) error {
	frame = append(frame, 0)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.w.Write(frame)
	return err
}

// Close implements [Framed]. The browser leaves then.
func (p *Pipe) Close() error {
	p.once.Do(func() { p.err = errors.Join(p.r.Close(), p.w.Close()) })
	return p.err
}
