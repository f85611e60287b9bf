package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
)

// A tunnel of a session with TLS material is looked into only as far as it must
// be. The proxy makes its own TLS connection to the server first; if the server
// is trusted without the material, and is shown no certificate, the client
// speaks to it itself, and the proxy remembers that for a while. Else the proxy
// takes the place of the server, and copies bytes between the two connections.

// attempt is a TLS connection to a server, or why there is none.
type attempt struct {
	conn  *tls.Conn
	added bool // trusted only by the added authorities
	asked bool // the server asked for a certificate
	shown bool // and got one
	err   error
}

// need is what the attempt tells; unknown where the server could not be spoken
// to, which may be different the next time. A server that asks for a certificate
// and has been shown none is as it is for a client without any.
func (a *attempt) need() need {
	switch {
	case a.added || a.shown && !errors.Is(a.err, errForeign):
		return needProxy
	case a.err == nil || errors.Is(a.err, errForeign) || a.turnedAway():
		return needNone
	}
	return needUnknown
}

// turnedAway reports whether the server wants a certificate, and none fits. In
// TLS 1.3 servers say so only after the handshake.
func (a *attempt) turnedAway() bool { return a.asked && !a.shown && IsClientRefusal(a.err) }

// tunnelTLS relays a tunnel whose client has been told that it stands. It owns
// the connection to the server.
func (c *client) tunnelTLS(req *request, w way, server net.Conn, m *material) {
	defer func() { c.p.drop(server) }()
	h := c.hear()
	in := c.again(h)
	now := c.p.opts.Clock.Now
	if h.hello == nil || m.needs.of(req.target, now()) == needNone {
		c.p.relay(c.conn, in, server)
		return
	}
	a := c.p.handshake(server, m, req.target, h.hello.SupportedProtos)
	what := a.need()
	if what != needUnknown {
		m.needs.remember(req.target, what, now())
	}
	if what == needProxy {
		c.stand(req, in, a)
		return
	}
	if a.turnedAway() {
		c.p.failed(req.target, tlsFailure(req.target, a.err))
	}
	c.p.drop(server)
	_, fresh, err := c.p.connect(req, w) // a second connection, for the client itself
	if err != nil {
		c.p.failed(req.target, err)
		return
	}
	server = fresh
	c.p.relay(c.conn, in, server)
}

var errHandshakeSlow = errors.New("egress: the TLS handshake took too long")

// handshake speaks TLS to a server, offering it the protocols of the client.
func (p *Proxy) handshake(server net.Conn, m *material, target string, protocols []string) *attempt {
	host := serverName(target)
	a := &attempt{}
	a.conn = tls.Client(server, &tls.Config{
		ServerName: host, NextProtos: protocols, MinVersion: tls.VersionTLS12, Renegotiation: tls.RenegotiateOnceAsClient,
		InsecureSkipVerify: true, // VerifyConnection does
		VerifyConnection: func(s tls.ConnectionState) error {
			added, err := m.verify(s.PeerCertificates, host, p.opts.Clock.Now())
			a.added = added
			return err
		},
		GetClientCertificate: func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			a.asked = true
			chosen, err := m.choose(asked, target)
			a.shown = err == nil && len(chosen.Certificate) > 0
			return chosen, err
		},
	})
	a.err = p.shake(a.conn)
	return a
}

// serverName is the host of a "host:port", as certificates name it.
func serverName(target string) string {
	host, _, _ := net.SplitHostPort(target) // a request has both
	return bareHost(host)
}

// shake gives a handshake its time.
func (p *Proxy) shake(conn *tls.Conn) error {
	ctx, cancel := context.WithCancelCause(p.ctx)
	defer cancel(nil)
	timer := p.opts.Clock.AfterFunc(p.opts.HandshakeTimeout, func() { cancel(errHandshakeSlow) })
	defer timer.Stop()
	err := conn.HandshakeContext(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// stand takes the place of the server towards the client, with a certificate
// made for the host and the protocol that the server has chosen. Where the server
// cannot be trusted, the tunnel ends.
func (c *client) stand(req *request, in *bufio.Reader, a *attempt) {
	if a.err != nil {
		c.p.failed(req.target, tlsFailure(req.target, a.err))
		return
	}
	state := a.conn.ConnectionState()
	secure, ok := c.pose(req.target, in, state.NegotiatedProtocol)
	if !ok {
		return
	}
	c.p.counters.intercepted.Add(1)
	c.p.relay(secure, bufio.NewReader(secure), &mayRefuse{Conn: a.conn, asked: a.asked, refused: func(err error) {
		c.p.failed(req.target, tlsFailure(req.target, err))
	}})
}

// pose speaks TLS to the client in the name of its target, with a certificate
// made for the host; false if that comes to nothing.
func (c *client) pose(target string, in *bufio.Reader, protocol string) (*tls.Conn, bool) {
	made, err := forge(serverName(target), c.p.opts.Clock.Now())
	if err != nil {
		c.p.failed(target, err)
		return nil, false
	}
	conf := &tls.Config{Certificates: []tls.Certificate{made}, MinVersion: tls.VersionTLS12, SessionTicketsDisabled: true}
	if protocol != "" {
		conf.NextProtos = []string{protocol}
	}
	secure := tls.Server(replayed{c.conn, in}, conf)
	if err := c.p.shake(secure); err != nil {
		c.p.opts.Logger.Debug("a client ended its TLS handshake", "target", target, "error", err)
		return nil, false
	}
	return secure, true
}

// mayRefuse is a connection to a server that may refuse the client's certificate
// after the handshake, as TLS 1.3 has it.
type mayRefuse struct {
	*tls.Conn
	asked   bool // for a certificate
	got     bool // something
	once    sync.Once
	refused func(error)
}

var errCutOff = errors.New("egress: the server has cut off who it had asked for a certificate")

func (m *mayRefuse) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	m.got = m.got || n > 0
	switch {
	case IsClientRefusal(err):
		m.once.Do(func() { m.refused(err) })
	case err != nil && err != io.EOF && m.asked && !m.got: // what it said may be lost with the connection
		m.once.Do(func() { m.refused(errors.Join(errCutOff, err)) })
	}
	return n, err
}
