package secrets

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestAFunctionGetsWhatIsAttachedToIt(t *testing.T) {
	t.Parallel()
	w, ctx := opened(t, Limits{}), t.Context()
	f, other := w.addFunction(t, ctx, "f"), w.addFunction(t, ctx, "other")
	project := must(w.projects.Current(ctx))(t).ID
	user := must(w.Create(ctx, Create{Name: "USER", Value: w.sealed(t, ctx, "ada ☃")}))(t)
	pass := w.add(t, "pass.word-1", "")
	w.add(t, "unused", "x")
	for range 2 {
		for _, s := range []Secret{user, pass} {
			must(0, w.Attach(ctx, f, s.ID))(t)
		}
	}
	if got := must(w.Secrets(ctx, project, f))(t); !maps.Equal(got, map[string]string{"USER": "ada ☃", "pass.word-1": ""}) {
		t.Errorf("%q", got)
	}
	if got := must(w.Secrets(ctx, project, other))(t); got == nil || len(got) > 0 {
		t.Errorf("%q", got)
	}
	if changed := must(w.Update(ctx, user.ID, w.sealed(t, ctx, "bob")))(t); changed.ID != user.ID || changed.Name != "USER" {
		t.Errorf("%+v", changed)
	}
	for range 2 {
		must(0, w.Detach(ctx, f, pass.ID))(t)
	}
	if got := must(w.Secrets(ctx, project, f))(t); !maps.Equal(got, map[string]string{"USER": "bob"}) {
		t.Errorf("%q", got)
	}
	must(0, w.Delete(ctx, user.ID))(t)
	if got := must(w.Secrets(ctx, project, f))(t); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestListsAreNewestFirst(t *testing.T) {
	t.Parallel()
	w, ctx := opened(t, Limits{}), t.Context()
	f := w.addFunction(t, ctx, "f")
	var want []Secret
	for i := range 5 {
		s := w.add(t, "S"+strconv.Itoa(i), "x")
		if i != 2 {
			must(0, w.Attach(ctx, f, s.ID))(t)
		}
		want = append([]Secret{s}, want...)
	}
	read := func(list func(Filter) (Page, error)) (all []Secret) {
		for f := (Filter{Limit: 2}); ; {
			page := must(list(f))(t)
			all = append(all, page.Secrets...)
			if f.Cursor = page.NextCursor; f.Cursor == "" {
				return all
			}
		}
	}
	all := read(func(f Filter) (Page, error) { return w.List(ctx, f) })
	attached := read(func(filter Filter) (Page, error) { return w.Attached(ctx, f, filter) })
	if len(all) != 5 || len(attached) != 4 {
		t.Fatalf("%v, %v", all, attached)
	}
	for i, s := range want {
		if all[i] != s {
			t.Errorf("%d: %+v, want %+v", i, all[i], s)
		}
	}
	page := must(w.List(ctx, Filter{Limit: 2}))(t)
	_, err := w.Attached(ctx, f, Filter{Limit: 2, Cursor: page.NextCursor})
	fails(t, err, errtypes.Invalid, "cursor", "")
	_, err = w.List(ctx, Filter{Limit: 1001})
	fails(t, err, errtypes.Invalid, "limit", "1000")
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	t.Parallel()
	w, ctx := opened(t, Limits{PerProject: 2, MaxValue: 10, MaxTotal: 15}), t.Context()
	create := func(name string, v Value) error {
		_, err := w.Create(ctx, Create{Name: name, Value: v})
		return err
	}
	for _, name := range []string{"", "1a", "a b", "ä", "__proto__", "a\n", strings.Repeat("a", 129)} {
		fails(t, create(name, Value{}), errtypes.Invalid, "secretKey", "must be 1 to 128")
	}
	fails(t, create("a", Value{Plain: "01234567890"}), errtypes.Invalid, "value", "at most 10 bytes")
	fails(t, create("a", Value{Plain: "\xff"}), errtypes.Invalid, "value", "UTF-8")
	fails(t, create("a", w.sealed(t, ctx, "01234567890")), errtypes.Invalid, "sealedSecretValue", "at most 10 bytes")
	fails(t, create("a", w.sealed(t, ctx, "\xff")), errtypes.Invalid, "sealedSecretValue", "UTF-8")
	good := w.sealed(t, ctx, "x")
	for _, sealed := range [][]byte{{}, good.Sealed[:20], good.Sealed[:len(good.Sealed)-1], bytes.Repeat([]byte{1}, 50)} {
		fails(t, create("a", Value{KeypairID: good.KeypairID, Sealed: sealed}), errtypes.Invalid, "sealedSecretValue", "does not open")
	}
	fails(t, create("a", Value{KeypairID: "nothing", Sealed: good.Sealed}), errtypes.Invalid, "keypairId", "names no keypair")
	fails(t, create("a", Value{Sealed: good.Sealed}), errtypes.Invalid, "keypairId", "names no keypair")

	a := w.add(t, "a", "0123456789")
	fails(t, create("a", Value{}), errtypes.Conflict, "", `"a" already`)
	fails(t, create("b", Value{Plain: "012345"}), errtypes.Conflict, "", "15 bytes")
	b := w.add(t, "b", "01234")
	fails(t, create("c", Value{}), errtypes.Conflict, "", "2 secrets")
	fails(t, create("a", Value{}), errtypes.Conflict, "", `"a" already`)
	_, err := w.Update(ctx, b.ID, Value{Plain: "012345"})
	fails(t, err, errtypes.Conflict, "", "15 bytes")
	must(w.Update(ctx, b.ID, Value{Plain: "54321"}))(t)

	f := w.addFunction(t, ctx, "f")
	fails(t, w.Attach(ctx, f, "nothing"), errtypes.Invalid, "secretId", "names no secret")
	fails(t, w.Attach(ctx, "nothing", a.ID), errtypes.NotFound, "", "no function")
	fails(t, w.Detach(ctx, "nothing", a.ID), errtypes.NotFound, "", "no function")
	_, err = w.Attached(ctx, "nothing", Filter{})
	fails(t, err, errtypes.NotFound, "", "no function")
}

func TestProjectsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	w, ctx := opened(t, Limits{}), t.Context()
	mine := w.add(t, "a", "mine")
	theirs := projects.With(ctx, must(w.projects.Create(ctx, projects.Create{Name: "other"}))(t))
	f := w.addFunction(t, theirs, "f")
	_, err := w.Get(theirs, mine.ID)
	fails(t, err, errtypes.NotFound, "", "no secret")
	_, err = w.Update(theirs, mine.ID, Value{})
	fails(t, err, errtypes.NotFound, "", "no secret")
	fails(t, w.Delete(theirs, mine.ID), errtypes.NotFound, "", "no secret")
	fails(t, w.Attach(theirs, f, mine.ID), errtypes.Invalid, "secretId", "")
	_, err = w.Create(theirs, Create{Name: "a", Value: w.sealed(t, ctx, "x")})
	fails(t, err, errtypes.Invalid, "keypairId", "")
	must(w.Create(theirs, Create{Name: "a"}))(t)
	if p := must(w.List(theirs, Filter{}))(t); len(p.Secrets) != 1 || p.Limit != 20 {
		t.Errorf("%+v", p)
	}
	if a, b := must(w.Keypair(ctx))(t), must(w.Keypair(theirs))(t); a.ID == b.ID || bytes.Equal(a.PublicKey, b.PublicKey) {
		t.Error("they have the same keypair")
	}
}

func TestValuesAndKeysAreSealedAndSealedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	old, now := seal.NewKey(), seal.NewKey()
	w := open(t, db, seal.NewRing(old), Limits{})
	const value = "correct horse battery staple"
	pending := w.sealed(t, t.Context(), value)
	f := w.addFunction(t, t.Context(), "f")
	must(0, w.Attach(t.Context(), f, w.add(t, "a", value).ID))(t)
	project := must(w.projects.Current(t.Context()))(t).ID

	_, err := open(t, db, seal.NewRing(now), Limits{}).Secrets(t.Context(), project, f)
	fails(t, err, errtypes.Unavailable, "", "master key")
	_, err = open(t, db, seal.NewRing(now), Limits{}).Create(t.Context(), Create{Name: "b", Value: pending})
	fails(t, err, errtypes.Unavailable, "", "master key")
	n, err := open(t, db, seal.NewRing(now), Limits{}).Reseal(t.Context())
	if all, ok := errors.AsType[seal.Unread](err); n != 0 || !ok || len(all) != 2 {
		t.Errorf("%d, %v", n, err)
	}

	changed := open(t, db, seal.NewRing(now, old), Limits{})
	for _, want := range []int{2, 0} {
		if n := must(changed.Reseal(t.Context()))(t); n != want {
			t.Errorf("%d were sealed again, want %d", n, want)
		}
	}
	after := open(t, db, seal.NewRing(now), Limits{})
	b := must(after.Create(t.Context(), Create{Name: "b", Value: pending}))(t)
	must(0, after.Attach(t.Context(), f, b.ID))(t)
	if got := must(after.Secrets(t.Context(), project, f))(t); got["a"] != value || got["b"] != value {
		t.Errorf("%q", got)
	}
	for _, list := range []func() (seal.Things, error){
		func() (seal.Things, error) { return SealedValues(t.Context(), db) },
		func() (seal.Things, error) { return SealedKeys(t.Context(), db) },
	} {
		if all := must(list())(t); !seal.NewRing(now).OpensAny(all) {
			t.Errorf("%s: none of %d opens", all.Kind, len(all.Keys))
		}
	}
	for _, file := range must(filepath.Glob(filepath.Join(dir, "*")))(t) {
		if content, err := os.ReadFile(file); err == nil && bytes.Contains(content, []byte(value)) {
			t.Errorf("a value stands in the clear in %s", file)
		}
	}
}

// A keypair whose private key is lost would keep clients from sending anything.
func TestALostMasterKeyMakesANewKeypair(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	was := must(open(t, db, seal.NewRing(seal.NewKey()), Limits{}).Keypair(t.Context()))(t)
	w := open(t, db, seal.NewRing(seal.NewKey()), Limits{})
	is := must(w.Keypair(t.Context()))(t)
	if again := must(w.Keypair(t.Context()))(t); is.ID == was.ID || again.ID != is.ID || len(is.PublicKey) != 32 {
		t.Errorf("%s, %s, %s", was.ID, is.ID, again.ID)
	}
	must(w.Create(t.Context(), Create{Name: "a", Value: w.sealed(t, t.Context(), "x")}))(t)
}

func TestLimitsAreValidated(t *testing.T) {
	t.Parallel()
	fails(t, Limits{MaxTotal: -1}.Validate(), errtypes.Invalid, "MaxTotal", "")
}
