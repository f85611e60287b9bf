package certificates

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestListAndDelete(t *testing.T) {
	t.Parallel()
	f, w := newFiles(t), opened(t, Limits{})
	if all := must(w.List(t.Context()))(t); all == nil || len(all) > 0 {
		t.Errorf("%v", all)
	}
	one, two := w.upload(t, f.ca.Cert.Raw), w.upload(t, join(f.cert(), f.key(t)))
	if all := must(w.List(t.Context()))(t); len(all) != 2 || all[0] != two || all[1] != one {
		t.Errorf("%+v", all)
	}
	if err := w.Delete(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.Get(t.Context(), one.ID)
	if !errtypes.Is(err, errtypes.NotFound) || !errtypes.Is(w.Delete(t.Context(), one.ID), errtypes.NotFound) {
		t.Error(err)
	}
	err = w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		if left, err := listParts(ctx, q, one.ID); err != nil || len(left) > 0 {
			t.Errorf("%d certificates are left, %v", len(left), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWhatIsNamedMustBeThereAndOfTheKind(t *testing.T) {
	t.Parallel()
	f, w := newFiles(t), opened(t, Limits{})
	ca, client := w.upload(t, f.ca.Cert.Raw), w.upload(t, join(f.cert(), f.key(t)))
	if roots := must(w.Authorities(t.Context(), "x", []string{ca.ID}))(t); len(roots) != 1 || !roots[0].Equal(f.ca.Cert) {
		t.Errorf("%v", roots)
	}
	_, err := w.Authorities(t.Context(), "x", []string{ca.ID, client.ID})
	invalid(t, err, "x[1]", "must name the certificate of an authority")
	_, err = w.Clients(t.Context(), "y", []string{ca.ID})
	invalid(t, err, "y[0]", "must name a client certificate")
	_, err = w.Clients(t.Context(), "y", []string{"nothing"})
	invalid(t, err, "y[0]", "names no certificate")
	_, err = w.Clients(t.Context(), "y", make([]string, 101))
	invalid(t, err, "y", "at most 100")
	other := must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
	theirs := projects.With(t.Context(), other)
	_, err = w.Authorities(theirs, "x", []string{ca.ID})
	invalid(t, err, "x[0]", "names no certificate")
	if _, err := w.Get(theirs, ca.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if err := w.Delete(theirs, ca.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if all := must(w.List(theirs))(t); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// TestWhatIsNamedIsReadOnceAndBounded has a file of one authority many times, named
// many times.
func TestWhatIsNamedIsReadOnceAndBounded(t *testing.T) {
	t.Parallel()
	f, w := newFiles(t), opened(t, Limits{MaxUsed: 4})
	other, third := egresstest.NewAuthority(t, "Another"), egresstest.NewAuthority(t, "A third")
	many := w.upload(t, bytes.Repeat(egresstest.PEM(f.ca.Cert), 500))
	if many.Count != 1 {
		t.Errorf("%d certificates of one were kept", many.Count)
	}
	both := w.upload(t, egresstest.PEM(f.ca.Cert, other.Cert))
	ids := append(slices.Repeat([]string{many.ID}, 99), both.ID)
	if roots := must(w.Authorities(t.Context(), "x", ids))(t); len(roots) != 2 || !roots[0].Equal(f.ca.Cert) || !roots[1].Equal(other.Cert) {
		t.Errorf("%d to trust", len(roots))
	}
	all := w.upload(t, egresstest.PEM(f.ca.Cert, other.Cert, third.Cert))
	if roots := must(w.Authorities(t.Context(), "x", []string{many.ID, all.ID, all.ID}))(t); len(roots) != 3 {
		t.Errorf("%d to trust", len(roots))
	}
	_, err := w.Authorities(t.Context(), "x", []string{many.ID, both.ID, all.ID})
	invalid(t, err, "x", "more than 4 certificates altogether")
	client := w.upload(t, join(f.cert(), f.key(t)))
	if clients := must(w.Clients(t.Context(), "x", []string{client.ID, client.ID}))(t); len(clients) != 1 {
		t.Errorf("%d to present", len(clients))
	}
}

func TestKeysAreSealedAndSealedAgain(t *testing.T) {
	t.Parallel()
	f, dir := newFiles(t), t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	old, now := seal.NewKey(), seal.NewKey()
	w := open(t, db, seal.NewRing(old), Limits{})
	c := w.upload(t, join(f.cert(), f.key(t)))
	usable := func(keys *seal.Ring) error {
		all, err := open(t, db, keys, Limits{}).Clients(t.Context(), "x", []string{c.ID})
		if err == nil && !fits(signer(all[0]), f.client.Leaf) {
			t.Error("another key came back")
		}
		return err
	}
	if err := usable(seal.NewRing(now)); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	changed := open(t, db, seal.NewRing(now, old), Limits{})
	for _, want := range []int{1, 0} {
		if n := must(changed.Reseal(t.Context()))(t); n != want {
			t.Errorf("%d keys were sealed again, want %d", n, want)
		}
	}
	if err := usable(seal.NewRing(now)); err != nil {
		t.Error(err)
	}
	plain := must(x509.MarshalPKCS8PrivateKey(f.client.PrivateKey))(t)
	secret := plain[len(plain)-100 : len(plain)-70]
	text := []byte(base64.StdEncoding.EncodeToString(plain)[60:100])
	for _, file := range must(filepath.Glob(filepath.Join(dir, "*")))(t) {
		if content, err := os.ReadFile(file); err == nil && (bytes.Contains(content, secret) || bytes.Contains(content, text)) {
			t.Errorf("the key stands in the clear in %s", file)
		}
	}
}

func signer(c tls.Certificate) fitter { return c.PrivateKey.(fitter) }
