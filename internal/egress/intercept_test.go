package egress_test

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

// secured is a server with a certificate, and what clients of it saw.
type secured struct {
	*httptest.Server
	host string // with its port
}

// serveTLS starts a server for "private.test" and 127.0.0.1. It says who the
// client is and which protocol was spoken; /ws echoes.
func serveTLS(t testing.TB, conf *tls.Config) secured {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws" {
			echo(w, r)
			return
		}
		who := "nobody"
		if peers := r.TLS.PeerCertificates; len(peers) > 0 {
			who = peers[0].Subject.CommonName
		}
		body, _ := io.ReadAll(r.Body)
		io.WriteString(w, r.Proto+" "+who+" "+string(body))
	}))
	s.TLS, s.EnableHTTP2 = conf, true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return secured{s, strings.TrimPrefix(s.URL, "https://")}
}

func echo(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	if kind, msg, err := c.Read(r.Context()); err == nil {
		c.Write(r.Context(), kind, append(msg, '!'))
	}
}

// failed collects what a proxy could not reach.
type failed struct {
	mu  sync.Mutex
	all []error
}

func (f *failed) add(_ string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, err)
}

func (f *failed) text() (all string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, err := range f.all {
		all += errtypes.Public(err).Message + "\n"
	}
	return all
}

// tlsProxy is a proxy whose system trusts the authority, with TLS material.
func tlsProxy(t testing.TB, system *egresstest.Authority, added egress.TLS) (*egress.Proxy, *failed) {
	t.Helper()
	g, err := egress.New(egress.Options{AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Roots: system.Pool()})
	if err != nil {
		t.Fatal(err)
	}
	f := &failed{}
	p, err := egress.NewProxy(g, egress.ProxyOptions{OnFailed: f.add})
	if err != nil {
		t.Fatal(err)
	}
	p.Use(egress.Policy{TLS: added})
	t.Cleanup(func() { p.Close() })
	return p, f
}

// shown is a client that takes what a Chromium takes: certificates that verify,
// and those of the proxies' key. It notes what it was shown.
type shown struct {
	*http.Client
	mu   sync.Mutex
	last *x509.Certificate
}

func browserOf(t testing.TB, p *egress.Proxy, system *egresstest.Authority, protocols ...string) *shown {
	t.Helper()
	proxyURL, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	s := &shown{}
	tr := &http.Transport{Proxy: http.ProxyURL(proxyURL), ForceAttemptHTTP2: len(protocols) != 1, TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, NextProtos: protocols,
		VerifyConnection: func(cs tls.ConnectionState) error {
			leaf := cs.PeerCertificates[0]
			s.mu.Lock()
			s.last = leaf
			s.mu.Unlock()
			if hashOf(leaf) == egress.LeafKeyHash() {
				return leaf.VerifyHostname("127.0.0.1")
			}
			_, err := leaf.Verify(x509.VerifyOptions{DNSName: "127.0.0.1", Roots: system.Pool()})
			return err
		},
	}}
	t.Cleanup(tr.CloseIdleConnections)
	s.Client = &http.Client{Transport: tr}
	return s
}

func hashOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// forged reports whether what it was shown last is of the proxy.
func (s *shown) forged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last != nil && hashOf(s.last) == egress.LeafKeyHash()
}

func asking(issuers *egresstest.Authority, cert tls.Certificate, version uint16) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: issuers.Pool(), MaxVersion: version,
	}
}

