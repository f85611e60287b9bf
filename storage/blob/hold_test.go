package blob_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/blob"
)

func hold(t *testing.T, s blob.Store) blob.Hold {
	t.Helper()
	h, err := s.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Release() })
	return h
}

func held(t *testing.T, h blob.Hold, key string) string {
	t.Helper()
	r, err := h.Open(t.Context(), key)
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil || r.Size() != int64(len(content)) {
		t.Errorf("%d bytes of %d, %v", len(content), r.Size(), err)
	}
	return string(content)
}

func TestDeletedBlobStaysForTheHoldAlone(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		deleted, kept := put(t, s, "deleted").Key, put(t, s, "kept").Key
		h := hold(t, s)
		if err := s.Delete(t.Context(), deleted); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(t.Context(), deleted); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("for others it is not gone: %v", err)
		}
		if all := keys(t, s); len(all) != 1 {
			t.Errorf("it is counted: %v", all)
		}
		if held(t, h, deleted) != "deleted" || held(t, h, kept) != "kept" {
			t.Error("the hold has lost a blob")
		}
		if err := errors.Join(h.Release(), h.Release()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Open(t.Context(), deleted); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("it outlives the hold: %v", err)
		}
		if err := s.Delete(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Open(t.Context(), kept); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("deleted after the hold: %v", err)
		}
	})
}

func TestOneHoldAtATime(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		s := blob.NewMemory(nil)
		h := hold(t, s)
		if _, err := s.Hold(t.Context()); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("a second hold: %v", err)
		}
		h.Release()
		hold(t, s)
	})
	t.Run("dir", func(t *testing.T) {
		root := t.TempDir()
		s, other := newDir(t, root), newDir(t, root)
		h := hold(t, s)
		if _, err := other.Hold(t.Context()); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("a second hold: %v", err)
		}
		h.Release()
		hold(t, other)
	})
}

func newDir(t *testing.T, root string) blob.Store {
	t.Helper()
	s, err := blob.NewDir(root, blob.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHoldCountsForOtherStoresOfTheDirectory(t *testing.T) {
	root := t.TempDir()
	s, other := newDir(t, root), newDir(t, root)
	key := put(t, s, "content").Key
	h := hold(t, s)
	if err := other.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	newDir(t, root) // another process begins
	if _, err := blob.Sweep(t.Context(), other, time.Now(), nil); err != nil {
		t.Fatal(err)
	}
	if got := held(t, h, key); got != "content" {
		t.Errorf("what another process has deleted: %s", got)
	}
}

func TestWhatADeadHoldPutAsideIsDropped(t *testing.T) {
	root := t.TempDir()
	s := newDir(t, root)
	hold(t, s).Release()
	drops := map[string]func(){"open": func() { newDir(t, root) }, "sweep": func() { blob.Sweep(t.Context(), s, time.Now(), nil) }, "hold": func() { hold(t, s).Release() }}
	for name, drop := range drops {
		left := filepath.Join(root, "held", "aaaaaaaaaaaaaaaaaaaaaaaaaa")
		if err := os.WriteFile(left, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		drop()
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s leaves it", name)
		}
	}
}

func TestDeletionsBesideHolds(t *testing.T) {
	s := newDir(t, t.TempDir())
	for i := range 20 {
		var all []string
		for j := range 10 {
			all = append(all, put(t, s, fmt.Sprint(i, j)).Key)
		}
		h := hold(t, s)
		done := make(chan error)
		for _, key := range all {
			go func() { done <- s.Delete(t.Context(), key) }()
		}
		for j, key := range all {
			if got := held(t, h, key); got != fmt.Sprint(i, j) {
				t.Errorf("blob %d: %s", j, got)
			}
		}
		for range all {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if err := h.Release(); err != nil {
			t.Error(err)
		}
	}
}
