package actors

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

type ctxt = context.Context

func TestVersionsAreMadeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{Versions: 2})
		a := w.actor(t, "one")
		v := must(w.CreateVersion(t.Context(), a.ID, Version{Number: "1.2", Files: []SourceFile{{Name: "a", Content: "1"}}}))(t)
		want := Version{Number: "1.2", SourceType: SourceFiles, BuildTag: "latest", Files: []SourceFile{{Name: "a", Content: "1"}}}
		if diff := cmp.Diff(want, v, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		_, err := w.CreateVersion(t.Context(), a.ID, Version{Number: "1.2"})
		fails(t, err, errtypes.Forbidden, errtypes.TypeVersionAlreadyExists, "1.2")
		must(w.CreateVersion(t.Context(), a.ID, Version{Number: "0.0"}))(t)
		_, err = w.CreateVersion(t.Context(), a.ID, Version{Number: "0.1"})
		fails(t, err, errtypes.Forbidden, errtypes.TypeTooManyVersions, "2 versions")
		_, err = w.CreateVersion(t.Context(), "~two", Version{Number: "0.1"})
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no Actor")
		_, err = w.UpdateVersion(t.Context(), a.ID, "1.2", func(v *Version) { v.Number = "1.3" })
		fails(t, err, errtypes.Invalid, "", "versionNumber cannot be changed")
		_, err = w.UpdateVersion(t.Context(), a.ID, "1.2", func(v *Version) { v.BuildTag = "-" })
		fails(t, err, errtypes.Invalid, "", "buildTag")
		if v := must(w.UpdateVersion(t.Context(), a.ID, "1.2", func(v *Version) { v.BuildTag = "beta" }))(t); v.BuildTag != "beta" || len(v.Files) != 1 {
			t.Errorf("%+v", v)
		}
		must(0, w.DeleteVersion(t.Context(), a.ID, "1.2"))(t)
		for _, n := range []string{"1.2", "x", "", "1.2.3"} {
			fails(t, w.DeleteVersion(t.Context(), a.ID, n), errtypes.NotFound, errtypes.TypeRecordNotFound, "no version")
			_, err := w.Version(t.Context(), a.ID, n)
			fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "no version")
		}
	})
}

// secret reads what runs would get.
func (w *world) secret(t *testing.T, actorID, name string) string {
	t.Helper()
	rows := must(storage.ReadOne(t.Context(), w.db, func(ctx ctxt, q storage.Querier) ([]envRow, error) { return listEnv(ctx, q, actorID, number{0, 1}) }))(t)
	for _, r := range rows {
		if r.name == name && r.sealed != nil {
			return string(must(w.keys.Open(values.Purpose(r.id), r.sealed))(t))
		}
	}
	return "nothing"
}

func TestSecretVariablesAreKeptAndNotShown(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.OpenFile(t), Limits{})
	a := w.actor(t, "one", Version{Number: "0.1", EnvVars: []EnvVar{{Name: "A", Value: "canary-1", Secret: true}, {Name: "B", Value: "plain"}}})
	if v := a.Versions[0].EnvVars; v[0].Value != "" || !v[0].Secret || v[1].Value != "plain" {
		t.Errorf("%+v", v)
	}
	must(w.UpdateVersion(t.Context(), a.ID, "0.1", func(v *Version) { v.BuildTag = "beta" }))(t)
	must(w.UpdateActor(t.Context(), a.ID, UpdateActor{Versions: []Version{{Number: "0.1", EnvVars: []EnvVar{{Name: "A", Secret: true}}}}}))(t)
	if got := w.secret(t, a.ID, "A"); got != "canary-1" {
		t.Errorf("after changes of other things it is %q", got)
	}
	must(w.UpdateVersion(t.Context(), a.ID, "0.1", func(v *Version) { v.EnvVars[0].Value = "canary-2" }))(t)
	if got := w.secret(t, a.ID, "A"); got != "canary-2" {
		t.Errorf("it is %q", got)
	}
	must(0, w.db.Read(t.Context(), func(ctx ctxt, q storage.Querier) error {
		n, err := storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM actor_env_vars WHERE value LIKE '%canary%' OR CAST(sealed AS TEXT) LIKE '%canary%'`))
		if n != 0 {
			t.Error("a value lies open")
		}
		return err
	}))(t)
	ring := seal.NewRing(seal.NewKey(), must(seal.ParseKey(seal.NewKey().Text()))(t))
	if n, err := values.Reseal(t.Context(), w.db, ring); n != 0 || err == nil {
		t.Errorf("keys that open nothing: %d, %v", n, err)
	}
}

func TestLargeSourcesAreBlobs(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{})
		file := func(n int) []SourceFile { return []SourceFile{{Name: "a", Content: strings.Repeat("x", n)}} }
		a := w.actor(t, "one", Version{Number: "0.1", Files: file(100_000)})
		_, err := w.CreateActor(t.Context(), CreateActor{Name: "one", Versions: []Version{{Number: "0.1", Files: file(100_000)}}})
		fails(t, err, errtypes.Conflict, errtypes.TypeActorNameNotUnique, "one")
		for _, size := range []int{200_000, 10, 300_000} {
			v := must(w.UpdateVersion(t.Context(), a.ID, "0.1", func(v *Version) { v.Files = file(size) }))(t)
			if len(v.Files[0].Content) != size || len(must(w.Actor(t.Context(), a.ID))(t).Versions[0].Files[0].Content) != size {
				t.Errorf("%d bytes are %d", size, len(v.Files[0].Content))
			}
		}
		must(w.UpdateActor(t.Context(), a.ID, UpdateActor{Versions: []Version{{Number: "0.2", Files: file(150_000)}}}))(t)
		if n := w.blobCount(t); n != 1 {
			t.Errorf("%d blobs", n)
		}
	})
}

// Changes of one version at the same time all stay.
func TestChangesOfAVersionAddUp(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.OpenFile(t), Limits{})
	a := w.actor(t, "one", Version{Number: "0.1"})
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			must(w.UpdateVersion(t.Context(), a.ID, "0.1", func(v *Version) {
				v.EnvVars = append(v.EnvVars, EnvVar{Name: fmt.Sprintf("V%d", i), Value: "x"})
			}))(t)
		})
	}
	writers.Wait()
	if v := must(w.Version(t.Context(), a.ID, "0.1"))(t); len(v.EnvVars) != 4 {
		t.Errorf("%+v", v)
	}
}

func FuzzLocalName(f *testing.F) {
	for _, s := range []string{"a", "a/b", "../a", "a/../../b", "/a", "a\\b", "c:d", ".", "a/.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if localName(name) && (strings.HasPrefix(name, "/") || strings.Contains("/"+name+"/", "/../") && !strings.Contains(strings.TrimPrefix(name, ".."), "..")) {
			t.Errorf("%q is let through", name)
		}
	})
}
