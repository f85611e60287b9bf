package notify_test

import (
	"context"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, db *storage.DB, o notify.Options) *notify.Hub {
	t.Helper()
	h := notify.New(db, o)
	t.Cleanup(func() { h.Close() })
	return h
}

func woken(s *notify.Subscription) bool {
	select {
	case <-s.C():
		return true
	default:
		return false
	}
}

// commit changes the database.
func commit(t *testing.T, db *storage.DB) {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE instances SET started_at = started_at + 1`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPublishWakesThoseWhoWaitForTheTopic(t *testing.T) {
	h := open(t, storagetest.Open(t), notify.Options{})
	a1, a2, b := h.Subscribe("a"), h.Subscribe("a"), h.Subscribe("b")
	h.Publish("a", "nobody")
	h.Publish("a") // becomes one with the first
	if !woken(a1) || !woken(a2) || woken(b) {
		t.Error("not exactly the subscribers of the topic were woken")
	}
	if woken(a1) {
		t.Error("two changes did not become one wake-up")
	}
	h.Publish("b", "a")
	if !woken(a1) || !woken(b) {
		t.Error("not woken a second time")
	}
}

func TestClosedSubscriptionIsNotWoken(t *testing.T) {
	h := open(t, storagetest.Open(t), notify.Options{})
	gone, stays := h.Subscribe("a"), h.Subscribe("a")
	gone.Close()
	gone.Close()
	h.Publish("a")
	if woken(gone) || !woken(stays) {
		t.Error("the wrong one was woken")
	}
	stays.Close()
	h.Publish("a")
}

func TestWhoReadsAgainOnEachWakeUpSeesTheLastChange(t *testing.T) {
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		h := open(t, db, notify.Options{})
		sub := h.Subscribe("count")
		const changes = 50
		end := count(t, db) + changes
		var writer sync.WaitGroup
		writer.Go(func() {
			for range changes {
				err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
					tx.AfterCommit(func() { h.Publish("count") })
					_, err := tx.Exec(ctx, `UPDATE instances SET started_at = started_at + 1`)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
		for count(t, db) < end {
			<-sub.C() // hangs if the last change is not told
		}
		writer.Wait()
	})
}

// count returns the number that commit counts up.
func count(t *testing.T, db *storage.DB) int64 {
	t.Helper()
	all, err := db.Instances(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return storage.Millis(all[0].StartedAt)
}

func TestCloseTellsThoseWhoWaitAndIsIdempotent(t *testing.T) {
	h := notify.New(storagetest.OpenFile(t), notify.Options{})
	sub := h.Subscribe("a")
	h.Close()
	<-h.Done()
	h.Close()
	h.Publish("a")
	if !woken(sub) {
		t.Error("Publish does not work after Close")
	}
	late := h.Subscribe("a")
	h.Publish("a")
	if !woken(late) {
		t.Error("Subscribe does not work after Close")
	}
}

func TestStressOfSubscribers(t *testing.T) {
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		h := open(t, db, notify.Options{})
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				for range 50 {
					sub := h.Subscribe("a")
					release := h.Hurry()
					h.Publish("a")
					<-sub.C() // its own change at the latest
					release()
					release()
					sub.Close()
				}
			})
		}
		group.Wait()
	})
}
