package conformance

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"maps"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/secrets"
)

// withSecrets has a function, a keypair, and values that were sealed under it.
func withSecrets(t *testing.T) *world {
	w := build(t, config{more: addShop})
	ctx := w.asDefault(t)
	k := must(w.Secrets.Keypair(ctx))(t)
	w.words["<keypair>"], w.words["<function>"] = k.ID, must(w.Functions.Get(ctx, "shop"))(t).ID
	w.words["<public>"] = base64.StdEncoding.EncodeToString(k.PublicKey)
	for word, value := range map[string]string{"<sealed>": "horse", "<sealed-other>": "mule", "<sealed-long>": strings.Repeat("x", 60), "<sealed-large>": strings.Repeat("x", 101)} {
		w.words[word] = base64.StdEncoding.EncodeToString(sealFor(t, k, value))
	}
	return w
}

func addShop(o *drover.Options) {
	o.Secrets = secrets.Limits{MaxValue: 100, MaxTotal: 60}
	o.Functions = []functions.Definition{functions.Func("shop", func(context.Context, *functions.Invocation) (any, error) { return nil, nil }, functions.FuncOptions{})}
}

// sealFor seals a value as a client does.
func sealFor(t *testing.T, k secrets.Keypair, value string) []byte {
	t.Helper()
	public := must(hpke.DHKEM(ecdh.X25519()).NewPublicKey(k.PublicKey))(t)
	return must(hpke.Seal(public, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, []byte(value)))(t)
}

// TestPublicClientSecrets has the public client keep secrets and attach them to a
// function, which gets the values.
func TestPublicClientSecrets(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm-secrets")
	w := build(t, config{realTime: true, more: func(o *drover.Options) { addShop(o); o.Secrets = secrets.Limits{} }})
	ctx := w.asDefault(t)
	f := must(w.Functions.Get(ctx, "shop"))(t)
	out := node(t, dir, "secrets.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "FUNCTION="+f.ID)
	if !strings.HasPrefix(out, "all 10 steps passed") {
		t.Error(out)
	}
	project, _ := projects.From(ctx)
	if got := must(w.Secrets.Secrets(ctx, project.ID, f.ID))(t); !maps.Equal(got, map[string]string{"USER": "bob"}) {
		t.Errorf("the function gets %q", got)
	}
}
