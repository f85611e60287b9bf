package downloads

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func (k *kept) try(t testing.TB, size int) error {
	_, err := k.Store(t.Context(), New{SessionID: session, Content: strings.NewReader(strings.Repeat("x", size))})
	return err
}

func TestLimitsHoldToTheByte(t *testing.T) {
	t.Parallel()
	each(t, Config{Limits: Limits{MaxFile: 1000, MaxBytes: 2500, MaxFiles: 4}}, func(t *testing.T, k *kept) {
		for _, c := range []struct {
			size int
			kind errtypes.Kind // Internal for none
		}{
			{1001, errtypes.TooLarge}, {5000, errtypes.TooLarge}, {1000, 0}, {1000, 0},
			{501, errtypes.Conflict}, {1001, errtypes.Conflict}, {500, 0}, {1, errtypes.Conflict},
			{0, 0}, {0, errtypes.Conflict},
		} {
			err := k.try(t, c.size)
			if c.kind == 0 && err != nil || c.kind != 0 && !errtypes.Is(err, c.kind) {
				t.Errorf("%d bytes: %v", c.size, err)
			}
		}
		k.agree(t, 4, 2500)
		if _, err := k.Store(k.as(t, "other"), New{SessionID: session}); err != nil {
			t.Errorf("another project: %v", err)
		}
	})
}

func TestDeletingMakesRoom(t *testing.T) {
	t.Parallel()
	k := open(t, Config{Limits: Limits{MaxBytes: 10}})
	for range 5 {
		d := k.store(t, session, "x", "1234567890")
		if err := k.try(t, 1); !errtypes.Is(err, errtypes.Conflict) {
			t.Fatalf("a full project: %v", err)
		}
		if err := k.Delete(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	k.agree(t, 0, 0)
}

const size, fit, tries = 700, 7, 40

// Two processes, as far as the database can tell, store at once.
func TestThoseWhoStoreAtOnceDoNotOverrunTheLimits(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]Limits{"bytes": {MaxBytes: size*fit + size/2}, "files": {MaxFiles: fit}} {
		for form, dir := range map[string]string{"memory": "", "file": t.TempDir()} {
			t.Run(name+"/"+form, func(t *testing.T) {
				blobs := dirStore(t, t.TempDir())
				processes := 1
				if dir != "" {
					processes = 2
				}
				var all []*kept
				for range processes {
					db := storagetest.OpenWith(t, storage.Options{Dir: dir})
					all = append(all, open(t, Config{DB: db, Blobs: blobs, Limits: limits}))
				}
				if stored := atOnce(t, all); stored != fit {
					t.Errorf("%d of %d were stored, want %d", stored, tries, fit)
				}
				all[0].agree(t, fit, fit*size)
			})
		}
	}
}

// atOnce has many store, in turn with one of the processes, and returns how
// many of them could.
func atOnce(t *testing.T, all []*kept) (stored int) {
	t.Helper()
	errs := make([]error, tries)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range tries {
		wg.Go(func() {
			<-start
			errs[i] = all[i%len(all)].try(t, size)
		})
	}
	close(start)
	wg.Wait()
	for _, err := range errs {
		if err == nil {
			stored++
		} else if !errtypes.Is(err, errtypes.Conflict) {
			t.Error(err)
		}
	}
	return stored
}

func TestThoseWhoStoreAndDeleteAtOnceKeepTheCount(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, k *kept) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for i := range 5 {
					d, err := k.Store(t.Context(), New{SessionID: session, Content: strings.NewReader("123")})
					if err == nil && i > 0 {
						err = k.Delete(t.Context(), d.ID)
					}
					if err != nil && !errors.Is(err, errFull) {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		k.agree(t, 8, 24)
	})
}
