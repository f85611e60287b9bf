package contexts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func TestAProfileComesBack(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		c := w.create(t, "")
		if content, got := w.saved(t, c.ID); content != "" || got.Files != 0 {
			t.Errorf("a new one: %q, %+v", content, got)
		}
		for _, want := range []string{"one", "two", "three"} {
			w.save(t, c.ID, want)
			if content, got := w.saved(t, c.ID); content != want || got.Files != 2 || got.Fault != nil {
				t.Errorf("%q, %+v, want %q", content, got, want)
			}
		}
		if n := w.count(t); n != 2 {
			t.Errorf("%d versions are kept", n)
		}
		if c := must(w.Get(t.Context(), c.ID))(t); !c.SavedAt.Equal(noon) || c.InUseBy != "" {
			t.Errorf("%+v", c)
		}
		if err := w.Delete(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		if n := w.count(t); n != 0 {
			t.Errorf("%d versions are left of what was deleted", n)
		}
	})
}

func TestOneSavesAndOthersRead(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		c := w.create(t, "")
		w.save(t, c.ID, "before")
		l := w.use(t, c.ID, "first", true)
		if c := must(w.Get(t.Context(), c.ID))(t); c.InUseBy != "first" {
			t.Errorf("held by %q", c.InUseBy)
		}
		_, err := w.service.Open(t.Context(), Use{ContextID: c.ID, Holder: "second", Persist: true})
		fails(t, err, errtypes.Conflict)
		if !strings.Contains(err.Error(), "first") {
			t.Errorf("it does not say who: %v", err)
		}
		if content, _ := w.saved(t, c.ID); content != "before" {
			t.Errorf("%q", content)
		}
		_, err = w.use(t, c.ID, "reader", false).Save(t.Context(), folder(t, "x"))
		fails(t, err, errtypes.Conflict)
		for range 2 {
			if err := l.Free(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		second := w.use(t, c.ID, "second", true)
		_, err = l.Save(t.Context(), folder(t, "too late"))
		fails(t, err, errtypes.Conflict)
		must(second.Save(t.Context(), folder(t, "after")))(t)
		if content, _ := w.saved(t, c.ID); content != "after" {
			t.Errorf("%q", content)
		}
	})
}

