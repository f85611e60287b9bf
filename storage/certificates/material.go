package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// maxNamed is how many certificates a session or a fetch may name.
const maxNamed = 100

// stored is a row with its certificates.
type stored struct {
	row
	certs []*x509.Certificate
}

func (s *service) Authorities(ctx context.Context, field string, ids []string) (roots []*x509.Certificate, err error) {
	defer errtypes.Wrap(&err, "certificates.Authorities")
	all, err := s.named(ctx, CA, field, ids)
	seen := map[string]bool{}
	for _, one := range all {
		for _, cert := range one.certs {
			if !seen[string(cert.Raw)] {
				seen[string(cert.Raw)] = true
				roots = append(roots, cert)
			}
		}
	}
	return roots, err
}

func (s *service) Clients(ctx context.Context, field string, ids []string) (clients []tls.Certificate, err error) {
	defer errtypes.Wrap(&err, "certificates.Clients")
	all, err := s.named(ctx, Client, field, ids)
	for _, one := range all {
		key, err := s.openKey(one.row)
		if err != nil {
			return nil, err
		}
		c := tls.Certificate{PrivateKey: key, Leaf: one.certs[0]}
		for _, cert := range one.certs {
			c.Certificate = append(c.Certificate, cert.Raw)
		}
		clients = append(clients, c)
	}
	return clients, err
}

// named returns the certificates with the ids, which must be of one kind.
func (s *service) named(ctx context.Context, kind Kind, field string, ids []string) (all []stored, err error) {
	switch {
	case len(ids) == 0:
		return nil, nil
	case len(ids) > maxNamed:
		return nil, errtypes.Field(field, "must be at most %d certificates", maxNamed)
	}
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	u := use{service: s, projectID: project.ID, kind: kind, field: field, seen: map[string]bool{}}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		for i, id := range ids {
			if err := u.load(ctx, q, at(field, i), id); err != nil {
				return err
			}
		}
		return nil
	})
	return u.all, err
}

// use is what one session or fetch names of a kind.
type use struct {
	*service
	projectID string
	kind      Kind
	field     string
	all       []stored
	seen      map[string]bool // ids
	count     int             // certificates
}

// load adds a certificate, once. What all of them have is bounded before it is
// read: the row has the number.
func (u *use) load(ctx context.Context, q storage.Querier, at, id string) error {
	if u.seen[id] {
		return nil
	}
	u.seen[id] = true
	r, err := findRow(ctx, q, u.projectID, id)
	switch {
	case errors.Is(err, storage.ErrNoRow):
		return errtypes.Field(at, "names no certificate of this project: %.100q", id)
	case err != nil:
		return err
	case r.Kind != u.kind:
		return errtypes.Field(at, "must name %s; %q is %s", u.kind.words(), id, r.Kind.words())
	}
	if u.count += r.Count; u.count > u.conf.Limits.MaxUsed {
		return errtypes.Field(u.field, "names files with more than %d certificates altogether", u.conf.Limits.MaxUsed)
	}
	certs, err := listParts(ctx, q, id)
	if err != nil {
		return err
	}
	for _, cert := range certs {
		if err := u.stillValid(cert, at); err != nil {
			return err
		}
	}
	u.all = append(u.all, stored{r, certs})
	return nil
}

// stillValid says beforehand what would only fail later, and less clearly.
func (s *service) stillValid(cert *x509.Certificate, at string) error {
	if s.conf.Clock.Now().After(cert.NotAfter) {
		return errtypes.Field(at, "names a certificate that has expired: %s was valid until %s", name(cert), date(cert.NotAfter))
	}
	return nil
}

func (k Kind) words() string {
	if k == CA {
		return "the certificate of an authority"
	}
	return "a client certificate"
}
