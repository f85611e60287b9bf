package masterkey_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/masterkey"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// one lists a single key, of the thing with the id 1.
func one(sealed []byte) []func(context.Context, *storage.DB) (seal.Things, error) {
	return []func(context.Context, *storage.DB) (seal.Things, error){
		func(context.Context, *storage.DB) (seal.Things, error) {
			return seal.Things{Kind: "thing", Keys: []seal.Sealed{{ID: "1", Key: sealed}}}, nil
		},
	}
}

func sealedBy(k seal.Key) []byte {
	return seal.NewRing(k).Seal(seal.Purpose("thing", "1"), []byte("secret"))
}

// opens reports whether a ring opens the key of the thing.
func opens(r *seal.Ring, sealed []byte) bool {
	plain, err := r.Open(seal.Purpose("thing", "1"), sealed)
	return err == nil && string(plain) == "secret"
}

// file is one with the keys; with none it is not there.
func file(t *testing.T, keys ...seal.Key) seal.File {
	t.Helper()
	f := seal.File(filepath.Join(t.TempDir(), masterkey.FileName))
	if len(keys) > 0 {
		if err := f.Replace(keys...); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func TestWhichKeysARingHas(t *testing.T) {
	t.Parallel()
	host, kept, former, lost := seal.NewKey(), seal.NewKey(), seal.NewKey(), seal.NewKey()
	for name, c := range map[string]struct {
		source  masterkey.Source
		current seal.Key // the zero value is a new one
		opens   seal.Key
		fails   errtypes.Kind
		says    string
	}{
		"that of the host":             {source: masterkey.Source{Key: host.Text(), File: file(t, kept)}, current: host, opens: host},
		"that of the file":             {source: masterkey.Source{File: file(t, kept)}, current: kept, opens: kept},
		"with former ones":             {source: masterkey.Source{Key: host.Text(), Former: []string{former.Text()}}, current: host, opens: former},
		"a new one, with a former one": {source: masterkey.Source{File: file(t), Former: []string{former.Text()}}, opens: former},
		"none that opens":              {source: masterkey.Source{File: file(t), Former: []string{former.Text()}}, opens: lost, fails: errtypes.Unavailable, says: "Put the file back"},
		"a loss that is accepted":      {source: masterkey.Source{File: file(t), AcceptLost: true}},
		"a key that is none":           {source: masterkey.Source{Key: "s3cr3t"}, fails: errtypes.Invalid, says: "MasterKey"},
		"a former one that is none":    {source: masterkey.Source{Key: host.Text(), Former: []string{"s3cr3t"}}, fails: errtypes.Invalid, says: "FormerMasterKeys"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sealed := sealedBy(c.opens)
			if c.opens == (seal.Key{}) {
				sealed = sealedBy(lost)
			}
			c.source.DB, c.source.Sealed = storagetest.Open(t), one(sealed)
			ring, err := c.source.Ring(t.Context())
			if c.says != "" {
				if !errtypes.Is(err, c.fails) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "s3cr3t") {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.opens != (seal.Key{}) && !opens(ring, sealed) {
				t.Error("what is sealed cannot be opened")
			}
			if fresh := ring.Seal("p", nil); c.current != (seal.Key{}) && !seal.NewRing(c.current).Current(fresh) {
				t.Error("another key seals")
			}
		})
	}
}

// A lost file is not replaced: it can be put back.
func TestALostFileIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	s := masterkey.Source{File: file(t), DB: storagetest.Open(t), Sealed: one(sealedBy(seal.NewKey()))}
	if _, err := s.Ring(t.Context()); !errtypes.Is(err, errtypes.Unavailable) {
		t.Fatal(err)
	}
	if _, err := os.Stat(string(s.File)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

func TestRotationKeepsTheFormerKeysUntilAllIsSealedAgain(t *testing.T) {
	t.Parallel()
	old := seal.NewKey()
	s := masterkey.Source{File: file(t, old), DB: storagetest.Open(t), Sealed: one(sealedBy(old))}
	again := func(failed error) func(*seal.Ring) ([]masterkey.Reseal, error) {
		return func(r *seal.Ring) ([]masterkey.Reseal, error) {
			if r.Current(sealedBy(old)) || !opens(r, sealedBy(old)) {
				t.Error("the ring must seal with a new key, and open with the old one")
			}
			return []masterkey.Reseal{func(context.Context) (int, error) { return 1, failed }}, nil
		}
	}
	if _, err := s.Rotate(t.Context(), again(errors.New("the disk is full"))); err == nil {
		t.Error("a rotation that failed says nothing")
	}
	if keys, err := s.File.Load(); err != nil || len(keys) != 2 || keys[1] != old {
		t.Errorf("%d keys, %v: the former one must stay", len(keys), err)
	}
	if n, err := s.Rotate(t.Context(), again(nil)); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if keys, err := s.File.Load(); err != nil || len(keys) != 1 || keys[0] == old {
		t.Errorf("%d keys, %v: only the new one must stay", len(keys), err)
	}
}

// Another process that has the data open does not know a new key.
func TestNoRotationBesideAnotherProcess(t *testing.T) {
	t.Parallel()
	dir, key := t.TempDir(), seal.NewKey()
	storagetest.OpenWith(t, storage.Options{Dir: dir})
	s := masterkey.Source{File: file(t, key), DB: storagetest.OpenWith(t, storage.Options{Dir: dir})}
	if _, err := s.Rotate(t.Context(), nil); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("%v", err)
	}
	if keys, err := s.File.Load(); err != nil || len(keys) != 1 || keys[0] != key {
		t.Errorf("%d keys, %v: the file must stay as it was", len(keys), err)
	}
}

func TestWhatCannotBeSealedAgainIsLoggedAndHoldsUpNothing(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	did := 0
	all := []masterkey.Reseal{
		func(context.Context) (int, error) { return 0, seal.Unread{errors.New("key 7")} },
		func(context.Context) (int, error) { return 0, errors.New("the disk is full") },
		func(context.Context) (int, error) { did++; return 3, nil },
	}
	if err := masterkey.Renew(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), all...); err != nil || did != 1 {
		t.Errorf("%v, %d", err, did)
	}
	for _, want := range []string{"unopened=1", "key 7", "the disk is full", "keys=3"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, log.String())
		}
	}
}
