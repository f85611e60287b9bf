package downloads

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestDownloadsAreDeletedWhenTheirTimeIsOver(t *testing.T) {
	t.Parallel()
	each(t, Config{Retention: 24 * time.Hour}, func(t *testing.T, k *kept) {
		old := k.store(t, session, "x", "1")
		for range batch + 5 {
			k.store(t, session, "x", "12")
		}
		young := k.store(t, session, "y", "123")
		k.clock.Advance(24*time.Hour - time.Second)
		k.keeper.Do(t.Context())
		k.missing(t, t.Context(), old.ID)
		k.agree(t, 1, young.Size)
		k.clock.Advance(time.Second)
		k.keeper.Do(t.Context())
		k.agree(t, 0, 0)
	})
}

func TestDownloadsAreKeptForEverWhenThatIsWanted(t *testing.T) {
	t.Parallel()
	k := open(t, Config{Retention: -1})
	d := k.store(t, session, "x", "1")
	for range 3 {
		k.clock.Advance(100 * 365 * 24 * time.Hour)
		k.keeper.Do(t.Context())
	}
	if _, err := k.Get(t.Context(), d.ID); err != nil {
		t.Error(err)
	}
}

func TestBlobsThatNoRowNamesAreSweptTimeAndAgain(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	k := open(t, Config{Clock: c, Blobs: blob.NewMemory(c)})
	kept := k.store(t, session, "x", "1")
	k.keeper.Do(t.Context())
	if _, err := k.blobs.Put(t.Context(), strings.NewReader("lost"), 0); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(retention.SweepRest)
	k.keeper.Do(t.Context())
	if k.counts(t).Blobs != 1 || k.content(t, kept.ID) != "1" {
		t.Error("a blob that a row names was swept, or one is left that none does")
	}
}

// stubborn keeps blobs that are to be deleted, as a system does that has them
// open.
type stubborn struct {
	blob.Store
	err error
}

func (s *stubborn) Delete(ctx context.Context, key string) error {
	if s.err != nil {
		return s.err
	}
	return s.Store.Delete(ctx, key)
}

func TestABlobThatCannotBeDeletedIsSweptLater(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	blobs := &stubborn{blob.NewMemory(c), errors.New("it is open")}
	k := open(t, Config{Clock: c, Blobs: blobs})
	d := k.store(t, session, "x", "1")
	if err := k.Delete(t.Context(), d.ID); err != nil || !strings.Contains(k.log.String(), "it is open") {
		t.Errorf("%v; the log says %s", err, k.log)
	}
	blobs.err = nil
	c.Advance(2 * retention.OrphanSpared)
	k.keeper.Do(t.Context())
	k.agree(t, 0, 0)
}

func TestTwoProcessesDeleteTheSameDownloads(t *testing.T) {
	t.Parallel()
	dir, blobDir, c := t.TempDir(), t.TempDir(), clock.NewManual(noon)
	var all []*kept
	for range 2 {
		db := storagetest.OpenWith(t, storage.Options{Dir: dir})
		all = append(all, open(t, Config{DB: db, Blobs: dirStore(t, blobDir), Clock: c}))
	}
	for range 3 * batch {
		all[0].store(t, session, "x", "12")
	}
	c.Advance(31 * 24 * time.Hour)
	var both sync.WaitGroup
	for _, k := range all {
		both.Go(func() { k.keeper.Do(t.Context()) })
	}
	both.Wait()
	all[0].agree(t, 0, 0)
	for _, k := range all {
		if strings.Contains(k.log.String(), "cannot be deleted") {
			t.Error(k.log)
		}
	}
}

func TestReadingALostBlobSaysThatNothingIsThere(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	d := k.store(t, session, "x", "1")
	for e := range k.blobs.All(t.Context()) {
		if err := k.blobs.Delete(t.Context(), e.Key); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := k.service.Open(t.Context(), d.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("%v", err)
	}
}

func TestAFileThatIsNotWholeIsNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	k := open(t, Config{Blobs: dirStore(t, dir)})
	d := k.store(t, session, "x", "123")
	if err := os.Truncate(files(t, dir)[0], 2); err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.service.Open(t.Context(), d.ID); !errtypes.Is(err, errtypes.Internal) {
		t.Errorf("%v", err)
	}
	if err := k.Delete(t.Context(), d.ID); err != nil {
		t.Error(err)
	}
}
