package downloads

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/storagetest"
)

// asleep returns when the sweep of every service waits for the clock.
func (k *kept) asleep(n int) { k.clock.WaitForTimers(n) }

// untilDeleted returns when nothing that is due is left.
func (k *kept) untilDeleted(t *testing.T) {
	t.Helper()
	for t.Context().Err() == nil {
		due, err := k.kept().Due(t.Context())
		if errors.Is(err, storage.ErrNoRow) || err == nil && due.After(k.clock.Now()) {
			return
		}
		runtime.Gosched()
	}
}

// untilBlobs returns when that many blobs are left.
func (k *kept) untilBlobs(t *testing.T, n int) {
	t.Helper()
	for k.counts(t).Blobs != n && t.Context().Err() == nil {
		runtime.Gosched()
	}
}

func TestDownloadsAreDeletedWhenTheirTimeIsOver(t *testing.T) {
	t.Parallel()
	each(t, Config{Retention: 24 * time.Hour}, func(t *testing.T, k *kept) {
		old := k.store(t, session, "x", "1")
		k.asleep(1)
		for range batch + 5 {
			k.store(t, session, "x", "12")
		}
		young := k.store(t, session, "y", "123")
		k.clock.Advance(24*time.Hour - time.Second)
		k.untilDeleted(t)
		k.missing(t, t.Context(), old.ID)
		k.untilBlobs(t, 1)
		k.agree(t, 1, young.Size)
		k.asleep(1)
		k.clock.Advance(time.Second)
		k.untilDeleted(t)
		k.untilBlobs(t, 0)
		k.agree(t, 0, 0)
	})
}

func TestDownloadsAreKeptForEverWhenThatIsWanted(t *testing.T) {
	t.Parallel()
	k := open(t, Config{Retention: -1})
	d := k.store(t, session, "x", "1")
	for range 3 {
		k.asleep(1)
		k.clock.Advance(100 * 365 * 24 * time.Hour)
	}
	k.asleep(1)
	if _, err := k.Get(t.Context(), d.ID); err != nil {
		t.Error(err)
	}
}

func TestNothingIsSweptBeforeTheProcessWorks(t *testing.T) {
	t.Parallel()
	working := make(chan struct{})
	k := open(t, Config{Working: working, Blobs: blob.NewMemory(clock.NewManual(noon))})
	if _, err := k.blobs.Put(t.Context(), strings.NewReader("lost"), 0); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(2 * retention.OrphanSpared)
	if k.counts(t).Blobs != 1 {
		t.Error("a tool that comes and goes has swept")
	}
	close(working)
	k.untilBlobs(t, 0)
}

func TestBlobsThatNoRowNamesAreSweptTimeAndAgain(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	k := open(t, Config{Clock: c, Blobs: blob.NewMemory(c)})
	kept := k.store(t, session, "x", "1")
	k.asleep(1)
	if _, err := k.blobs.Put(t.Context(), strings.NewReader("lost"), 0); err != nil {
		t.Fatal(err)
	}
	for range int(retention.OrphanRest/time.Hour) + 1 {
		k.clock.Advance(time.Hour)
		k.asleep(1)
	}
	k.untilBlobs(t, 1)
	if k.content(t, kept.ID) != "1" {
		t.Error("a blob that a row names was swept")
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
	k.asleep(1)
	if err := k.Delete(t.Context(), d.ID); err != nil || !strings.Contains(k.log.String(), "it is open") {
		t.Errorf("%v; the log says %s", err, k.log)
	}
	blobs.err = nil
	c.Advance(2 * retention.OrphanSpared)
	k.orphans().Delete(t.Context())
	k.agree(t, 0, 0)
}

func TestTwoProcessesDeleteTheSameDownloads(t *testing.T) {
	t.Parallel()
	dir, blobDir, c := t.TempDir(), t.TempDir(), clock.NewManual(noon)
	working := make(chan struct{})
	var all []*kept
	for range 2 {
		db := storagetest.OpenWith(t, storage.Options{Dir: dir})
		all = append(all, open(t, Config{DB: db, Blobs: dirStore(t, blobDir), Clock: c, Working: working}))
	}
	for range 3 * batch {
		all[0].store(t, session, "x", "12")
	}
	all[0].asleep(1)
	c.Advance(31 * 24 * time.Hour)
	close(working)
	all[0].untilDeleted(t)
	all[0].untilBlobs(t, 0)
	all[0].agree(t, 0, 0)
	for _, k := range all {
		k.Close(t.Context()) // so that its log is at rest
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
