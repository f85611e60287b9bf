package sessions

import (
	"context"
	"crypto/tls"
	"crypto/x509"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// Certificates has the certificates that sessions use.
type Certificates interface {
	// Authorities returns the certificates to trust of those with the ids, for the
	// project in the context. Error kind Invalid, about the field with an index.
	Authorities(ctx context.Context, field string, ids []string) ([]*x509.Certificate, error)
	// Clients returns those to present, in the same way.
	Clients(ctx context.Context, field string, ids []string) ([]tls.Certificate, error)
}

// tlsMaterial is what the settings of a session of the project in the context add
// to the TLS of its way out.
func (c Config) tlsMaterial(ctx context.Context, s Settings) (t egress.TLS, err error) {
	if len(s.CACertificates)+len(s.ClientCertificates) == 0 {
		return t, nil
	}
	if c.CertificateStore == nil {
		return t, errtypes.Field("proxySettings.caCertificates", "cannot be used: this service keeps no certificates")
	}
	if t.Roots, err = c.CertificateStore.Authorities(ctx, "proxySettings.caCertificates", s.CACertificates); err != nil {
		return t, err
	}
	t.Certificates, err = c.CertificateStore.Clients(ctx, "proxySettings.clientCertificates", s.ClientCertificates)
	return t, err
}
