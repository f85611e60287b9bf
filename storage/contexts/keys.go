package contexts

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/internal/sealed"
)

// keyBits is the size of the key pair of a context. Who creates a context waits
// until its pair is found: 3072 bits take four times as long as these, and the
// private key never leaves the service but sealed.
const keyBits = 2048

var keys = sealed.Keys{
	Thing:   "context",
	List:    `SELECT id, private_key FROM contexts ORDER BY id`,
	Replace: `UPDATE contexts SET private_key = $2 WHERE id = $1 AND private_key = $3`,
}

func newPair() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, keyBits) }

func (s *service) newKeys(id string) (public, sealedKey []byte, err error) {
	private, err := s.conf.newPair()
	if err != nil {
		return nil, nil, err
	}
	plain, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	public, err = x509.MarshalPKIXPublicKey(&private.PublicKey)
	return public, s.conf.Keys.Seal(keys.Purpose(id), plain), err
}

// privateKey unseals the key of a context.
func (s *service) privateKey(r row) (*rsa.PrivateKey, error) {
	plain, err := s.conf.Keys.Open(keys.Purpose(r.ID), r.privateKey)
	if err != nil {
		return nil, keys.Explain(r.ID, err)
	}
	key, err := x509.ParsePKCS8PrivateKey(plain)
	if err != nil {
		return nil, keys.Explain(r.ID, seal.ErrDamaged)
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, keys.Explain(r.ID, seal.ErrDamaged)
	}
	return private, nil
}

// Sealed returns the keys of all contexts of all projects, as they lie in the
// rows.
func Sealed(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "contexts.Sealed")
	return keys.All(ctx, db)
}

func (s *service) Reseal(ctx context.Context) (n int, err error) {
	defer errtypes.Wrap(&err, "contexts.Reseal")
	return keys.Reseal(ctx, s.conf.DB, s.conf.Keys)
}
