package conformance

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
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
// function, which gets the values, and invoke it by its methods for any route: it has
// none for that.
func TestPublicClientSecrets(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm-secrets")
	w := build(t, config{realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) { addShop(o); o.Secrets = secrets.Limits{} }})
	ctx := w.asDefault(t)
	f := must(w.Functions.Get(ctx, "shop"))(t)
	out := node(t, dir, "secrets.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "FUNCTION="+f.ID)
	if !strings.HasPrefix(out, "all 13 steps passed") {
		t.Error(out)
	}
	project, _ := projects.From(ctx)
	if got := must(w.Secrets.Secrets(ctx, project.ID, f.ID))(t); !maps.Equal(got, map[string]string{"USER": "bob"}) {
		t.Errorf("the function gets %q", got)
	}
}

// TestAPublishedFunctionGetsItsSecrets has a program say what it gets: the secrets
// that are attached to it, when it is invoked, and in no variable.
func TestAPublishedFunctionGetsItsSecrets(t *testing.T) {
	t.Parallel()
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	runtime := must(os.ReadFile("../../functions/testdata/runtime.mjs"))(t)
	w := build(t, config{realTime: true, workers: drover.WorkersAlways})
	ctx := w.asDefault(t)
	b := must(w.Functions.Publish(ctx, functions.Publish{Entrypoint: "index.mjs", Archive: strings.NewReader(tarOf(t, map[string]string{
		"runtime.mjs": string(runtime), "index.mjs": `import { define } from "./runtime.mjs";
			define("tell", async ({ secrets }) => ({ all: Object.entries(secrets).map(([k, v]) => k + " " + v.length), env: Object.values(process.env).includes("correct horse") }));`,
	}))}))(t)
	if b = must(w.Builds.Wait(ctx, builds.Function, b.ID))(t); b.Status != builds.Succeeded {
		t.Fatalf("%+v", b.Cause)
	}
	tell := func(want string) {
		t.Helper()
		inv := must(w.Functions.Invoke(ctx, "tell", functions.Invoke{}))(t)
		if inv = must(w.Functions.Wait(ctx, inv.ID))(t); string(inv.Result) != want {
			t.Errorf("%s %+v, want %s", inv.Result, inv.Cause, want)
		}
	}
	tell(`{"all":[],"env":false}`)
	k := must(w.Secrets.Keypair(ctx))(t)
	s := must(w.Secrets.Create(ctx, secrets.Create{Name: "A", Value: secrets.Value{KeypairID: k.ID, Sealed: sealFor(t, k, "correct horse")}}))(t)
	must(w.Secrets.Create(ctx, secrets.Create{Name: "B", Value: secrets.Value{Plain: "of nobody"}}))(t)
	must(0, w.Secrets.Attach(ctx, "tell", s.ID))(t)
	tell(`{"all":["A 13"],"env":false}`)
	must(0, w.Secrets.Detach(ctx, "tell", s.ID))(t)
	tell(`{"all":[],"env":false}`)
}
