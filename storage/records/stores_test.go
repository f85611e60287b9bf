package records

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

var kinds = []Kind{KeyValueStore, Dataset, RequestQueue}

func TestANamedStoreIsMadeOnceAndFoundByEachName(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		for _, kind := range kinds {
			first, created, err := w.Create(t.Context(), kind, New{Name: "My-Store", ActRunID: "run1"})
			if err != nil || !created || !ids.ValidShort(first.ID) || first.Username != projects.Default || first.SigningSecret == "" {
				t.Fatalf("%+v, %t, %v", first, created, err)
			}
			again, created, err := w.Create(t.Context(), kind, New{Name: "my-store"})
			if err != nil || created || again.ID != first.ID || again.Name != "My-Store" || again.ActRunID != "run1" {
				t.Errorf("%+v, %t, %v", again, created, err)
			}
			for _, ref := range []string{first.ID, "~My-Store", "~MY-STORE", "default~my-store", first.UserID + "~my-store"} {
				if got := w.get(t, kind, ref); got.ID != first.ID {
					t.Errorf("%s: %+v", ref, got)
				}
			}
			for _, ref := range []string{"My-Store", "", "~", "other~my-store", strings.ToLower(first.ID) + "x", "~my-store~x"} {
				_, err := w.Get(t.Context(), kind, ref)
				fails(t, err, errtypes.TypeRecordNotFound)
			}
		}
		if _, err := w.Get(t.Context(), Dataset, w.get(t, RequestQueue, "~my-store").ID); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("a queue is found as a dataset: %v", err)
		}
	})
}

func TestAnotherProjectHasStoresOfItsOwn(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		id := w.make(t, Dataset, "same")
		other := w.as(t, "other")
		st, created, err := w.Create(other, Dataset, New{Name: "same"})
		if err != nil || !created || st.ID == id || st.Username != "other" {
			t.Errorf("%+v, %t, %v", st, created, err)
		}
		for _, ref := range []string{id, "default~same"} {
			_, err := w.Get(other, Dataset, ref)
			fails(t, err, errtypes.TypeRecordNotFound)
			fails(t, w.Delete(other, Dataset, ref), errtypes.TypeRecordNotFound)
			_, err = w.Update(other, Dataset, ref, Update{})
			fails(t, err, errtypes.TypeRecordNotFound)
		}
	})
}

func TestWhatIsNoStoreIsRefused(t *testing.T) {
	t.Parallel()
	w := open(t, Config{Limits: Limits{MaxSchema: 20}})
	for _, n := range []New{
		{Name: "ab"}, {Name: "a_b"}, {Name: "-ab"}, {Name: "ab-"}, {Name: "äöü"}, {Name: "a/b"}, {Name: strings.Repeat("a", 64)},
		{Title: strings.Repeat("ä", 256)}, {GeneralAccess: "ALL"}, {Schema: []byte(`[]`)}, {Schema: []byte(`null`)}, {Schema: []byte(`{"a":"0123456789012"}`)},
	} {
		_, _, err := w.Create(t.Context(), Dataset, n)
		fails(t, err, "")
	}
	if _, _, err := w.Create(t.Context(), "table", New{}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

func TestListsHaveNamedStoresUnlessAllAreAskedFor(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		for i := range 6 {
			w.make(t, Dataset, map[bool]string{true: fmt.Sprintf("store-%d", i)}[i%2 == 0])
			w.clock.Advance(time.Second)
		}
		w.make(t, KeyValueStore, "store-0")
		names := func(q Query) string {
			page := must(w.List(t.Context(), Dataset, q))(t)
			var all []string
			for _, st := range page.Stores {
				all = append(all, st.Name)
			}
			return fmt.Sprintf("%d: %s", page.Total, strings.Join(all, " "))
		}
		for want, q := range map[string]Query{
			"3: store-0 store-2 store-4":    {},
			"3: store-4 store-2 store-0":    {Desc: true},
			"3: store-2":                    {Offset: 1, Limit: 1},
			"3: ":                           {Offset: 3},
			"6: store-0  store-2  store-4 ": {Unnamed: true},
			"6:  store-2":                   {Unnamed: true, Offset: 1, Limit: 2, Desc: false},
		} {
			if got := names(q); got != want {
				t.Errorf("%+v: %q, want %q", q, got, want)
			}
		}
		if page := must(w.List(t.Context(), Dataset, Query{Limit: 5000}))(t); page.Limit != 1000 {
			t.Errorf("a limit of %d", page.Limit)
		}
		for _, q := range []Query{{Limit: -1}, {Offset: -1}} {
			_, err := w.List(t.Context(), Dataset, q)
			fails(t, err, "")
		}
	})
}

