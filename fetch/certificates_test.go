package fetch_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

// kept are certificates for every caller, whatever the ids.
type kept struct {
	roots   []*x509.Certificate
	clients []tls.Certificate
}

func (k kept) Authorities(_ context.Context, _ string, ids []string) ([]*x509.Certificate, error) {
	return k.roots[:min(len(ids), 1)], nil
}

func (k kept) Clients(_ context.Context, _ string, ids []string) ([]tls.Certificate, error) {
	return k.clients[:min(len(ids), 1)], nil
}

// asker is a server that asks everybody for a certificate, and says who came, or
// redirects to the query.
func asker(t *testing.T, ca *egresstest.Authority) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		who := "nobody"
		if peers := r.TLS.PeerCertificates; len(peers) > 0 {
			who = peers[0].Subject.CommonName
		}
		io.WriteString(w, who)
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{ca.Issue(t, nil, "127.0.0.1", "localhost")}, ClientAuth: tls.RequestClientCert}
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func TestOnlyTheServerOfTheURLIsShownClientCertificates(t *testing.T) {
	ca := egresstest.NewAuthority(t, "Example Corp")
	alice := ca.Issue(t, func(c *x509.Certificate) { c.Subject.CommonName = "alice" })
	s := open(t, fetch.Config{Certificates: kept{[]*x509.Certificate{ca.Cert}, []tls.Certificate{alice}}})
	first, other := asker(t, ca), asker(t, ca)
	o := fetch.Options{AllowRedirects: true, CACertificates: []string{"ca"}, ClientCertificates: []string{"alice"}}
	for name, test := range map[string]struct{ url, want string }{
		"no redirect":             {first, "alice"},
		"a redirect to itself":    {first + "?to=/", "alice"},
		"to another port":         {first + "?to=" + other, "nobody"},
		"to another name":         {first + "?to=" + strings.Replace(first, "127.0.0.1", "localhost", 1), "nobody"},
		"there and back":          {first + "?to=" + other + "?to=" + first, "alice"},
		"there, and there itself": {first + "?to=" + other + "?to=/", "nobody"},
	} {
		if a := get(t, s, test.url, o); a.Content != test.want {
			t.Errorf("%s: %q, want %q", name, a.Content, test.want)
		}
	}
	o.ClientCertificates = nil
	if a := get(t, s, first, o); a.Content != "nobody" {
		t.Errorf("without one: %q", a.Content)
	}
}

func TestClientCertificatesForWhoeverAnswersAreRefused(t *testing.T) {
	ca := egresstest.NewAuthority(t, "Example Corp")
	s := open(t, fetch.Config{Certificates: kept{[]*x509.Certificate{ca.Cert}, []tls.Certificate{ca.Issue(t, nil)}}})
	site := asker(t, ca)
	for words, test := range map[string]struct {
		url string
		o   fetch.Options
	}{
		"allowInsecureSsl":    {site, fetch.Options{AllowInsecureSSL: true, ClientCertificates: []string{"x"}}},
		"need a url of https": {strings.Replace(site, "https:", "http:", 1), fetch.Options{ClientCertificates: []string{"x"}}},
	} {
		_, err := s.Get(t.Context(), test.url, test.o)
		if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "clientCertificates" || !strings.Contains(e.Message, words) {
			t.Errorf("%s: %v", words, err)
		}
	}
	if a := get(t, s, site, fetch.Options{AllowInsecureSSL: true, CACertificates: []string{"ca"}}); a.Content != "nobody" {
		t.Errorf("an authority beside allowInsecureSsl: %q", a.Content)
	}
}
