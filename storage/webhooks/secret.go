package webhooks

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/sealed"
	hooks "github.com/drover-go/drover/internal/webhooks"
	"github.com/drover-go/drover/storage"
)

// formerTime is how long a secret counts beside the one that took its place (wire-v1, 7).
const formerTime = 24 * time.Hour

// maxFormer is how many former secrets of a webhook count at the most: messages are signed
// with each.
const maxFormer = 4

// secrets are what lies sealed under the master key.
var secrets = sealed.Keys{
	Thing:   "webhook secret",
	List:    `SELECT id, sealed FROM webhook_secrets ORDER BY id`,
	Replace: `UPDATE webhook_secrets SET sealed = $2 WHERE id = $1 AND sealed = $3`,
}

// Sealed returns the secrets of all webhooks, as they lie in the rows.
func Sealed(ctx context.Context, db *storage.DB) (t seal.Things, err error) {
	defer errtypes.Wrap(&err, "webhooks.Sealed")
	return secrets.All(ctx, db)
}

// Reseal seals all secrets that were sealed under a former master key again under the
// present one, and returns how many these were. Error kind Unavailable for those that
// cannot be unsealed, which hold up no others.
func Reseal(ctx context.Context, db *storage.DB, keys *seal.Ring) (n int, err error) {
	defer errtypes.Wrap(&err, "webhooks.Reseal")
	return secrets.Reseal(ctx, db, keys)
}

// addSecret gives a webhook another secret.
func (s *service) addSecret(ctx context.Context, q storage.Querier, webhook string, now time.Time) (string, error) {
	id, secret := ids.New(), hooks.NewSecret()
	return secret, insertSecret(ctx, q, id, webhook, s.conf.Keys.Seal(secrets.Purpose(id), []byte(secret)), now)
}

func (s *service) RotateSecret(ctx context.Context, id string, revoke bool) (secret string, err error) {
	defer errtypes.Wrap(&err, "webhooks.RotateSecret(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return "", err
	}
	now := s.now()
	return secret, s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		w, err := find(ctx, tx, project.ID, id)
		if err != nil {
			return orNotFound(err, id)
		}
		if w.Protocol != Standard {
			return errtypes.Field("id", "is that of a webhook of the job platform, which is not signed")
		}
		until := now.Add(formerTime)
		if revoke {
			until = now
		}
		if err := endSecrets(ctx, tx, id, until, now); err != nil {
			return err
		}
		if err := dropFormer(ctx, tx, id, maxFormer-1); err != nil {
			return err
		}
		secret, err = s.addSecret(ctx, tx, id, now)
		return err
	})
}

// open unseals the secrets that count, the newest first.
func (s *service) open(all []seal.Sealed) (keys []string, err error) {
	for _, one := range all {
		plain, err := s.conf.Keys.Open(secrets.Purpose(one.ID), one.Key)
		if err != nil {
			return nil, secrets.Explain(one.ID, err)
		}
		keys = append(keys, string(plain))
	}
	return keys, nil
}