func TestAStoreIsRenamedUnlessTheNameIsTaken(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		id, _ := w.make(t, Dataset, "first"), w.make(t, Dataset, "second")
		w.clock.Advance(time.Second)
		name, title, access := "SECOND", "A title", "RESTRICTED"
		_, err := w.Update(t.Context(), Dataset, id, Update{Name: &name})
		fails(t, err, errtypes.TypeNameNotUnique)
		name = "third"
		st := must(w.Update(t.Context(), Dataset, "~first", Update{Name: &name, Title: &title, GeneralAccess: &access}))(t)
		if st.ID != id || st.Name != "third" || st.Title != title || st.GeneralAccess != access || !st.ModifiedAt.Equal(noon.Add(time.Second)) {
			t.Errorf("%+v", st)
		}
		if st = must(w.Update(t.Context(), Dataset, id, Update{}))(t); st.Name != "third" || st.Title != title {
			t.Errorf("%+v", st)
		}
		name = ""
		if st = must(w.Update(t.Context(), Dataset, id, Update{Name: &name}))(t); st.Name != "" || st.ExpiresAt.IsZero() {
			t.Errorf("%+v", st)
		}
		if w.make(t, Dataset, "third") == id {
			t.Error("the name is still taken")
		}
		name = "x"
		_, err = w.Update(t.Context(), Dataset, id, Update{Name: &name})
		fails(t, err, "")
	})
}

func TestADeletedStoreIsGoneAndItsNameFree(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		id := w.make(t, RequestQueue, "queue")
		done(t, w.Delete(t.Context(), RequestQueue, "~queue"))
		for _, ref := range []string{id, "~queue"} {
			fails(t, w.Delete(t.Context(), RequestQueue, ref), errtypes.TypeRecordNotFound)
		}
		if w.make(t, RequestQueue, "queue") == id || w.rows(t, "record_stores") != 1 {
			t.Error("it is still there")
		}
	})
}

func TestUnnamedStoresAreDeletedWhenNobodyUsesThem(t *testing.T) {
	each(t, Config{Retention: time.Hour}, func(t *testing.T, w *world) {
		unused, used, named := w.make(t, Dataset, ""), w.make(t, Dataset, ""), w.make(t, Dataset, "named")
		w.clock.Advance(40 * time.Minute)
		w.use.read(used, 3)
		if st := w.get(t, Dataset, used); st.Stats.Reads != 3 || !st.ExpiresAt.Equal(noon.Add(100*time.Minute)) {
			t.Errorf("%+v", st)
		}
		w.clock.Advance(20 * time.Minute)
		w.keeper.Do(t.Context())
		_, err := w.Get(t.Context(), Dataset, unused)
		fails(t, err, errtypes.TypeRecordNotFound)
		if st := w.get(t, Dataset, used); st.Stats.Reads != 3 {
			t.Errorf("%+v", st)
		}
		w.clock.Advance(time.Hour)
		w.keeper.Do(t.Context())
		if w.get(t, Dataset, named); w.rows(t, "record_stores") != 1 {
			t.Error("the used one is still there")
		}
	})
}

func TestReadsAreWrittenAfterAWhileAndAtTheEnd(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.OpenFile(t)})
	id := w.make(t, Dataset, "")
	w.use.read(id, 2)
	w.use.listed(id)
	second := open(t, Config{DB: w.conf.DB})
	if st := second.get(t, Dataset, id); st.Stats.Reads != 0 {
		t.Errorf("%+v", st.Stats)
	}
	done(t, w.Close(t.Context()))
	if st := second.get(t, Dataset, id); st.Stats != (Stats{Reads: 2, Lists: 1}) {
		t.Errorf("%+v", st.Stats)
	}
}

// The vectors were recorded from the public client.
func TestSignaturesAreThoseOfTheClients(t *testing.T) {
	t.Parallel()
	if got := SignRecord("secret-key", "OUTPUT"); got != "83G0LmbsDcROgZtwbiCv" {
		t.Error(got)
	}
	if got := SignStore("secret-key", "WkzbQMuFYuamGv3YF", time.Time{}); got != "MC4wLmc5T2tQNzM2bFhoU3d1SzdXUWRx" {
		t.Error(got)
	}
}

