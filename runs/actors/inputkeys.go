package actors

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/sealed"
	"github.com/drover-go/drover/runs/actors/internal/inputsecret"
	"github.com/drover-go/drover/storage"
)

// inputKeys are the private keys with which secret fields of inputs are opened. An Actor
// has one from its first such input on.
var inputKeys = sealed.Keys{
	Thing:   "input key",
	List:    `SELECT id, sealed FROM actor_input_keys ORDER BY id`,
	Replace: `UPDATE actor_input_keys SET sealed = $2 WHERE id = $1 AND sealed = $3`,
}

// SealedInputKeys returns the keys of all Actors, as they lie in the rows.
func SealedInputKeys(ctx context.Context, db *storage.DB) (seal.Things, error) {
	return inputKeys.All(ctx, db)
}

// ResealInputKeys seals again, under the first of the master keys, those that a former
// one sealed, and counts them.
func ResealInputKeys(ctx context.Context, db *storage.DB, keys *seal.Ring) (int, error) {
	return inputKeys.Reseal(ctx, db, keys)
}

// inputKey returns the encoded key of an Actor; nil for none.
func (s *service) inputKey(ctx context.Context, actorID string) (encoded []byte, err error) {
	var id string
	var row []byte
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT id, sealed FROM actor_input_keys WHERE actor_id = $1`, actorID).Scan(&id, &row)
	})
	if errors.Is(err, storage.ErrNoRow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if encoded, err = s.conf.Keys.Open(inputKeys.Purpose(id), row); err != nil {
		return nil, inputKeys.Explain(id, err)
	}
	return encoded, nil
}

// makeInputKey makes one, unless another call was first.
func (s *service) makeInputKey(ctx context.Context, actorID string) (*rsa.PrivateKey, error) {
	key, err := inputsecret.New()
	if err != nil {
		return nil, err
	}
	encoded, err := inputsecret.Encode(key)
	if err != nil {
		return nil, err
	}
	id := ids.NewShort()
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO actor_input_keys (id, actor_id, sealed) SELECT $1, id, $3 FROM actors WHERE id = $2 ON CONFLICT (actor_id) DO NOTHING`,
			id, actorID, s.conf.Keys.Seal(inputKeys.Purpose(id), encoded))
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.privateKey(ctx, actorID)
}

// privateKey returns the key of an Actor; nil for none.
func (s *service) privateKey(ctx context.Context, actorID string) (*rsa.PrivateKey, error) {
	encoded, err := s.inputKey(ctx, actorID)
	if err != nil || encoded == nil {
		return nil, err
	}
	return inputsecret.Decode(encoded)
}

// sealInput seals what the schema of an input marks as secret.
func (s *service) sealInput(ctx context.Context, actorID string, secret []string, body []byte) ([]byte, error) {
	object, err := objectOf(body)
	if err != nil {
		return nil, err
	}
	var key *rsa.PrivateKey
	changed := false
	for _, name := range secret {
		value, there := object[name]
		if !there || inputsecret.Is(value) {
			continue
		}
		if key == nil {
			if key, err = s.privateKey(ctx, actorID); err == nil && key == nil {
				key, err = s.makeInputKey(ctx, actorID)
			}
		}
		if err == nil && key == nil {
			err = noActor(actorID) // it went meanwhile
		}
		if err != nil {
			return nil, err
		}
		if object[name], err = inputsecret.Seal(&key.PublicKey, value); err != nil {
			return nil, err
		}
		changed = true
	}
	if !changed {
		return body, nil
	}
	return encode(object)
}

// openInput opens what is secret in an input for a Go Actor.
func (s *service) openInput(ctx context.Context, actorID string, body []byte) ([]byte, error) {
	var object map[string]json.RawMessage
	if first(body) != '{' || json.Unmarshal(body, &object) != nil {
		return body, nil
	}
	var key *rsa.PrivateKey
	var err error
	for name, value := range object {
		if !inputsecret.Is(value) {
			continue
		}
		if key == nil {
			if key, err = s.privateKey(ctx, actorID); err != nil || key == nil {
				return body, err
			}
		}
		if object[name], err = inputsecret.Open(key, value); err != nil {
			return nil, errtypes.New(errtypes.Invalid, "the field %.100q of the input cannot be opened: %s", name, err)
		}
	}
	if key == nil {
		return body, nil
	}
	return encode(object)
}

const inputKeyVariable = "APIFY_INPUT_SECRETS_PRIVATE_KEY_FILE"

// inputEnv is what a process opens secret fields with: the key, as base64 of its PEM, and
// a passphrase, which packages ask for. The key itself has none.
func (s *service) inputEnv(ctx context.Context, r runRow) (map[string]string, error) {
	encoded, err := s.inputKey(ctx, r.ProgramID)
	if err != nil || encoded == nil {
		return nil, err
	}
	return map[string]string{
		inputKeyVariable: base64.StdEncoding.EncodeToString(inputsecret.PEM(encoded)),
		"APIFY_INPUT_SECRETS_PRIVATE_KEY_PASSPHRASE": "none",
	}, nil
}
