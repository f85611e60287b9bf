package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// RefusedHeader is the header of a 403 that the proxy itself answered. Its
// value is the class of the refused address, or the reason for which the policy
// refuses the host. Servers cannot send it through.
const RefusedHeader = "X-Drover-Refused"

// serve handles one client from its request to the end of the connection.
func (p *Proxy) serve(client net.Conn) {
	defer p.leave(client)
	if p.checkUID && !sameUser(client) {
		p.counters.turnedAway.Add(1)
		return
	}
	client.SetReadDeadline(time.Now().Add(p.opts.HeadTimeout))
	in := bufio.NewReader(client)
	req, err := readRequest(in, p.opts.MaxHeadBytes)
	if err != nil {
		p.answerBadRequest(client, err)
		linger(client)
		return
	}
	client.SetReadDeadline(time.Time{})
	p.counters.requests.Add(1)
	server, via, err := p.connect(p.ctx, req)
	if err != nil {
		p.answerFailure(client, req.target, err)
		linger(client)
		return
	}
	defer p.drop(server)
	if req.tunnel {
		p.tunnel(client, in, server)
	} else {
		p.forward(client, in, server, req, via)
	}
}

func (p *Proxy) leave(client net.Conn) {
	p.drop(client)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
}

// connect is the one place from which the proxy reaches servers. via is a proxy
// that takes the request as it is; nil where conn leads to the server.
func (p *Proxy) connect(ctx context.Context, req *request) (conn net.Conn, via *Upstream, err error) {
	conn, via, err = p.dialer.Load().connect(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	if !p.track(conn) {
		conn.Close()
		return nil, nil, errProxyClosed
	}
	return conn, via, nil
}

// connect reaches the target of a request.
func (d *Dialer) connect(ctx context.Context, req *request) (conn net.Conn, via *Upstream, err error) {
	up, err := d.route(ctx, req.target)
	switch {
	case err != nil:
	case up == nil:
		conn, err = d.gate.DialContext(ctx, "tcp", req.target)
	case up.takesRequests() && req.plain:
		via = up
		conn, err = d.gate.dialUpstream(ctx, up)
	default:
		conn, err = d.gate.tunnel(ctx, up, req.target)
	}
	return conn, via, err
}

// answerFailure says why there is no connection to the target.
func (p *Proxy) answerFailure(client net.Conn, target string, err error) {
	if reason := refusalReason(err); reason != "" {
		p.counters.refused.Add(1)
		p.opts.OnRefused(Refusal{Target: target, Err: err})
		p.answer(client, http.StatusForbidden, errtypes.Public(err).Message, RefusedHeader+": "+reason+"\r\n")
		return
	}
	p.failed(target, err)
	p.answer(client, http.StatusBadGateway, failureText(target, err), "")
}

// refusalReason is the value of RefusedHeader; "" for an error that is no
// refusal.
func refusalReason(err error) string {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return string(refused.Class)
	}
	if blocked, ok := errors.AsType[*BlockedError](err); ok {
		return string(blocked.Reason)
	}
	return ""
}

// failed counts and tells a failure.
func (p *Proxy) failed(target string, err error) {
	p.counters.failed.Add(1)
	p.opts.OnFailed(target, err)
	p.opts.Logger.LogAttrs(p.ctx, slog.LevelDebug, "proxied request failed",
		slog.String("target", target), slog.String("error", err.Error()))
}

func failureText(target string, err error) string {
	var known *errtypes.Error
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &known):
		return target + " cannot be reached: " + known.Message
	case errors.As(err, &dns) && dns.IsNotFound:
		return target + " cannot be reached: the name is not known"
	case errors.As(err, &timeout) && timeout.Timeout():
		return target + " cannot be reached: it did not answer in time"
	}
	return target + " cannot be reached"
}

func (p *Proxy) answerBadRequest(client net.Conn, err error) {
	var known *errtypes.Error
	switch {
	case errors.Is(err, errHeadTooLong):
		p.answer(client, http.StatusRequestHeaderFieldsTooLarge, err.Error(), "")
	case errors.As(err, &known):
		p.answer(client, http.StatusBadRequest, known.Message, "")
	} // else the client is gone or too slow: nobody to tell
}

// answerTimeout bounds the writing of an answer to a client that does not read
// it, and lingerTimeout the waiting for a client that does not close.
const (
	answerTimeout = 10 * time.Second
	lingerTimeout = time.Second
)

// linger reads what the client still sends, within bounds: closing at once
// would reset the connection, and the client might never see the answer.
func linger(client net.Conn) {
	closeWrite(client)
	client.SetReadDeadline(time.Now().Add(lingerTimeout))
	io.CopyN(io.Discard, client, 1<<20)
}

// answer writes a response of the proxy's own; header is complete lines.
func (p *Proxy) answer(client net.Conn, status int, text, header string) {
	client.SetWriteDeadline(time.Now().Add(answerTimeout))
	fmt.Fprintf(client, "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n%s\n",
		status, http.StatusText(status), len(text)+1, header, text)
}
