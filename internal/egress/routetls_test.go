package egress_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
)

// certOf verifies a test server.
func certOf(s *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// insecureFor is the configuration of clients of test servers, whose certificate
// is for example.com.
func insecureFor(roots *x509.CertPool) *tls.Config {
	return &tls.Config{RootCAs: roots, ServerName: "example.com"}
}
