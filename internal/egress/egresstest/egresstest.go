// Package egresstest gives tests real proxies to put behind a gate.
package egresstest

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/base64"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/internal/egress"
)

// Proxy is a proxy on loopback that remembers what it was asked for.
type Proxy struct {
	// URL is where it listens, with user name and password.
	URL string
	// Server is the URL without them.
	Server string
	// Roots verify an https proxy; nil for others.
	Roots *x509.CertPool

	// End stops listening and ends what goes through it. Default at the end of
	// the test.
	End func()

	user, password string
	gate           *egress.Gate
	mu             sync.Mutex
	asked          []string
}

// Start starts a proxy of the scheme http, https or socks5; it ends with the
// test. It resolves names below .test to 127.0.0.1 and reaches no other address.
func Start(t testing.TB, scheme, user, password string) *Proxy {
	t.Helper()
	p := &Proxy{user: user, password: password, gate: loopback(t)}
	addr := ""
	if scheme == "socks5" {
		addr = p.serveSOCKS(t)
	} else {
		addr = p.serveHTTP(t, scheme == "https")
	}
	p.Server = scheme + "://" + addr
	p.URL = p.Server
	if user != "" {
		p.URL = scheme + "://" + user + ":" + password + "@" + addr
	}
	return p
}

// Asked returns what it was asked for, sorted, each thing once: "CONNECT host:port",
// "GET http://host:port/path" or "SOCKS host:port".
func (p *Proxy) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(p.asked)))
}

func (p *Proxy) note(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, what)
}

func loopback(t testing.TB) *egress.Gate {
	t.Helper()
	g, err := egress.New(egress.Options{
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: Names{}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Names resolves names below .test to 127.0.0.1, those below .private.test to
// 127.0.0.2, and no other.
type Names struct{}

// LookupNetIP implements egress.Resolver.
func (Names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch {
	case strings.HasSuffix(host, ".private.test"):
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
	case strings.HasSuffix(host, ".test"):
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func (p *Proxy) serveHTTP(t testing.TB, secure bool) (addr string) {
	transport := &http.Transport{DialContext: p.gate.DialContext, DisableKeepAlives: true}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.user+":"+p.password))
		switch {
		case p.user != "" && r.Header.Get("Proxy-Authorization") != auth:
			w.Header().Set("Proxy-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusProxyAuthRequired)
		case r.Method == http.MethodConnect:
			p.note("CONNECT " + r.Host)
			p.connect(w, r)
		default:
			p.note(r.Method + " " + r.RequestURI)
			pass(w, r, transport)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if secure {
		s.StartTLS()
		p.Roots = x509.NewCertPool()
		p.Roots.AddCert(s.Certificate())
	} else {
		s.Start()
	}
	p.End = s.Close
	t.Cleanup(p.End)
	return s.Listener.Addr().String()
}

// pass sends a plain request on.
func pass(w http.ResponseWriter, r *http.Request, transport http.RoundTripper) {
	// The server closes a body that has not been read to its end when the answer
	// begins, which may be while the transport looks for that end.
	content, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	out := r.Clone(r.Context())
	out.RequestURI, out.Body = "", io.NopCloser(bytes.NewReader(content))
	out.Header.Del("Proxy-Authorization")
	resp, err := transport.RoundTrip(out)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(w, resp.Body); err != nil {
		panic(http.ErrAbortHandler) // so that nobody takes it for the whole
	}
}

func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	server, err := p.gate.DialContext(r.Context(), "tcp", r.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer server.Close()
	client, in, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	relay(client, in, server)
}

// relay copies both ways until either side ends.
func relay(client net.Conn, in io.Reader, server net.Conn) {
	var wg sync.WaitGroup
	wg.Go(func() {
		io.Copy(server, in)
		server.Close()
	})
	io.Copy(client, server)
	client.Close()
	wg.Wait()
}
