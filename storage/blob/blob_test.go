package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/blob"
)

// each runs a test on every kind of store.
func each(t *testing.T, test func(t *testing.T, s blob.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, blob.NewMemory(nil)) })
	for name, o := range map[string]blob.DirOptions{"dir": {}, "dir synced": {FullSync: true}} {
		t.Run(name, func(t *testing.T) {
			s, err := blob.NewDir(filepath.Join(t.TempDir(), "blobs"), o)
			if err != nil {
				t.Fatal(err)
			}
			test(t, s)
		})
	}
}

func put(t *testing.T, s blob.Store, content string) blob.Info {
	t.Helper()
	info, err := s.Put(t.Context(), strings.NewReader(content), 0)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func keys(t *testing.T, s blob.Store) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for e, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if time.Since(e.WrittenAt).Abs() > time.Minute {
			t.Errorf("%s was written at %v", e.Key, e.WrittenAt)
		}
		all[e.Key] = e.Size
	}
	return all
}

func TestBlobComesBackWithItsSizeAndHash(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		for _, content := range []string{"", "x", strings.Repeat("0123456789", 100_000)} {
			info := put(t, s, content)
			if info.Size != int64(len(content)) || info.SHA256 != sha256.Sum256([]byte(content)) {
				t.Errorf("%+v", info)
			}
			r, err := s.Open(t.Context(), info.Key)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || string(got) != content || r.Size() != info.Size {
				t.Errorf("%d bytes of %d, %v", len(got), r.Size(), err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestBlobCanBeReadFromTheMiddle(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		r, err := s.Open(t.Context(), put(t, s, "0123456789").Key)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := r.Seek(-3, io.SeekEnd); err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(r); string(got) != "789" {
			t.Errorf("%q", got)
		}
	})
}

func TestDeletedBlobIsGoneButItsReadersGoOn(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		key, other := put(t, s, "content").Key, put(t, s, "other").Key
		r, err := s.Open(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := errors.Join(s.Delete(t.Context(), key), s.Delete(t.Context(), key)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(t.Context(), key); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("deleted: %v", err)
		}
		if got, err := io.ReadAll(r); string(got) != "content" {
			t.Errorf("%q, %v", got, err)
		}
		if all := keys(t, s); len(all) != 1 || all[other] != 5 {
			t.Errorf("left: %v", all)
		}
	})
}

func TestKeysThatNoStoreMadeAreNotFound(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	os.WriteFile(outside, []byte("secret"), 0o600)
	each(t, func(t *testing.T, s blob.Store) {
		for _, key := range []string{"", "x", "..", "../../secret", outside, strings.Repeat("a", 26), strings.Repeat("/", 26), strings.Repeat(".", 26)} {
			if _, err := s.Open(t.Context(), key); !errtypes.Is(err, errtypes.NotFound) {
				t.Errorf("open %q: %v", key, err)
			}
			if err := s.Delete(t.Context(), key); err != nil {
				t.Errorf("delete %q: %v", key, err)
			}
		}
	})
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file outside was deleted")
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	boom := errors.New("boom")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	each(t, func(t *testing.T, s blob.Store) {
		if _, err := s.Put(t.Context(), strings.NewReader("123456"), 5); !errtypes.Is(err, errtypes.TooLarge) {
			t.Errorf("over the limit: %v", err)
		}
		if _, err := s.Put(t.Context(), iotest.ErrReader(boom), 0); !errors.Is(err, boom) {
			t.Errorf("broken reader: %v", err)
		}
		if _, err := s.Put(ended, strings.NewReader("x"), 0); !errtypes.Is(err, errtypes.Canceled) {
			t.Errorf("ended context: %v", err)
		}
		if all := keys(t, s); len(all) != 0 {
			t.Errorf("left: %v", all)
		}
		if _, err := s.Put(t.Context(), strings.NewReader("12345"), 5); err != nil {
			t.Errorf("at the limit: %v", err)
		}
	})
}

func TestFailedWriteLeavesNoFile(t *testing.T) {
	root := t.TempDir()
	s, err := blob.NewDir(root, blob.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.Put(t.Context(), iotest.TimeoutReader(strings.NewReader("123456")), 0)
	if left, _ := filepath.Glob(filepath.Join(root, "*", "*")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestWhatADeadProcessLeftUnfinishedIsDropped(t *testing.T) {
	root := t.TempDir()
	open := func() {
		if _, err := blob.NewDir(root, blob.DirOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	open()
	s, err := blob.NewDir(root, blob.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sweep := func() {
		if _, err := blob.Sweep(t.Context(), s, time.Now(), nil); err != nil {
			t.Fatal(err)
		}
	}
	abandoned, current := filepath.Join(root, "unfinished", "1"), filepath.Join(root, "unfinished", "2")
	for name, drop := range map[string]func(){"open": open, "sweep": sweep} {
		for file, age := range map[string]time.Duration{abandoned: 2 * time.Hour, current: time.Minute} {
			if err := errors.Join(os.WriteFile(file, []byte("x"), 0o600), os.Chtimes(file, time.Time{}, time.Now().Add(-age))); err != nil {
				t.Fatal(err)
			}
		}
		drop()
		if left, _ := filepath.Glob(filepath.Join(root, "unfinished", "*")); len(left) != 1 || left[0] != current {
			t.Errorf("%s left %v", name, left)
		}
	}
}

func TestWritersAndReadersAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				content := bytes.Repeat([]byte{byte(i)}, 10_000)
				info, err := s.Put(t.Context(), bytes.NewReader(content), 0)
				if err != nil {
					t.Error(err)
					return
				}
				r, err := s.Open(t.Context(), info.Key)
				if err != nil {
					t.Error(err)
					return
				}
				defer r.Close()
				if got, _ := io.ReadAll(r); !bytes.Equal(got, content) {
					t.Error("another blob's bytes")
				}
			})
		}
		wg.Wait()
	})
}

func TestSweepSparesWhatIsNamedAndWhatIsNew(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		named, lost := put(t, s, "named").Key, put(t, s, "lost").Key
		used := func(_ context.Context, key string) (bool, error) { return key == named, nil }
		if n, err := blob.Sweep(t.Context(), s, time.Now().Add(-time.Hour), used); n != 0 || err != nil {
			t.Errorf("swept %d new blobs, %v", n, err)
		}
		if n, err := blob.Sweep(t.Context(), s, time.Now().Add(time.Hour), used); n != 1 || err != nil {
			t.Errorf("swept %d, %v", n, err)
		}
		if all := keys(t, s); len(all) != 1 || all[lost] != 0 {
			t.Errorf("left: %v", all)
		}
		boom := errors.New("boom")
		fail := func(context.Context, string) (bool, error) { return false, boom }
		if _, err := blob.Sweep(t.Context(), s, time.Now().Add(time.Hour), fail); !errors.Is(err, boom) {
			t.Errorf("a failing question: %v", err)
		}
		if len(keys(t, s)) != 1 {
			t.Error("swept without an answer")
		}
	})
}
