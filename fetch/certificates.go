package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// Certificates has the certificates that fetches use.
type Certificates interface {
	// Authorities returns the certificates to trust of those with the ids, for the
	// caller's project. Error kind Invalid, about the field with an index.
	Authorities(ctx context.Context, field string, ids []string) ([]*x509.Certificate, error)
	// Clients returns those to present, in the same way.
	Clients(ctx context.Context, field string, ids []string) ([]tls.Certificate, error)
}

func (o Options) usesCertificates() bool {
	return len(o.CACertificates)+len(o.ClientCertificates) > 0
}

// tlsMaterial is what a fetch adds to the TLS of its way out.
func (c Config) tlsMaterial(ctx context.Context, o Options) (t egress.TLS, err error) {
	if !o.usesCertificates() {
		return t, nil
	}
	if c.Certificates == nil {
		return t, errtypes.Field("caCertificates", "cannot be used: this service keeps no certificates")
	}
	if t.Roots, err = c.Certificates.Authorities(ctx, "caCertificates", o.CACertificates); err != nil {
		return t, err
	}
	t.Certificates, err = c.Certificates.Clients(ctx, "clientCertificates", o.ClientCertificates)
	return t, err
}
