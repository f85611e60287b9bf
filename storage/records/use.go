package records

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
)

// useDelay is how long reads are collected before they are written: a read must
// not cost a write.
const useDelay = 5 * time.Second

// use collects what is counted of reads. It is written some time after the first,
// and at the end.
type use struct {
	s     *service
	calls *lifecycle.Calls

	writing sync.Mutex // one flush at a time

	mu    sync.Mutex
	timer clock.Timer // nil while nothing waits
	of    map[string]counted
	// written is what is being written, and not yet in the database.
	written map[string]counted
}

// counted is what was read of a store, and when last.
type counted struct{ reads, lists, at int64 }

func (c counted) plus(o counted) counted {
	return counted{c.reads + o.reads, c.lists + o.lists, max(c.at, o.at)}
}

func newUse(s *service) *use {
	return &use{s: s, calls: lifecycle.NewCalls(errClosing), of: map[string]counted{}}
}

// read counts reads of records, items or requests.
func (u *use) read(id string, n int64) { u.count(id, counted{reads: n, at: u.s.now()}) }

// listed counts a list of keys or items.
func (u *use) listed(id string) { u.headed(id, 1) }

// headed counts requests that were read of the head of a queue.
func (u *use) headed(id string, n int64) { u.count(id, counted{lists: n, at: u.s.now()}) }

func (u *use) count(id string, c counted) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.of[id] = u.of[id].plus(c)
	if u.timer == nil {
		u.timer = u.s.conf.Clock.AfterFunc(useDelay, u.due)
	}
}

// addTo adds what is not written yet to a store that was read.
func (u *use) addTo(st *Store) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.of[st.ID].plus(u.written[st.ID])
	if c == (counted{}) {
		return
	}
	st.Stats.Reads += c.reads
	st.Stats.Lists += c.lists
	if at := storage.Time(c.at); at.After(st.AccessedAt) {
		st.AccessedAt = at
	}
}

// forget drops what was counted of a store that is deleted.
func (u *use) forget(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.of, id)
}

// due writes in the background.
func (u *use) due() {
	ctx, leave, err := u.calls.Enter(context.Background())
	if err != nil {
		return // close writes
	}
	defer leave()
	if err := u.flush(ctx); err != nil {
		u.s.conf.Logger.Warn("records: what was counted of reads cannot be written; it is tried again later", "error", err)
	}
}

// flush writes what was counted so far. What cannot be written waits for the next
// time.
func (u *use) flush(ctx context.Context) error {
	u.writing.Lock()
	defer u.writing.Unlock()
	all := u.take()
	if len(all) == 0 {
		return nil
	}
	err := u.s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		for id, c := range all {
			if err := addUse(ctx, tx, id, c.reads, c.lists, c.at); err != nil {
				return err
			}
		}
		tx.AfterCommit(u.wrote)
		return nil
	})
	if err != nil {
		u.wrote()
		for id, c := range all {
			u.count(id, c)
		}
	}
	return err
}

// take empties the collection.
func (u *use) take() map[string]counted {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.timer != nil {
		u.timer.Stop()
		u.timer = nil
	}
	all := u.of
	u.of, u.written = map[string]counted{}, all
	return all
}

func (u *use) wrote() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.written = nil
}

// close writes what is left, unless ctx has ended.
func (u *use) close(ctx context.Context) error {
	u.calls.Close(ctx)
	err := u.flush(ctx)
	u.take() // nothing is tried again
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil // a few counts are lost
	}
	return err
}