func TestWhoHasASignatureActsForTheProject(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		ctx := w.as(t, "owner")
		st, _, err := w.Create(ctx, KeyValueStore, New{Name: "shop"})
		done(t, err)
		dataset, _, err := w.Create(ctx, Dataset, New{})
		done(t, err)
		keys, soon := SignStore(st.SigningSecret, st.ID, time.Time{}), SignStore(st.SigningSecret, st.ID, noon.Add(time.Minute))
		check := func(name string, kind Kind, id, key, signature string, good bool) {
			t.Helper()
			signed, err := w.Signed(t.Context(), kind, id, key, signature)
			if good != (err == nil) {
				t.Fatalf("%s: %v", name, err)
			}
			if err != nil {
				fails(t, err, errtypes.TypeInvalidSignature)
			} else if p, _ := projects.From(signed); p.Name != "owner" {
				t.Errorf("%s acts for %+v", name, p)
			}
		}
		check("record", KeyValueStore, st.ID, "OUTPUT", SignRecord(st.SigningSecret, "OUTPUT"), true)
		check("another record", KeyValueStore, st.ID, "INPUT", SignRecord(st.SigningSecret, "OUTPUT"), false)
		check("another store", KeyValueStore, w.make(t, KeyValueStore, ""), "OUTPUT", SignRecord(st.SigningSecret, "OUTPUT"), false)
		check("keys", KeyValueStore, st.ID, "", keys, true)
		check("keys by name", KeyValueStore, "owner~Shop", "", keys, true)
		check("by a name that is nobody's", KeyValueStore, "owner~none", "", keys, false)
		check("by an owner that is not there", KeyValueStore, "nobody~shop", "", keys, false)
		check("by a name without an owner", KeyValueStore, "~shop", "", keys, false)
		check("keys for a while", KeyValueStore, st.ID, "", soon, true)
		check("items", Dataset, dataset.ID, "", SignStore(dataset.SigningSecret, dataset.ID, time.Time{}), true)
		check("a key signature for a record", KeyValueStore, st.ID, "OUTPUT", keys, false)
		check("a queue", RequestQueue, st.ID, "", keys, false)
		check("garbage", KeyValueStore, st.ID, "", "?", false)
		check("none", KeyValueStore, st.ID, "", "", false)
		w.clock.Advance(time.Minute)
		check("expired", KeyValueStore, st.ID, "", soon, false)
		done(t, w.Delete(ctx, KeyValueStore, st.ID))
		_, err = w.Signed(t.Context(), KeyValueStore, st.ID, "", keys)
		fails(t, err, errtypes.TypeRecordNotFound)
	})
}

func TestManyMakeTheSameStore(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.OpenFile(t)})
	made := make([]string, 64)
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() {
			st, _, err := w.Create(t.Context(), Dataset, New{Name: "one"})
			if made[i] = st.ID; err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if slices.Sort(made); made[0] != made[63] {
		t.Error("there are several")
	}
}

func TestStoresAreFoundByTheirIndexes(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	byName, byID := ref{column: "name_key"}, ref{column: "id"}
	for name, query := range map[string]string{
		"by id": `SELECT number FROM record_stores` + byID.where(), "by name": `SELECT number FROM record_stores` + byName.where(),
		"total": `SELECT count(*) FROM record_stores` + selection(Query{}), "total of all": `SELECT count(*) FROM record_stores` + selection(Query{Unnamed: true}),
	} {
		storagetest.SearchesOnly(t, db, name, query)
	}
	for _, q := range []Query{{}, {Desc: true}, {Unnamed: true}, {Unnamed: true, Desc: true}} {
		plan := storagetest.QueryPlan(t, db, pageQuery(q))
		if strings.Contains(plan, "SCAN record_stores") || !strings.Contains(plan, "COVERING INDEX record_stores_") {
			t.Errorf("%+v:\n%s", q, plan)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	_, err := Open(context.Background(), Config{})
	fails(t, err, "")
	if err := (Limits{MaxPush: -1}).Validate(); err == nil || !strings.Contains(err.Error(), "MaxPush") {
		t.Error(err)
	}
}

// FuzzSignature holds that nothing is a signature of a store but what SignStore
// makes.
func FuzzSignature(f *testing.F) {
	const secret, id = "secret", "WkzbQMuFYuamGv3YF"
	good := SignStore(secret, id, time.Time{})
	f.Add(good)
	f.Add(SignStore(secret, id, noon))
	f.Add("MC4w")
	f.Fuzz(func(t *testing.T, signature string) {
		late := goodForStore(signature, secret, id, noon)
		if strings.TrimRight(signature, "=") == good {
			return
		}
		if late {
			t.Errorf("%q is accepted", signature)
		}
	})
}

func TestStoresGoWithTheirProject(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		ctx := w.as(t, "gone")
		for _, kind := range kinds {
			w.make(t, kind, "kept")
			_, _, err := w.Create(ctx, kind, New{Name: "store"})
			done(t, err)
		}
		_, err := w.PutRecord(ctx, "~store", NewRecord{Key: "K"})
		done(t, err)
		_, err = w.AddRequest(ctx, "~store", NewRequest("u"), false, alice)
		done(t, err)
		done(t, w.Push(ctx, "~store", []byte(`{"a":1}`)))
		done(t, w.conf.DB.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM projects WHERE name = 'gone'`)
			return err
		}))
		if w.rows(t, "record_stores") != 3 || w.rows(t, "record_values")+w.rows(t, "dataset_chunks")+w.rows(t, "dataset_fields")+w.rows(t, "queue_requests") != 0 {
			t.Error("something of the project is left")
		}
	})
}
