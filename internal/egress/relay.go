package egress

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// tunnel relays bytes both ways until both sides are done.
func (p *Proxy) tunnel(client net.Conn, in *bufio.Reader, server net.Conn) {
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return
	}
	p.relay(client, in, server, bufio.NewReader(server))
}

// forward sends a plain request on, and passes the response's heads back
// without their hop-by-hop fields. What follows the heads is relayed as it
// comes: the server was told to close, so its response ends by itself.
func (p *Proxy) forward(client net.Conn, in *bufio.Reader, server net.Conn, req *request) {
	n, err := server.Write(req.head)
	p.counters.sent.Add(int64(n))
	if err != nil {
		p.answerFailure(client, req.target, err)
		return
	}
	out := bufio.NewReader(server)
	first := func() error { return p.passHeads(client, out, req.target) }
	p.relayAfter(client, in, server, out, first)
}

// passHeads passes interim responses and the head of the final one. A response
// that cannot be read is answered for the server.
func (p *Proxy) passHeads(client net.Conn, out *bufio.Reader, target string) error {
	for {
		head, err := readHead(out, p.opts.MaxHeadBytes)
		p.counters.received.Add(int64(len(head)))
		if err != nil {
			p.counters.failed.Add(1)
			p.opts.OnFailed(target, err)
			p.answer(client, http.StatusBadGateway, target+" sent no response that can be read", "")
			return err
		}
		line, fields, _ := strings.Cut(string(head), "\n")
		if _, err := io.WriteString(client, strings.TrimRight(line, "\r")+"\r\n"+passOn(fields, isResponseHop)); err != nil {
			return err
		}
		if status := statusOf(line); status < 100 || status > 199 || status == http.StatusSwitchingProtocols {
			return nil
		}
	}
}

// statusOf returns the status of "HTTP/1.1 200 OK", 0 where there is none.
func statusOf(line string) int {
	_, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.Atoi(code)
	return n
}

func (p *Proxy) relay(client net.Conn, in *bufio.Reader, server net.Conn, out *bufio.Reader) {
	p.relayAfter(client, in, server, out, func() error { return nil })
}

// relayAfter copies from the client to the server at once and from the server
// to the client after first. It returns when both directions have ended, one
// has failed, or both were idle too long.
func (p *Proxy) relayAfter(client net.Conn, in *bufio.Reader, server net.Conn, out *bufio.Reader, first func() error) {
	end := func() { client.Close(); server.Close() }
	idle := newIdleWatch(p.opts.Clock, p.opts.IdleTimeout, end)
	defer idle.stop()
	var up sync.WaitGroup
	up.Go(func() {
		if copyCounted(server, in, &p.counters.sent, idle) != nil || closeWrite(server) != nil {
			end()
		}
	})
	err := first()
	if err == nil {
		err = copyCounted(client, out, &p.counters.received, idle)
	}
	if err != nil || closeWrite(client) != nil {
		end()
	}
	up.Wait()
}

// closeWrite ends one direction of a connection; the other may go on.
func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}

var relayBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// copyCounted copies until the end of src, which is no error.
func copyCounted(dst io.Writer, src io.Reader, n *atomic.Int64, idle *idleWatch) error {
	buf := relayBuffers.Get().(*[32 << 10]byte)
	defer relayBuffers.Put(buf)
	for {
		got, err := src.Read(buf[:])
		if got > 0 {
			idle.touch()
			n.Add(int64(got))
			if _, err := dst.Write(buf[:got]); err != nil {
				return err
			}
			idle.touch()
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// idleWatch calls end when it was not touched for so long. A touch is one
// atomic store, however often the timer must be set again.
type idleWatch struct {
	clock   clock.Clock
	timeout time.Duration
	end     func()
	last    atomic.Int64 // Unix ns

	mu      sync.Mutex
	timer   clock.Timer
	stopped bool
}

func newIdleWatch(c clock.Clock, timeout time.Duration, end func()) *idleWatch {
	w := &idleWatch{clock: c, timeout: timeout, end: end}
	w.touch()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = c.AfterFunc(timeout, w.check)
	return w
}

func (w *idleWatch) touch() { w.last.Store(w.clock.Now().UnixNano()) }

func (w *idleWatch) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	left := w.timeout - w.clock.Now().Sub(time.Unix(0, w.last.Load()))
	if left <= 0 {
		w.end()
		return
	}
	w.timer.Reset(left)
}

// stop ends the watch; end is not called after it returns.
func (w *idleWatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}