// Whoever looks for processes may look just before one begins, which then has no
// row for him: its marker tells that it lives.
func TestWhoHasJustBegunIsNotTakenForDead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	early, late := open(t, dir, Config{}), open(t, dir, Config{})
	c := early.create(t, "")
	late.conf.Keys = early.conf.Keys
	late.use(t, c.ID, "late", true)
	err := early.conf.DB.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM instances WHERE id = $1`, late.conf.DB.InstanceID())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = early.service.Open(t.Context(), Use{ContextID: c.ID, Holder: "early", Persist: true})
	fails(t, err, errtypes.Conflict)
}

func TestAReaderThatIsOvertakenReadsTheNewVersion(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		c := w.create(t, "")
		w.save(t, c.ID, "one")
		reader := w.use(t, c.ID, "reader", false)
		for _, content := range []string{"two", "three"} { // which deletes the first
			w.save(t, c.ID, content)
		}
		dir := t.TempDir()
		if got := must(reader.Restore(t.Context(), dir))(t); got.Fault != nil {
			t.Error(got.Fault)
		}
		if content, err := os.ReadFile(filepath.Join(dir, cookies)); err != nil || string(content) != "three" {
			t.Errorf("%q, %v", content, err)
		}
	})
}

func TestNothingIsSavedOfADeletedContext(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		c := w.create(t, "")
		l := w.use(t, c.ID, "session", true)
		if err := w.Delete(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		_, err := l.Save(t.Context(), folder(t, "x"))
		fails(t, err, errtypes.NotFound)
		if n := w.count(t); n != 0 {
			t.Errorf("%d versions are left", n)
		}
		if err := l.Free(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// damage changes a version on disk.
func damage(t testing.TB, path string, how func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, how(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedVersionIsReplacedByTheOneBefore(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]func([]byte) []byte{
		"the first byte": func(p []byte) []byte { p[0] ^= 1; return p },
		"the key":        func(p []byte) []byte { p[20] ^= 1; return p },
		"the text":       func(p []byte) []byte { p[len(p)-50] ^= 1; return p },
		"the last byte":  func(p []byte) []byte { p[len(p)-1] ^= 1; return p },
		"cut":            func(p []byte) []byte { return p[:len(p)-16] },
		"emptied":        func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, t.TempDir(), Config{})
			c := w.create(t, "")
			w.save(t, c.ID, "one")
			w.save(t, c.ID, "two")
			damage(t, w.file(t, w.row(t, c.ID).blob), how)
			content, got := w.saved(t, c.ID)
			if content != "one" || got.Fault == nil {
				t.Fatalf("%q, %+v", content, got)
			}
			// What is saved next goes back to what was whole.
			w.save(t, c.ID, "three")
			damage(t, w.file(t, w.row(t, c.ID).blob), how)
			if content, _ := w.saved(t, c.ID); content != "one" {
				t.Errorf("%q", content)
			}
			if n := w.count(t); n != 2 {
				t.Errorf("%d versions are kept", n)
			}
			damage(t, w.file(t, w.row(t, c.ID).previous), how)
			dir := t.TempDir()
			_, err := w.use(t, c.ID, "reader", false).Restore(t.Context(), dir)
			fails(t, err, errtypes.Unavailable)
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
}

func TestAVersionOfAnotherContextIsRefused(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), Config{})
	mine, other := w.create(t, ""), w.create(t, "")
	w.save(t, mine.ID, "mine")
	w.save(t, other.ID, "other")
	content, err := os.ReadFile(w.file(t, w.row(t, other.ID).blob))
	if err != nil {
		t.Fatal(err)
	}
	damage(t, w.file(t, w.row(t, mine.ID).blob), func([]byte) []byte { return content })
	_, err = w.use(t, mine.ID, "reader", false).Restore(t.Context(), t.TempDir())
	fails(t, err, errtypes.Unavailable)
}

func TestWhatFailsToBeSavedLeavesTheLastVersion(t *testing.T) {
	t.Parallel()
	each(t, Config{Limits: Limits{MaxBytes: 100}}, func(t *testing.T, w *world) {
		c := w.create(t, "")
		w.save(t, c.ID, "one")
		l := w.use(t, c.ID, "session", true)
		_, err := l.Save(t.Context(), folder(t, strings.Repeat("x", 101)))
		fails(t, err, errtypes.TooLarge)
		ctx, cancel := context.WithCancelCause(t.Context())
		over := errors.New("over")
		cancel(over)
		if _, err := l.Save(ctx, folder(t, "x")); !errors.Is(err, over) {
			t.Error(err)
		}
		if _, err := l.Save(t.Context(), filepath.Join(t.TempDir(), "gone")); err == nil {
			t.Error("a folder that is not there was saved")
		}
		if content, _ := w.saved(t, c.ID); content != "one" || w.count(t) != 1 {
			t.Errorf("%q, %d versions", content, w.count(t))
		}
		must(l.Save(t.Context(), folder(t, "two")))(t)
		if content, _ := w.saved(t, c.ID); content != "two" {
			t.Errorf("%q", content)
		}
	})
}

func TestTheSizeOfWhatWillBeRestored(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		c := w.create(t, "")
		l := w.use(t, c.ID, "reader", false)
		if n := must(l.Size(t.Context()))(t); n != 0 {
			t.Errorf("a context that was never saved has %d bytes", n)
		}
		w.save(t, c.ID, strings.Repeat("content ", 1000))
		l = w.use(t, c.ID, "reader", false)
		if n, got := must(l.Size(t.Context()))(t), must(l.Restore(t.Context(), t.TempDir()))(t); n <= 0 || n > 4*got.Bytes {
			t.Errorf("%d bytes are expected of %d", n, got.Bytes)
		}
		for e := range w.blobs.All(t.Context()) {
			w.blobs.Delete(t.Context(), e.Key)
		}
		if n, err := l.Size(t.Context()); n != 0 || err != nil {
			t.Errorf("of what is gone: %d, %v", n, err)
		}
	})
}
