package certificates

import (
	"context"
	"crypto"
	"crypto/x509"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
)

// purpose binds a sealed key to its certificate.
func purpose(id string) string { return "certificate/" + id }

func (s *service) sealKey(id string, key crypto.Signer) ([]byte, error) {
	plain, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, errKeyUnread.WithCause(err)
	}
	return s.conf.Keys.Seal(purpose(id), plain), nil
}

// openKey unseals the key of a certificate.
func (s *service) openKey(r row) (crypto.Signer, error) {
	plain, err := s.conf.Keys.Open(purpose(r.ID), r.privateKey)
	if err != nil {
		return nil, noKey(r.ID, err)
	}
	key, err := parseKey(plain)
	if key == nil {
		return nil, noKey(r.ID, errors.Join(seal.ErrDamaged, err))
	}
	return key, nil
}

func noKey(id string, err error) error { return seal.Explain("certificate", id, err) }

func (s *service) Reseal(ctx context.Context) (n int, err error) {
	defer errtypes.Wrap(&err, "certificates.Reseal")
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		all, err := sealedKeys(ctx, tx)
		if err != nil {
			return err
		}
		for _, k := range all {
			again, done, err := s.conf.Keys.Again(purpose(k.id), k.key)
			if err != nil {
				return noKey(k.id, err)
			}
			if !done {
				continue
			}
			if err := replaceKey(ctx, tx, sealedKey{k.id, again}, k.key); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}