func TestAnAddedAuthorityIsTrustedAndOthersAreLeftAlone(t *testing.T) {
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	public := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{system.Issue(t, nil, "127.0.0.1")}})
	inside := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{private.Issue(t, nil, "127.0.0.1")}})
	for _, protocols := range [][]string{{"h2", "http/1.1"}, {"http/1.1"}} {
		want := map[string]string{"h2": "HTTP/2.0 nobody ", "http/1.1": "HTTP/1.1 nobody "}[protocols[0]]
		p, f := tlsProxy(t, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
		for range 2 { // not yet known, and known
			b := browserOf(t, p, system, protocols...)
			resp, err := b.Get(inside.URL)
			if got := body(t, resp, err); got != want || !b.forged() {
				t.Errorf("%q, want %q; forged %v", got, want, b.forged())
			}
			b = browserOf(t, p, system, protocols...)
			resp, err = b.Get(public.URL)
			if got := body(t, resp, err); got != want || b.forged() {
				t.Errorf("the public one: %q, want %q; forged %v", got, want, b.forged())
			}
		}
		if n := p.Stats().Intercepted; n != 2 || f.text() != "" {
			t.Errorf("%d intercepted, failed %q", n, f.text())
		}
	}
	without, _ := tlsProxy(t, system, egress.TLS{})
	if _, err := browserOf(t, without, system).Get(inside.URL); err == nil || without.Stats().Intercepted != 0 {
		t.Errorf("without the authority: %v", err)
	}
}

func TestAClientCertificateIsPresentedToWhoAcceptsItsIssuer(t *testing.T) {
	system, staff, other := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "staff"), egresstest.NewAuthority(t, "other")
	named := func(name string) func(*x509.Certificate) {
		return func(c *x509.Certificate) { c.Subject.CommonName = name }
	}
	clients := []tls.Certificate{other.Issue(t, named("stranger")), staff.Issue(t, named("alice"))}
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		s := serveTLS(t, asking(staff, system.Issue(t, nil, "127.0.0.1"), version))
		p, f := tlsProxy(t, system, egress.TLS{Certificates: clients})
		resp, err := browserOf(t, p, system).Get(s.URL)
		if got := body(t, resp, err); !strings.Contains(got, " alice ") || f.text() != "" {
			t.Errorf("%x: %q, %s", version, got, f.text())
		}
		// None that fits: the browser speaks to it itself, and sees it refuse.
		p, f = tlsProxy(t, system, egress.TLS{Certificates: clients[:1]})
		if _, err := browserOf(t, p, system).Get(s.URL); err == nil || p.Stats().Intercepted != 0 {
			t.Errorf("%x: a certificate of another issuer was taken, or the server was hidden: %v", version, err)
		}
		p.Close() // what was refused is told by then
		if version == tls.VersionTLS12 && !strings.Contains(f.text(), "wants one and none fits") {
			t.Errorf("%x: %q", version, f.text())
		}
	}
}

func TestARefusalOfTheCertificateThatWasShownIsTold(t *testing.T) {
	system, staff := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "staff")
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		conf := asking(staff, system.Issue(t, nil, "127.0.0.1"), version)
		conf.VerifyPeerCertificate = func([][]byte, [][]*x509.Certificate) error { return errors.New("not this one") }
		p, f := tlsProxy(t, system, egress.TLS{Certificates: []tls.Certificate{staff.Issue(t, nil)}})
		if _, err := browserOf(t, p, system).Get(serveTLS(t, conf).URL); err == nil {
			t.Errorf("%x: it was not refused", version)
		}
		p.Close()
		if !strings.Contains(f.text(), "does not accept the client certificate") {
			t.Errorf("%x: %q", version, f.text())
		}
	}
}

// TestAServerThatMerelyAsksIsLeftToTheBrowser as long as it is shown nothing.
func TestAServerThatMerelyAsksIsLeftToTheBrowser(t *testing.T) {
	system, private, clients := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private"), egresstest.NewAuthority(t, "clients")
	for name, test := range map[string]struct {
		auth  tls.ClientAuthType
		cas   *x509.CertPool
		added egress.TLS
		seen  string // who the server sees
	}{
		"an authority only":            {tls.RequestClientCert, nil, egress.TLS{Roots: []*x509.Certificate{private.Cert}}, "nobody"},
		"no certificate that fits":     {tls.VerifyClientCertIfGiven, clients.Pool(), egress.TLS{Certificates: []tls.Certificate{private.Issue(t, nil)}}, "nobody"},
		"a certificate for another":    {tls.RequestClientCert, nil, egress.TLS{Certificates: []tls.Certificate{private.Issue(t, nil)}, Target: "another.test:443"}, "nobody"},
		"a certificate that is wanted": {tls.RequestClientCert, nil, egress.TLS{Certificates: []tls.Certificate{private.Issue(t, nil)}}, "a test"},
	} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			s := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{system.Issue(t, nil, "127.0.0.1")}, ClientAuth: test.auth, ClientCAs: test.cas, MaxVersion: version})
			p, f := tlsProxy(t, system, test.added)
			b := browserOf(t, p, system)
			resp, err := b.Get(s.URL)
			got := body(t, resp, err)
			if !strings.Contains(got, " "+test.seen+" ") || b.forged() != (test.seen != "nobody") || f.text() != "" {
				t.Errorf("%s, %x: %q, forged %v, %s", name, version, got, b.forged(), f.text())
			}
		}
	}
}

