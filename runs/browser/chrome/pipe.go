package chrome

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"
)

// framed is a transport that also carries messages as they are, so that those
// of external clients, among them pictures of megabytes, are not taken apart.
type framed interface {
	chromedp.Transport
	// readFrame returns the next message. One goroutine reads.
	readFrame() ([]byte, error)
	// writeFrame writes a message; several goroutines may.
	writeFrame([]byte) error
}

// A pipe is the two pipes of a browser: messages end with a zero byte.
type pipe struct {
	r  io.ReadCloser
	w  io.WriteCloser
	br *bufio.Reader

	mu   sync.Mutex // of what writes
	once sync.Once
	err  error
}

func newPipe(r io.ReadCloser, w io.WriteCloser) *pipe {
	return &pipe{r: r, w: w, br: bufio.NewReaderSize(r, 64<<10)}
}

func (p *pipe) readFrame() ([]byte, error) {
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

func (p *pipe) writeFrame(frame []byte) error {
	frame = append(frame, 0)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.w.Write(frame)
	return err
}

// Read implements [chromedp.Transport].
func (p *pipe) Read(_ context.Context, msg *cdproto.Message) error {
	frame, err := p.readFrame()
	if err != nil {
		return err
	}
	return decodeMessage(frame, msg)
}

// Write implements [chromedp.Transport].
func (p *pipe) Write(_ context.Context, msg *cdproto.Message) error {
	frame, err := encodeMessage(msg)
	if err != nil {
		return err
	}
	return p.writeFrame(frame)
}

// Close implements [chromedp.Transport]. The browser leaves then.
func (p *pipe) Close() error {
	p.once.Do(func() { p.err = errors.Join(p.r.Close(), p.w.Close()) })
	return p.err
}

func decodeMessage(frame []byte, msg *cdproto.Message) error {
	return jsonv2.Unmarshal(frame, msg, chromedp.DefaultUnmarshalOptions)
}

func encodeMessage(msg *cdproto.Message) ([]byte, error) {
	return jsonv2.Marshal(msg, chromedp.DefaultMarshalOptions)
}

// unframed makes a transport framed by taking messages apart and putting them
// together again: that of a browser that is reached in another way.
type unframed struct{ chromedp.Transport }

func (u unframed) readFrame() ([]byte, error) {
	var msg cdproto.Message
	if err := u.Transport.Read(context.Background(), &msg); err != nil {
		return nil, err
	}
	return encodeMessage(&msg)
}

func (u unframed) writeFrame(frame []byte) error {
	var msg cdproto.Message
	if err := decodeMessage(frame, &msg); err != nil {
		return err
	}
	return u.Transport.Write(context.Background(), &msg)
}
