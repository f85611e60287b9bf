package egress

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// answerFailure says why there is no connection to the target, in words that
// pages may read: which proxy of the session failed is for the log only.
func (p *Proxy) answerFailure(client net.Conn, req *request, err error) {
	target := req.target
	if reason := refusalReason(err); reason != "" {
		p.counters.refused.Add(1)
		p.opts.OnRefused(Refusal{Target: target, Err: err})
		p.answer(client, http.StatusForbidden, refusalText(err), RefusedHeader+": "+reason+"\r\n")
		return
	}
	p.failed(target, err)
	p.answerFailed(client, req, failureText(target, err))
}

// answerFailed tells a client that a request failed. A browser takes the answer
// to a plain request for the page that it asked for, so the proxy of a browser
// ends the connection instead, which is an error there as it is without a
// proxy. Requests that do something are answered nevertheless: a browser sends
// a request again when a connection that has served before ends like that.
func (p *Proxy) answerFailed(client net.Conn, req *request, text string) {
	if p.opts.EndOnFailure && (req.method == http.MethodGet || req.method == http.MethodHead) {
		return
	}
	p.answer(client, http.StatusBadGateway, text, "")
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

// OfProxy says what is wrong with a proxy behind the gate, in words that do not
// tell where it is; "" for an error that is not about one.
func OfProxy(err error) string {
	if refused, ok := errors.AsType[*RefusedError](err); ok && refused.upstream {
		return fmt.Sprintf("the session's upstream proxy is refused: its address is %s", refused.Class)
	}
	if failed, ok := errors.AsType[*upstreamFailure](err); ok {
		return "the session's upstream proxy " + failed.what
	}
	return ""
}

func refusalText(err error) string {
	return cmp.Or(OfProxy(err), errtypes.Public(err).Message)
}

func failureText(target string, err error) string {
	proxy := OfProxy(err)
	var known *errtypes.Error
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case proxy != "":
		return target + " cannot be reached: " + proxy
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
	p.reply(client, status, "text/plain; charset=utf-8", text, header)
}

func (p *Proxy) reply(client net.Conn, status int, kind, text, header string) {
	client.SetWriteDeadline(time.Now().Add(answerTimeout))
	fmt.Fprintf(client, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n%s\n",
		status, http.StatusText(status), kind, len(text)+1, header, text)
}