func TestWhatCannotBeTrustedEndsTheTunnelAndSaysWhy(t *testing.T) {
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	unknown := egresstest.NewAuthority(t, "unknown")
	for want, cert := range map[string]tls.Certificate{
		"for another name": private.Issue(t, nil, "elsewhere.test"),
		"has expired":      private.Issue(t, egresstest.Expired, "127.0.0.1"),
		"":                 unknown.Issue(t, nil, "127.0.0.1"), // which the browser refuses itself
	} {
		s := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{cert}})
		p, f := tlsProxy(t, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
		b := browserOf(t, p, system)
		if _, err := b.Get(s.URL); err == nil || b.forged() {
			t.Errorf("%q was accepted: %v", want, b.forged())
		}
		if got := f.text(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWebsocketsAndPlainTunnelsBesideTLSMaterial(t *testing.T) {
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	s := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{private.Issue(t, nil, "127.0.0.1")}})
	plain := httptest.NewServer(http.HandlerFunc(echo))
	defer plain.Close()
	p, _ := tlsProxy(t, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
	b := browserOf(t, p, system, "http/1.1")
	for _, at := range []string{"wss://" + s.host + "/ws", strings.Replace(plain.URL, "http:", "ws:", 1)} {
		c, _, err := websocket.Dial(t.Context(), at, &websocket.DialOptions{HTTPClient: b.Client})
		if err != nil {
			t.Fatal(err)
		}
		c.Write(t.Context(), websocket.MessageText, []byte("hi"))
		if _, msg, err := c.Read(t.Context()); err != nil || string(msg) != "hi!" {
			t.Errorf("%s: %q, %v", at, msg, err)
		}
		c.CloseNow()
	}
}

// TestATunnelOfPlainText is that of a browser's ws: URL, which begins with no
// TLS.
func TestATunnelOfPlainText(t *testing.T) {
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	s := site(t, false)
	p, _ := tlsProxy(t, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
	host := strings.TrimPrefix(s.URL, "http://")
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "CONNECT "+host+" HTTP/1.1\r\n\r\n")
	answer := make([]byte, len("HTTP/1.1 200 Connection Established\r\n\r\n"))
	if _, err := io.ReadFull(conn, answer); err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
	if got, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAServerThatBreaksOffOrIsSilentIsLeftToTheBrowser(t *testing.T) {
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	s := httptest.NewServer(http.NotFoundHandler()) // no TLS
	defer s.Close()
	p, f := tlsProxy(t, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
	_, err := browserOf(t, p, system).Get(strings.Replace(s.URL, "http:", "https:", 1))
	if err == nil || f.text() != "" || p.Stats().Intercepted != 0 {
		t.Errorf("%v, %q", err, f.text())
	}
}

func TestALargeBodyThroughAnInterceptedTunnel(t *testing.T) {
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	s := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{private.Issue(t, nil, "127.0.0.1")}})
	p, _ := tlsProxy(t, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
	b := browserOf(t, p, system)
	b.Timeout = time.Minute
	large := strings.Repeat("x", 8<<20)
	resp, err := b.Post(s.URL, "text/plain", strings.NewReader(large))
	if got := body(t, resp, err); !strings.HasSuffix(got, large) {
		t.Errorf("%d bytes came back", len(got))
	}
}
