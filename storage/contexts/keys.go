package contexts

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
)

// keyBits is the size of the key pair of a context. Who creates a context waits
// until its pair is found: 3072 bits take four times as long as these, and the
// private key never leaves the service but sealed.
const keyBits = 2048

// thing is what a key belongs to, in what binds it to that and in messages.
const thing = "context"

func purpose(id string) string { return seal.Purpose(thing, id) }

func (s *service) newKeys(id string) (public, sealed []byte, err error) {
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, nil, err
	}
	plain, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	public, err = x509.MarshalPKIXPublicKey(&private.PublicKey)
	return public, s.conf.Keys.Seal(purpose(id), plain), err
}

// privateKey unseals the key of a context.
func (s *service) privateKey(r row) (*rsa.PrivateKey, error) {
	plain, err := s.conf.Keys.Open(purpose(r.ID), r.privateKey)
	if err != nil {
		return nil, noKey(r.ID, err)
	}
	key, err := x509.ParsePKCS8PrivateKey(plain)
	if err != nil {
		return nil, noKey(r.ID, seal.ErrDamaged)
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, noKey(r.ID, seal.ErrDamaged)
	}
	return private, nil
}

func noKey(id string, err error) error { return seal.Explain(thing, id, err) }

// Sealed returns the keys of all contexts of all projects, as they lie in the
// rows.
func Sealed(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "contexts.Sealed")
	t.Kind = thing
	err = db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		t.Keys, err = sealedKeys(ctx, q)
		return err
	})
	return t, err
}

func (s *service) Reseal(ctx context.Context) (n int, err error) {
	defer errtypes.Wrap(&err, "contexts.Reseal")
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
