package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/url"

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

// validateFor refuses client certificates that could be shown to nobody, or to
// anybody.
func (o Options) validateFor(u *url.URL) error {
	switch {
	case len(o.ClientCertificates) == 0:
		return nil
	case o.AllowInsecureSSL:
		return errtypes.Field("clientCertificates", "must not be given together with allowInsecureSsl: they would be shown to whoever answers")
	case u.Scheme != "https":
		return errtypes.Field("clientCertificates", "need a url of https: they are shown to its server alone")
	}
	return nil
}

// tlsMaterial is what a fetch adds to the TLS of its way out. The certificates of
// the client are for the origin that it begins at.
func (c Config) tlsMaterial(ctx context.Context, o Options, origin *url.URL) (t egress.TLS, err error) {
	if !o.usesCertificates() {
		return t, nil
	}
	if c.Certificates == nil {
		return t, errtypes.Field("caCertificates", "cannot be used: this service keeps no certificates")
	}
	if t.Roots, err = c.Certificates.Authorities(ctx, "caCertificates", o.CACertificates); err != nil {
		return t, err
	}
	if len(o.ClientCertificates) > 0 {
		t.Target = targetOf(origin)
	}
	t.Certificates, err = c.Certificates.Clients(ctx, "clientCertificates", o.ClientCertificates)
	return t, err
}
