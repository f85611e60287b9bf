package main

import (
	"crypto/tls"
	"io"
	stdlog "log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/drover-go/drover/internal/egress/egresstest"
)

// closedSite is a site that only who has both files reaches.
func closedSite(t *testing.T, e *testscript.Env) error {
	ca := egresstest.NewAuthority(t, "Example Corp")
	client := ca.Issue(t, nil)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "hello "+r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	s.TLS = &tls.Config{
		Certificates: []tls.Certificate{ca.Issue(t, nil, "127.0.0.1")}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: ca.Pool(),
	}
	s.Config.ErrorLog = stdlog.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	e.Setenv("CLOSED", s.URL)
	if err := os.WriteFile(filepath.Join(e.WorkDir, "ca.pem"), egresstest.PEM(ca.Cert), 0o600); err != nil {
		return err
	}
	both := append(egresstest.PEM(client.Leaf), egresstest.KeyPEM(t, client.PrivateKey)...)
	return os.WriteFile(filepath.Join(e.WorkDir, "client.pem"), both, 0o600)
}
