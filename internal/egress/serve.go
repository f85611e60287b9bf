package egress

import (
	"context"
	"net"
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
	hop    hop
	asIs   bool // a proxy takes the request as it is
}

// judge has the policy and the gate look at a request.
func (p *Proxy) judge(req *request) (way, error) {
	h, err := req.dialer.route(p.ctx, req.target)
	return way{req.dialer, req.target, h, h.up.takesRequests() && req.plain && !req.tunnel}, err
}

// connect makes a connection for a request that was judged, and judges it again
// where another way is to be tried, which it returns.
func (p *Proxy) connect(req *request, w way) (way, net.Conn, error) {
	for tried := 1; ; tried++ {
		conn, err := p.dial(w)
		if err == nil || !TryNext(err, tried) {
			return w, conn, err
		}
		if w, err = p.judge(req); err != nil {
			return w, nil, err
		}
	}
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
	case w.hop.up == nil:
		return w.dialer.gate.DialContext(ctx, "tcp", w.target)
	case w.asIs:
		return w.dialer.gate.dialUpstream(ctx, w.hop)
	}
	return w.dialer.gate.tunnel(ctx, w.hop, w.target)
}

// via is the proxy that takes requests as they are; nil where the connection
// leads to the server.
func (w way) via() *Upstream {
	if w.asIs {
		return w.hop.up
	}
	return nil
}
