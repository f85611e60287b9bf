package secrets

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/internal/sealed"
)

// What lies sealed under the master key: the values, and the private keys that
// clients seal values under on their way here.
var (
	values = sealed.Keys{
		Thing:   "secret",
		List:    `SELECT id, value FROM secrets ORDER BY id`,
		Replace: `UPDATE secrets SET value = $2 WHERE id = $1 AND value = $3`,
	}
	keypairs = sealed.Keys{
		Thing:   "keypair",
		List:    `SELECT id, private_key FROM secret_keypairs ORDER BY id`,
		Replace: `UPDATE secret_keypairs SET private_key = $2 WHERE id = $1 AND private_key = $3`,
	}
)

// sealedUnder is what a message of HPKE has beside the text: the encapsulated key
// and the tag.
const sealedUnder = 32 + 16

func kem() hpke.KEM { return hpke.DHKEM(ecdh.X25519()) }

func (s *service) Keypair(ctx context.Context) (k Keypair, err error) {
	defer errtypes.Wrap(&err, "secrets.Keypair")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Keypair{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		r, err := newestKeypair(ctx, tx, project.ID)
		if err == nil {
			if _, bad := s.privateKey(r); bad == nil {
				k = r.Keypair
				return nil
			}
		} else if !errors.Is(err, storage.ErrNoRow) {
			return err
		}
		if r, err = s.newKeypair(); err != nil {
			return err
		}
		k = r.Keypair
		return insertKeypair(ctx, tx, project.ID, r, s.conf.Clock.Now())
	})
	return k, err
}

// newKeypair is the first of a project, or one after the master key of the last was
// lost.
func (s *service) newKeypair() (r keypairRow, err error) {
	key, err := kem().GenerateKey()
	if err != nil {
		return r, err
	}
	plain, err := key.Bytes()
	if err != nil {
		return r, err
	}
	r.ID = ids.New()
	r.PublicKey = key.PublicKey().Bytes()
	r.privateKey = s.conf.Keys.Seal(keypairs.Purpose(r.ID), plain)
	return r, nil
}

func (s *service) privateKey(r keypairRow) (hpke.PrivateKey, error) {
	plain, err := s.conf.Keys.Open(keypairs.Purpose(r.ID), r.privateKey)
	if err != nil {
		return nil, keypairs.Explain(r.ID, err)
	}
	key, err := kem().NewPrivateKey(plain)
	if err != nil {
		return nil, keypairs.Explain(r.ID, errors.Join(seal.ErrDamaged, err))
	}
	return key, nil
}

// read returns a value that was given, in the clear.
func (s *service) read(ctx context.Context, projectID string, v Value) (string, error) {
	if v.KeypairID == "" && v.Sealed == nil {
		return v.Plain, s.checkValue("value", v.Plain)
	}
	if len(v.Sealed) > s.conf.Limits.MaxValue+sealedUnder {
		return "", s.checkValue("sealedSecretValue", string(v.Sealed))
	}
	var r keypairRow
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		r, err = findKeypair(ctx, q, projectID, v.KeypairID)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		return "", errtypes.Field("keypairId", "names no keypair of the project")
	}
	if err != nil {
		return "", err
	}
	key, err := s.privateKey(r)
	if err != nil {
		return "", err
	}
	plain, err := hpke.Open(key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, v.Sealed)
	if err != nil {
		return "", errtypes.Field("sealedSecretValue", "does not open with the key of the keypair: it must be the encapsulated key and the ciphertext of one HPKE message in base mode, "+
			"of DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM without info and associated data")
	}
	return string(plain), s.checkValue("sealedSecretValue", string(plain))
}

// open unseals a value.
func (s *service) open(r row) (string, error) {
	plain, err := s.conf.Keys.Open(values.Purpose(r.ID), r.value)
	if err != nil {
		return "", values.Explain(r.ID, err)
	}
	return string(plain), nil
}

// SealedValues returns the values of all secrets of all projects, as they lie in
// the rows.
func SealedValues(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "secrets.SealedValues")
	return values.All(ctx, db)
}

// SealedKeys returns the private keys of all keypairs, as they lie in the rows.
func SealedKeys(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "secrets.SealedKeys")
	return keypairs.All(ctx, db)
}

func (s *service) Reseal(ctx context.Context) (n int, err error) {
	defer errtypes.Wrap(&err, "secrets.Reseal")
	n, err = values.Reseal(ctx, s.conf.DB, s.conf.Keys)
	if ctx.Err() != nil {
		return n, err
	}
	more, failed := keypairs.Reseal(ctx, s.conf.DB, s.conf.Keys)
	return n + more, unread(err, failed)
}
