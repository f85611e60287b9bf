package extensions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/retention"
)

func TestStoredExtensionComesBack(t *testing.T) {
	t.Parallel()
	each(t, Limits{}, func(t *testing.T, k *kept) {
		archive := withManifest(t, goodManifest, entry{name: "js/", mode: fs.ModeDir | 0o755}, entry{name: "js/a.js", content: "1"})
		first := k.upload(t, archive)
		want := Extension{
			ID: first.ID, ProjectID: first.ProjectID, FileName: "x.zip", Name: "Marks", Version: "1.0",
			Size: int64(len(archive)), Unpacked: int64(len(goodManifest)) + 1, CreatedAt: noon.Add(time.Second), UpdatedAt: noon.Add(time.Second),
		}
		got, err := k.Get(t.Context(), first.ID)
		if diff := cmp.Diff(want, got) + cmp.Diff(want, first); err != nil || diff != "" {
			t.Error(err, diff)
		}
		second := k.upload(t, archive)
		all, err := k.List(t.Context())
		if diff := cmp.Diff([]Extension{second, first}, all); err != nil || diff != "" {
			t.Error(err, diff)
		}
		other := k.as(t, "other")
		if all, err := k.List(other); err != nil || all == nil || len(all) != 0 {
			t.Errorf("another project has %v, %v", all, err)
		}
		k.missing(t, other, first.ID)
		if err := k.Delete(t.Context(), first.ID); err != nil {
			t.Fatal(err)
		}
		k.missing(t, t.Context(), first.ID)
		k.agree(t, 1, second.Size)
	})
}

// missing asserts that every method says that there is no such extension.
func (k *kept) missing(t *testing.T, ctx context.Context, id string) {
	t.Helper()
	_, getErr := k.Get(ctx, id)
	for _, err := range []error{getErr, k.Unpack(ctx, id, t.TempDir()), k.Delete(ctx, id)} {
		if !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("%v", err)
		}
	}
}

func TestUnpackedIsWhatWasChecked(t *testing.T) {
	t.Parallel()
	each(t, Limits{}, func(t *testing.T, k *kept) {
		archive := withManifest(t, "\ufeff// mine\n{\"manifest_version\":3, /* a */ \"name\":\"a // b\",\"version\":\"1.0\"}",
			entry{name: "a/b.js", content: "b"}, entry{name: "_metadata/verified_contents.json", content: "x"}, entry{name: "__MACOSX/._a", content: "x"}, entry{name: ".hidden", content: "h", store: true})
		for _, file := range [][]byte{archive, crx3(archive, []byte("key"), proof(2, "key")), crx(2, []uint32{3, 4}, []byte("keysign"), archive)} {
			e := k.upload(t, file)
			var keys []any
			for range 2 {
				dir := t.TempDir()
				if err := k.Unpack(t.Context(), e.ID, dir); err != nil {
					t.Fatal(err)
				}
				got := tree(t, dir)
				var m map[string]any
				if err := json.Unmarshal([]byte(got["manifest.json"]), &m); err != nil || m["name"] != "a // b" {
					t.Errorf("%v: %s", err, got["manifest.json"])
				}
				keys = append(keys, m["key"])
				delete(got, "manifest.json")
				if diff := cmp.Diff(map[string]string{"a/b.js": "b", ".hidden": "h"}, got); diff != "" {
					t.Error(diff)
				}
			}
			if keys[0] != keys[1] || len(keys[0].(string)) < 4 {
				t.Errorf("keys %v", keys)
			}
		}
	})
}

// An extension with a key of its own keeps it.
func TestAKeyStays(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	e := k.upload(t, withManifest(t, `{"manifest_version":3,"name":"x","version":"1","key":"a2V5"}`))
	dir := t.TempDir()
	if err := k.Unpack(t.Context(), e.ID, dir); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir)["manifest.json"]; !strings.Contains(got, `"key":"a2V5"`) {
		t.Error(got)
	}
}

func TestUploadLeavesNothingWhenItFails(t *testing.T) {
	t.Parallel()
	each(t, Limits{MaxFile: 1000}, func(t *testing.T, k *kept) {
		boom := errors.New("boom")
		if _, err := k.Upload(t.Context(), Upload{Content: iotest.ErrReader(boom)}); !errors.Is(err, boom) {
			t.Error(err)
		}
		if _, err := k.Upload(t.Context(), Upload{Content: strings.NewReader(strings.Repeat("x", 1001))}); !errtypes.Is(err, errtypes.TooLarge) {
			t.Error(err)
		}
		if _, err := k.Upload(t.Context(), Upload{}); !errtypes.Is(err, errtypes.Invalid) {
			t.Error(err)
		}
		k.agree(t, 0, 0)
		if err := k.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Upload(t.Context(), Upload{}); !errtypes.Is(err, errtypes.Unavailable) {
			t.Error(err)
		}
	})
}

func TestQuotaHoldsAgainstManyAtOnce(t *testing.T) {
	t.Parallel()
	archive := withManifest(t, goodManifest)
	for _, l := range []Limits{{PerProject: 3}, {MaxBytes: 3*int64(len(archive)) + 5}} {
		each(t, l, func(t *testing.T, k *kept) {
			var wg sync.WaitGroup
			errs := make(chan error, 8)
			for range cap(errs) {
				wg.Go(func() {
					_, err := k.Upload(t.Context(), Upload{Content: bytes.NewReader(archive)})
					errs <- err
				})
			}
			wg.Wait()
			close(errs)
			for err := range errs {
				if err != nil && !errtypes.Is(err, errtypes.Conflict) {
					t.Error(err)
				}
			}
			k.agree(t, 3, 3*int64(len(archive)))
			all, err := k.List(t.Context())
			if err != nil || k.Delete(t.Context(), all[0].ID) != nil {
				t.Fatal(err)
			}
			k.upload(t, archive)
		})
	}
}

// What a process has left that died between a blob and its row is deleted, and
// nothing else.
func TestSweep(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	e := k.upload(t, withManifest(t, goodManifest))
	if _, err := k.blobs.Put(t.Context(), strings.NewReader("left"), 0); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(2 * retention.OrphanSpared)
	k.keeper.Do(t.Context())
	k.agree(t, 1, e.Size)
}
