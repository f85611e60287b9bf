package drover_test

import (
	"path/filepath"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/secrets"
)

func TestSecretsAreSealedAgainByARotation(t *testing.T) {
	t.Parallel()
	dir, ctx := filepath.Join(t.TempDir(), "data"), t.Context()
	d := withKeys(t, dir, "")
	if _, err := d.Secrets.Keypair(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Secrets.Create(ctx, secrets.Create{Name: "A", Value: secrets.Value{Plain: "horse"}}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if n, err := drover.RotateMasterKey(ctx, drover.Options{Data: dir}); err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	d = withKeys(t, dir, "")
	project, err := d.Projects.Get(ctx, projects.Default)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := d.Secrets.Secrets(ctx, project.ID); err != nil || all["A"] != "horse" {
		t.Errorf("%q, %v", all, err)
	}
	d.Close()
	wrong := withKeys(t, dir, oneKey)
	defer wrong.Close()
	if _, err := wrong.Secrets.Secrets(ctx, project.ID); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("under another key: %v", err)
	}
}
