package certificates

import (
	"context"
	"crypto"
	"crypto/x509"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/internal/sealed"
)

var keys = sealed.Keys{
	Thing:   "certificate",
	List:    `SELECT id, private_key FROM certificates WHERE private_key IS NOT NULL ORDER BY id`,
	Replace: `UPDATE certificates SET private_key = $2 WHERE id = $1 AND private_key = $3`,
}

func (s *service) sealKey(id string, key crypto.Signer) ([]byte, error) {
	plain, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, errKeyUnread.WithCause(err)
	}
	return s.conf.Keys.Seal(keys.Purpose(id), plain), nil
}

// openKey unseals the key of a certificate.
func (s *service) openKey(r row) (crypto.Signer, error) {
	plain, err := s.conf.Keys.Open(keys.Purpose(r.ID), r.privateKey)
	if err != nil {
		return nil, keys.Explain(r.ID, err)
	}
	key, err := parseKey(plain)
	if key == nil {
		return nil, keys.Explain(r.ID, errors.Join(seal.ErrDamaged, err))
	}
	return key, nil
}

// Sealed returns the keys of all certificates of all projects, as they lie in the
// rows.
func Sealed(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "certificates.Sealed")
	return keys.All(ctx, db)
}

func (s *service) Reseal(ctx context.Context) (n int, err error) {
	defer errtypes.Wrap(&err, "certificates.Reseal")
	return keys.Reseal(ctx, s.conf.DB, s.conf.Keys)
}
