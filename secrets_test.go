package drover_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/storage/secrets"
)

func TestSecretsAreSealedAgainByARotation(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := drover.Options{Data: filepath.Join(t.TempDir(), "data"), Workers: drover.WorkersNever, Functions: []functions.Definition{
		functions.Func("order", func(context.Context, *functions.Invocation) (any, error) { return nil, nil }, functions.FuncOptions{}),
	}}
	d, err := drover.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Functions.Get(ctx, "order")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Secrets.Keypair(ctx); err != nil {
		t.Fatal(err)
	}
	s, err := d.Secrets.Create(ctx, secrets.Create{Name: "A", Value: secrets.Value{Plain: "horse"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Secrets.Attach(ctx, "order", s.ID); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if n, err := drover.RotateMasterKey(ctx, drover.Options{Data: o.Data}); err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	d = withKeys(t, o.Data, "")
	if all, err := d.Secrets.Secrets(ctx, f.ProjectID, f.ID); err != nil || all["A"] != "horse" {
		t.Errorf("%q, %v", all, err)
	}
	d.Close()
	wrong := withKeys(t, o.Data, oneKey)
	defer wrong.Close()
	if _, err := wrong.Secrets.Secrets(ctx, f.ProjectID, f.ID); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("under another key: %v", err)
	}
}
