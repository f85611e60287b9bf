package chrome_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// secureSite is a site on TLS that tells by the hello whether Chromium itself
// speaks to it: only browsers offer the cipher suites that nobody has (RFC 8701).
type secureSite struct {
	port             string
	byChromium, byUs atomic.Int64
}

// at is the address of a page of the site, under a host name.
func (s *secureSite) at(host string) string { return "https://" + host + ":" + s.port + "/" }

func serveSecure(t *testing.T, conf *tls.Config) *secureSite {
	t.Helper()
	site := &secureSite{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/socket" {
			answerSocket(w, r)
			return
		}
		who := "nobody"
		if peers := r.TLS.PeerCertificates; len(peers) > 0 {
			who = peers[0].Subject.CommonName
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>"+r.Proto+" "+who+"</title><p id=p>waiting</p><script>"+
			`const s = new WebSocket("wss://" + location.host + "/socket"); s.onmessage = e => p.textContent = e.data + " " + isSecureContext; fetch("/done")</script>`)
	}))
	conf.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if slices.ContainsFunc(hello.CipherSuites, func(s uint16) bool { return s&0x0f0f == 0x0a0a }) {
			site.byChromium.Add(1)
		} else {
			site.byUs.Add(1)
		}
		return nil, nil
	}
	s.TLS, s.EnableHTTP2 = conf, true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	_, site.port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return site
}

func answerSocket(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	c.Write(r.Context(), websocket.MessageText, []byte("socket"))
	c.Read(r.Context())
}

// certProvider has a gate whose system trusts the authority.
func certProvider(t *testing.T, system *egresstest.Authority) *chrome.Provider {
	t.Helper()
	gate, err := egress.New(egress.Options{
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: chrometest.Names{},
		Roots: system.Pool(), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return chrometest.Provider(t, func(o *chrome.Options) { o.Gate = gate })
}

func TestASessionUsesItsCertificatesAndNoOther(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	p := certProvider(t, system)
	site := serveSecure(t, &tls.Config{
		Certificates: []tls.Certificate{private.Issue(t, nil, "inside.test")}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: private.Pool(),
	})
	alice := private.Issue(t, func(c *x509.Certificate) { c.Subject.CommonName = "alice" })
	with := openTo(t, p, egress.Policy{TLS: egress.TLS{Roots: []*x509.Certificate{private.Cert}, Certificates: []tls.Certificate{alice}}})
	for range 2 {
		if page := navigate(t, with, site.at("inside.test")); page.Title != "HTTP/2.0 alice" {
			t.Errorf("%+v", page)
		}
	}
	if !says(t, with, "socket true") {
		t.Errorf("no websocket:\n%s", lines(snapshot(t, with)))
	}
	without := openTo(t, p, egress.Policy{})
	_, err := without.Navigate(t.Context(), site.at("inside.test"))
	if !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), "ERR_CERT_AUTHORITY_INVALID") {
		t.Errorf("without: %v", err)
	}
}

func TestHostsThatNeedNoCertificatesKeepTheTLSOfChromium(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	system, private := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private")
	p := certProvider(t, system)
	public := serveSecure(t, &tls.Config{Certificates: []tls.Certificate{system.Issue(t, nil, "public.test")}, ClientAuth: tls.RequestClientCert})
	inside := serveSecure(t, &tls.Config{Certificates: []tls.Certificate{private.Issue(t, nil, "inside.test")}, NextProtos: []string{"http/1.1"}})
	s := openTo(t, p, egress.Policy{TLS: egress.TLS{Roots: []*x509.Certificate{private.Cert}}})
	if page := navigate(t, s, inside.at("inside.test")); page.Title != "HTTP/1.1 nobody" || inside.byChromium.Load() != 0 {
		t.Errorf("%+v; Chromium itself: %d", page, inside.byChromium.Load())
	}
	// Chromium does not know the system of this test, and says so: what it has
	// judged is the server's own certificate.
	_, err := s.Navigate(t.Context(), public.at("public.test"))
	if err == nil || !strings.Contains(err.Error(), "ERR_CERT_AUTHORITY_INVALID") {
		t.Errorf("%v", err)
	}
	if probes := public.byUs.Load(); public.byChromium.Load() == 0 || probes == 0 {
		t.Errorf("Chromium spoke to it %d times, the proxy %d times", public.byChromium.Load(), probes)
	}
	probed := public.byUs.Load()
	s.Navigate(t.Context(), public.at("public.test"))
	if again := public.byUs.Load(); again != probed {
		t.Errorf("it was probed %d times, then %d times more", probed, again-probed)
	}
}

func TestWhatCannotBeTrustedIsNotLoaded(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	system, private, unknown := egresstest.NewAuthority(t, "system"), egresstest.NewAuthority(t, "private"), egresstest.NewAuthority(t, "unknown")
	s := openTo(t, certProvider(t, system), egress.Policy{TLS: egress.TLS{Roots: []*x509.Certificate{private.Cert}}})
	for want, cert := range map[string]tls.Certificate{
		"its certificate is for another name":             private.Issue(t, nil, "elsewhere.test"),
		"its certificate has expired or is not yet valid": private.Issue(t, egresstest.Expired, "inside.test"),
		"ERR_CERT_AUTHORITY_INVALID":                      unknown.Issue(t, nil, "inside.test"),
	} {
		site := serveSecure(t, &tls.Config{Certificates: []tls.Certificate{cert}})
		if _, err := s.Navigate(t.Context(), site.at("inside.test")); !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
