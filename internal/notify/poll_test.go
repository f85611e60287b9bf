package notify_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// pacedClock is a manual clock that tells each time a timer is set or stopped,
// which is how a test knows what the poller has decided.
type pacedClock struct {
	*clock.Manual
	paces chan time.Duration
}

const never = time.Duration(-1)

func newPacedClock() *pacedClock {
	return &pacedClock{clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), make(chan time.Duration, 1000)}
}

func (c *pacedClock) NewTimer(d time.Duration) clock.Timer {
	return pacedTimer{c.Manual.NewTimer(d), c.paces}
}

type pacedTimer struct {
	clock.Timer
	paces chan time.Duration
}

func (t pacedTimer) Reset(d time.Duration) bool {
	defer func() { t.paces <- d }()
	return t.Timer.Reset(d)
}

func (t pacedTimer) Stop() bool {
	defer func() { t.paces <- never }()
	return t.Timer.Stop()
}

// await waits until the poller sleeps for d.
func (c *pacedClock) await(d time.Duration) {
	for got := range c.paces {
		if got == d {
			return
		}
	}
}

const (
	poll = 100 * time.Millisecond
	idle = 500 * time.Millisecond
)

// openPaced returns a hub on a file whose poller has found itself alone.
func openPaced(t *testing.T) (*storage.DB, *notify.Hub, *notify.Subscription, *pacedClock) {
	t.Helper()
	db, c := storagetest.OpenFile(t), newPacedClock()
	h := open(t, db, notify.Options{Clock: c})
	sub := h.Subscribe("a")
	<-sub.C() // the first poll wakes: what was missed before is not known
	c.await(idle)
	return db, h, sub, c
}

func another(t *testing.T, db *storage.DB) *storage.DB {
	t.Helper()
	return storagetest.OpenWith(t, storage.Options{Dir: db.Dir()})
}

func TestChangeOfAnotherInstanceWakesEverybody(t *testing.T) {
	db, h, a, c := openPaced(t)
	b := h.Subscribe("b")
	other := another(t, db)
	c.Advance(idle)
	<-a.C()
	<-b.C()
	c.await(poll) // no longer alone
	commit(t, other)
	c.Advance(poll)
	<-a.C()
	<-b.C()
}

func TestOwnCommitWakesNobody(t *testing.T) {
	db, _, sub, c := openPaced(t)
	for range 3 {
		commit(t, db)
		c.Advance(idle)
		c.await(idle)
	}
	if woken(sub) {
		t.Error("woken by a commit of the own process")
	}
}

func TestPaceFollowsWhoIsThere(t *testing.T) {
	db, h, sub, c := openPaced(t)
	release := h.Hurry()
	c.await(poll)
	release()
	c.await(idle)

	other := another(t, db)
	c.Advance(idle)
	c.await(poll)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	for polls := 1; ; polls++ { // it looks once a second whether it is alone again
		c.Advance(poll)
		if pace := <-c.paces; pace == idle {
			break
		} else if polls == 10 {
			t.Fatalf("still polls every %v after a second alone", pace)
		}
	}

	sub.Close()
	c.await(never)
}

func TestChangeWhileNobodyWaitedIsToldToTheNext(t *testing.T) {
	db, h, sub, c := openPaced(t)
	sub.Close()
	c.await(never)
	c.Advance(time.Hour)
	early := h.Subscribe("a")
	c.await(idle)
	if woken(early) {
		t.Error("woken although nothing changed")
	}
	early.Close()
	c.await(never)
	another(t, db)
	next := h.Subscribe("a")
	c.await(idle)
	c.Advance(idle)
	<-next.C()
}

func TestMemoryIsNeverPolled(t *testing.T) {
	c := newPacedClock()
	h := open(t, storagetest.Open(t), notify.Options{Clock: c})
	h.Subscribe("a")
	h.Hurry()
	h.Close() // would wait for a poller
	if len(c.paces) != 0 {
		t.Error("a database in memory was polled")
	}
}

func TestFailingPollIsToldOnce(t *testing.T) {
	var log bytes.Buffer
	db, c := storagetest.OpenFile(t), newPacedClock()
	h := notify.New(db, notify.Options{Clock: c, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	sub := h.Subscribe("a")
	<-sub.C()
	c.await(idle)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c.Advance(idle)
		<-c.paces
	}
	<-sub.C()
	h.Close()
	if n := strings.Count(log.String(), "cannot ask the database"); n != 1 || woken(sub) {
		t.Errorf("told %d times:\n%s", n, &log)
	}
}
