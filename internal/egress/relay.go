package egress

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
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
// comes: the server was told to close, so its response ends by itself. via is
// the proxy that server is, nil for none.
func (p *Proxy) forward(client net.Conn, in *bufio.Reader, server net.Conn, req *request, via *Upstream) {
	n, err := server.Write(req.head(via))
	p.counters.sent.Add(int64(n))
	if err != nil {
		p.answerFailure(client, req.target, err)
		return
	}
	out := bufio.NewReader(server)
	first := func() error { return p.passHeads(client, out, req.target, via) }
	if via == nil {
		p.relayAfter(client, in, server, out, first)
		return
	}
	// A proxy gets the request and not a byte more: it would take what follows
	// for another request.
	only := &exact{Conn: client, in: in, left: req.body}
	p.relayAfter(only, bufio.NewReader(only), server, out, first)
}

// passHeads passes interim responses and the head of the final one. A response
// that cannot be read is answered for the server, and so is the refusal of a
// proxy behind this one, which is no business of the page.
func (p *Proxy) passHeads(client net.Conn, out *bufio.Reader, target string, via *Upstream) error {
	for {
		head, err := readHead(out, p.opts.MaxHeadBytes)
		p.counters.received.Add(int64(len(head)))
		if err != nil {
			p.failed(target, err)
			p.answer(client, http.StatusBadGateway, target+" sent no response that can be read", "")
			return err
		}
		line, fields, _ := strings.Cut(string(head), "\n")
		if via != nil && statusOf(line) == http.StatusProxyAuthRequired {
			err := via.refusal(http.StatusProxyAuthRequired)
			p.answerFailure(client, target, err)
			return err
		}
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
		if pump(server, client, in, &p.counters.sent, idle) != nil || closeWrite(server) != nil {
			end()
		}
	})
	err := first()
	if err == nil {
		err = pump(client, server, out, &p.counters.received, idle)
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
