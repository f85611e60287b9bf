package egress

import (
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

func (p *Proxy) leave(client net.Conn) {
	p.drop(client)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
}

// way is how a request reaches its server, as the policy and the gate have
// judged. Requests of the same way may share a connection.
type way struct {
	dialer *Dialer // of the policy
	target string
	up     *Upstream // nil: directly
	asIs   bool      // up takes the request as it is
}

// judge has the policy and the gate look at a request.
func (p *Proxy) judge(req *request) (way, error) {
	d := p.dialer.Load()
	up, err := d.route(p.ctx, req.target)
	return way{d, req.target, up, up.takesRequests() && req.plain && !req.tunnel}, err
}

// dial is the one place from which the proxy reaches servers.
func (p *Proxy) dial(w way) (net.Conn, error) {
	conn, err := w.dial(p.ctx)
	if err != nil {
		return nil, err
	}
	if !p.track(conn) {
		conn.Close()
		return nil, errProxyClosed
	}
	return conn, nil
}

func (w way) dial(ctx context.Context) (net.Conn, error) {
	switch {
	case w.up == nil:
		return w.dialer.gate.DialContext(ctx, "tcp", w.target)
	case w.asIs:
		return w.dialer.gate.dialUpstream(ctx, w.up)
	}
	return w.dialer.gate.tunnel(ctx, w.up, w.target)
}

// via is the proxy that takes requests as they are; nil where the connection
// leads to the server.
func (w way) via() *Upstream {
	if w.asIs {
		return w.up
	}
	return nil
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
