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

// thing is what a key belongs to, in what binds it to that and in messages.
const thing = "certificate"

func purpose(id string) string { return seal.Purpose(thing, id) }

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

func noKey(id string, err error) error { return seal.Explain(thing, id, err) }

// Sealed returns the keys of all certificates of all projects, as they lie in the
// rows.
func Sealed(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "certificates.Sealed")
	t.Kind = thing
	err = db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		t.Keys, err = sealedKeys(ctx, q)
		return err
	})
	return t, err
}

func (s *service) Reseal(ctx context.Context) (n int, err error) {
	defer errtypes.Wrap(&err, "certificates.Reseal")
	var unread error
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		all, err := sealedKeys(ctx, tx)
		if err != nil {
			return err
		}
		n, unread, err = s.conf.Keys.Renew(thing, all, func(was seal.Sealed, now []byte) error {
			return replaceKey(ctx, tx, was, now)
		})
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, unread
}
