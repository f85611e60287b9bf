package drover_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/projects"
)

// closed is a server that only those reach who trust its authority and show a
// certificate of it.
type closed struct {
	url    string
	ca     *egresstest.Authority
	client tls.Certificate
}

func closedSite(t *testing.T) closed {
	t.Helper()
	c := closed{ca: egresstest.NewAuthority(t, "Example Corp")}
	c.client = c.ca.Issue(t, func(c *x509.Certificate) { c.Subject.CommonName = "alice" })
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>for "+r.TLS.PeerCertificates[0].Subject.CommonName+"</title>")
	}))
	s.TLS = &tls.Config{
		Certificates: []tls.Certificate{c.ca.Issue(t, nil, "127.0.0.1")}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: c.ca.Pool(),
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	c.url = s.URL
	return c
}

// upload keeps both certificates in the caller's project.
func (c closed) upload(t *testing.T, d *drover.Drover) (ca, client string) {
	t.Helper()
	var kept []string
	for _, file := range [][]byte{egresstest.PEM(c.ca.Cert), append(egresstest.PEM(c.client.Leaf), egresstest.KeyPEM(t, c.client.PrivateKey)...)} {
		one, err := d.Certificates.Upload(t.Context(), certificates.Upload{Content: bytes.NewReader(file)})
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, one.ID)
	}
	return kept[0], kept[1]
}

func openLocal(t *testing.T) *drover.Drover {
	t.Helper()
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, AllowPrefixes: egress.PrivatePrefixes()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestFetchesUseCertificates(t *testing.T) {
	t.Parallel()
	site, d := closedSite(t), openLocal(t)
	ca, client := site.upload(t, d)
	page, err := d.Fetch.Get(t.Context(), site.url, fetch.Options{CACertificates: []string{ca}, ClientCertificates: []string{client}})
	if err != nil || !strings.Contains(page.Content, "for alice") {
		t.Errorf("%+v, %v", page, err)
	}
	for want, o := range map[string]fetch.Options{
		"TLS certificate verification failed": {ClientCertificates: []string{client}},
		"":                                    {CACertificates: []string{ca}}, // the server's alert, or a connection that is reset
	} {
		if _, err := d.Fetch.Get(t.Context(), site.url, o); !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for field, o := range map[string]fetch.Options{
		"caCertificates[1]":     {CACertificates: []string{ca, client}},
		"clientCertificates[0]": {ClientCertificates: []string{"unknown"}},
	} {
		_, err := d.Fetch.Get(t.Context(), site.url, o)
		if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	other, err := d.Projects.Create(t.Context(), projects.Create{Name: "other"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Fetch.Get(projects.With(t.Context(), other), site.url, fetch.Options{CACertificates: []string{ca}})
	if !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("of another project: %v", err)
	}
}

func TestSessionsUseCertificates(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	site, d := closedSite(t), openLocal(t)
	ca, client := site.upload(t, d)
	page, err := d.Fetch.Get(t.Context(), site.url, fetch.Options{CACertificates: []string{ca}, ClientCertificates: []string{client}, Render: true})
	if err != nil || !strings.Contains(page.Content, "for alice") {
		t.Errorf("rendered: %+v, %v", page, err)
	}
	project, err := d.Projects.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		settings sessions.Settings
		want     string
	}{
		"with both":            {sessions.Settings{CACertificates: []string{ca}, ClientCertificates: []string{client}}, ""},
		"without":              {sessions.Settings{}, "the server's certificate is not valid"},
		"with the authority":   {sessions.Settings{CACertificates: []string{ca}}, "does not accept the client certificate, or wants one"},
		"with the certificate": {sessions.Settings{ClientCertificates: []string{client}}, "the server's certificate is not valid"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := d.Sessions.OpenFor(t.Context(), project.ID, sessions.Create{Settings: test.settings})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			page, err := s.Navigate(t.Context(), site.url)
			switch {
			case test.want == "" && (err != nil || page.Title != "for alice"):
				t.Errorf("%+v, %v", page, err)
			case test.want != "" && (!errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%+v, %v", page, err)
			}
		})
	}
	_, err = d.Sessions.Create(t.Context(), sessions.Create{Settings: sessions.Settings{CACertificates: []string{ca, "unknown"}}})
	if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "proxySettings.caCertificates[1]" {
		t.Errorf("%v", err)
	}
}

// A browser elsewhere does not know the key of this process's proxies: it is
// never asked.
func TestARemoteBrowserIsGivenNoCertificates(t *testing.T) {
	t.Parallel()
	d, err := drover.Open(t.Context(), drover.Options{
		Data: drover.InMemory, AllowPrefixes: egress.PrivatePrefixes(), Chromium: chrome.Options{RemoteURL: "ws://127.0.0.1:1/devtools/browser/nobody"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	site := closedSite(t)
	ca, client := site.upload(t, d)
	for field, s := range map[string]sessions.Settings{
		"proxySettings.caCertificates":     {CACertificates: []string{ca}, ClientCertificates: []string{client}},
		"proxySettings.clientCertificates": {ClientCertificates: []string{client}},
		"browserSettings.verified":         {Verified: true},
		"browserSettings.ownProcess":       {OwnProcess: true},
	} {
		_, err := d.Sessions.Create(t.Context(), sessions.Create{Settings: s})
		refused(t, err, field)
	}
	for field, o := range map[string]fetch.Options{
		"caCertificates":     {CACertificates: []string{ca}, ClientCertificates: []string{client}, Render: true},
		"clientCertificates": {ClientCertificates: []string{client}, Render: true},
	} {
		_, err := d.Fetch.Get(t.Context(), site.url, o)
		refused(t, err, field)
	}
	page, err := d.Fetch.Get(t.Context(), site.url, fetch.Options{CACertificates: []string{ca}, ClientCertificates: []string{client}})
	if err != nil || !strings.Contains(page.Content, "for alice") {
		t.Errorf("without a browser: %+v, %v", page, err)
	}
}

// refused wants an error about a setting that a remote browser cannot honour.
func refused(t *testing.T, err error, field string) {
	t.Helper()
	if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != field || !strings.HasPrefix(e.Message, field+" cannot be honoured") {
		t.Errorf("%s: %v", field, err)
	}
}
