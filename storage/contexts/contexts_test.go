package contexts

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage/projects"
)

func TestCreateGetListDelete(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		one := w.create(t, "  Shop\t")
		two := w.create(t, "")
		if one.Name != "Shop" || two.Name != "" || !one.CreatedAt.Equal(noon) {
			t.Errorf("%+v, %+v", one, two)
		}
		block, rest := pem.Decode([]byte(one.PublicKeyPEM()))
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil || len(rest) > 0 || key.(*rsa.PublicKey).N.BitLen() != keyBits {
			t.Errorf("the public key: %v, %v", key, err)
		}
		if diff := cmp.Diff(one, must(w.Get(t.Context(), one.ID))(t)); diff != "" {
			t.Error(diff)
		}
		if all := must(w.List(t.Context()))(t); len(all) != 2 || all[0].ID != two.ID {
			t.Errorf("%+v", all)
		}
		if err := w.Delete(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
		_, err = w.Get(t.Context(), one.ID)
		fails(t, err, errtypes.NotFound)
		fails(t, w.Delete(t.Context(), one.ID), errtypes.NotFound)
		w.create(t, "shop") // the name is free again
	})
}

func TestNames(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		long := strings.Repeat("ü", MaxName)
		for _, name := range []string{"a", long, "Straße", "数据", "👩\u200d🚀", "e\u0301"} {
			w.create(t, name)
		}
		for _, name := range []string{"", " \t", long + "x", "a\xff", "a\x00", "\x1b[31mred", "a\nb", "a\u0085b", "\u200b\u200d", "\u3164", "\u00ad", "\ufe0f"} {
			_, err := w.Create(t.Context(), Create{Name: &name})
			if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "name" {
				t.Errorf("%q: %v", name, err)
			}
		}
		for _, name := range []string{"A", " a ", strings.ToUpper(long), "STRASSE"} {
			_, err := w.Create(t.Context(), Create{Name: &name})
			fails(t, err, errtypes.Conflict)
		}
		name := "STRASSE"
		if _, err := w.Create(t.Context(), Create{Name: &name}); !strings.Contains(err.Error(), `"Straße"`) {
			t.Errorf("the one that has the name is not named: %v", err)
		}
		named := Context{Name: "Straße"}
		if !named.IsNamed(" STRASSE ") || named.IsNamed("Strase") || (Context{}).IsNamed("") {
			t.Error("names are mistaken")
		}
	})
}

func TestOfManyWhoTakeANameOneGetsIt(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		var got sync.Map
		var group sync.WaitGroup
		for i := range 4 {
			group.Go(func() {
				name := []string{"name", "NAME"}[i%2]
				if c, err := w.Create(t.Context(), Create{Name: &name}); err == nil {
					got.Store(c.ID, true)
				} else if !errtypes.Is(err, errtypes.Conflict) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		n := 0
		got.Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("%d got it", n)
		}
	})
}

func TestAProjectHasSoManyContexts(t *testing.T) {
	t.Parallel()
	each(t, Config{Limits: Limits{PerProject: 2}}, func(t *testing.T, w *world) {
		w.create(t, "")
		w.create(t, "")
		_, err := w.Create(t.Context(), Create{})
		fails(t, err, errtypes.Conflict)
	})
}

func TestContextsOfAnotherProjectAreNotThere(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		mine := w.create(t, "name")
		must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
		other := must(w.projects.In(t.Context(), "other"))(t)
		_, err := w.Get(other, mine.ID)
		fails(t, err, errtypes.NotFound)
		_, err = w.service.Open(other, Use{ContextID: mine.ID, Holder: "s"})
		fails(t, err, errtypes.NotFound)
		fails(t, w.Delete(other, mine.ID), errtypes.NotFound)
		if all := must(w.List(other))(t); len(all) != 0 || all == nil {
			t.Errorf("%+v", all)
		}
		name := "Name"
		must(w.Create(other, Create{Name: &name}))(t)
	})
}

func TestTheMasterKeyIsChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, fresh := seal.NewKey(), seal.NewKey()
	w := open(t, dir, Config{Keys: seal.NewRing(old)})
	c := w.create(t, "")
	w.save(t, c.ID, "hello")

	without := open(t, dir, Config{Keys: seal.NewRing(fresh)})
	_, err := without.service.Open(t.Context(), Use{ContextID: c.ID, Holder: "s"})
	fails(t, err, errtypes.Unavailable)
	if !strings.Contains(err.Error(), "former") {
		t.Error(err)
	}
	_, err = without.Reseal(t.Context())
	fails(t, err, errtypes.Unavailable)

	both := open(t, dir, Config{Keys: seal.NewRing(fresh, old)})
	for want := 1; want >= 0; want-- {
		if n := must(both.Reseal(t.Context()))(t); n != want {
			t.Errorf("%d keys were sealed again, want %d", n, want)
		}
	}
	if content, _ := without.saved(t, c.ID); content != "hello" {
		t.Errorf("with the new key alone: %q", content)
	}
}
