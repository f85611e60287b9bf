package v1

import (
	"encoding/base64"

	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/secrets"
)

type secretJSON struct {
	ID        string `json:"id"`
	SecretKey string `json:"secretKey"`
}

func secretOut(s secrets.Secret) secretJSON { return secretJSON{s.ID, s.Name} }

type keypairJSON struct {
	ID string `json:"id"`
	// PublicKey is its 32 bytes in base64.
	PublicKey string `json:"publicKey"`
}

func secretsKeypair(x *exchange) (answer, error) {
	k, err := x.Secrets.Keypair(x.R.Context())
	return api.OK(keypairJSON{k.ID, base64.StdEncoding.EncodeToString(k.PublicKey)}), err
}

// secretValueIn are the fields of a value that a client has sealed, with others.
func secretValueIn(v *secrets.Value, others strictjson.Fields) strictjson.Value {
	fields := strictjson.Fields{
		"keypairId": idIn(&v.KeypairID), "sealedSecretValue": strictjson.Base64(&v.Sealed),
	}
	required := []string{"keypairId", "sealedSecretValue"}
	for name, field := range others {
		fields[name], required = field, append([]string{name}, required...)
	}
	return strictjson.Open(fields, required...)
}

func createSecret(x *exchange) (answer, error) {
	var c secrets.Create
	if err := x.Body(secretValueIn(&c.Value, strictjson.Fields{"secretKey": strictjson.String(&c.Name)})); err != nil {
		return answer{}, err
	}
	s, err := x.Secrets.Create(x.R.Context(), c)
	return api.Created(secretOut(s)), err
}

func updateSecret(x *exchange) (answer, error) {
	var v secrets.Value
	if err := x.Body(secretValueIn(&v, nil)); err != nil {
		return answer{}, err
	}
	s, err := x.Secrets.Update(x.R.Context(), x.id("secretId"), v)
	return api.OK(secretOut(s)), err
}

func getSecret(x *exchange) (answer, error) {
	s, err := x.Secrets.Get(x.R.Context(), x.id("secretId"))
	return api.OK(secretOut(s)), err
}

func deleteSecret(x *exchange) (answer, error) {
	return api.NoContent(), x.Secrets.Delete(x.R.Context(), x.id("secretId"))
}

func secretFilterIn(x *exchange) (secrets.Filter, error) {
	q := x.Query()
	return secrets.Filter{
		StartAt: q.Time("startAt"), EndAt: q.Time("endAt"), Limit: q.Int("limit", 1, maxPage), Cursor: q.String("cursor"),
	}, q.Err()
}

func listSecrets(x *exchange) (answer, error) {
	f, err := secretFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Secrets.List(x.R.Context(), f)
	return api.OK(pageOut(page.Secrets, secretOut, page.Limit, page.NextCursor)), err
}

func listFunctionSecrets(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	f, err := secretFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Secrets.Attached(x.R.Context(), id, f)
	return api.OK(pageOut(page.Secrets, secretOut, page.Limit, page.NextCursor)), err
}

func attachSecret(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	var secretID string
	if err := x.Body(strictjson.Open(strictjson.Fields{"secretId": idIn(&secretID)}, "secretId")); err != nil {
		return answer{}, err
	}
	return api.NoContent(), x.Secrets.Attach(x.R.Context(), id, secretID)
}

func detachSecret(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	return api.NoContent(), x.Secrets.Detach(x.R.Context(), id, x.id("secretId"))
}
