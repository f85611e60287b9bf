// Package notify tells those who wait that something has changed, so that
// nobody polls a row in a loop.
//
// A topic is a name that both sides agree on, such as the id of a run. Whoever
// changes it publishes after the commit; whoever waits subscribes, reads the
// state, and reads it again each time the subscription wakes:
//
//	sub := hub.Subscribe("run/" + id)
//	defer sub.Close()
//	for {
//		run, err := get(ctx, id) // after Subscribe: what comes later wakes
//		if err != nil || run.Status.Final() {
//			return run, err
//		}
//		select {
//		case <-sub.C():
//		case <-hub.Done():
//			return run, errClosing
//		case <-ctx.Done():
//			return run, ctx.Err()
//		}
//	}
//
// A wake-up is a hint and carries nothing: several changes may become one, and
// one may come without a change. Other processes on the same file are not told
// what changed, only that something did (see poll.go), and wake everybody.
package notify

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
)

// Options configure [New]. The zero value is useful.
type Options struct {
	// Poll is how often the database is asked whether another process changed
	// it, while somebody here waits and another instance is alive, or while
	// [Hub.Hurry] holds. Range 1 ms and up. Default 100 ms.
	Poll time.Duration
	// IdlePoll is the same for the only living instance. It bounds how late
	// the first change of a process that has just started is seen. Default
	// 500 ms.
	IdlePoll time.Duration
	// Clock paces the polls. Default the clock of the database.
	Clock clock.Clock
	// Logger hears of polls that fail. Default discards.
	Logger *slog.Logger
}

func (o Options) withDefaults(db *storage.DB) Options {
	o.Poll = cmp.Or(o.Poll, 100*time.Millisecond)
	o.IdlePoll = max(o.Poll, cmp.Or(o.IdlePoll, 500*time.Millisecond))
	o.Clock = cmp.Or(o.Clock, db.Clock())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// errClosed is why the polls end.
var errClosed = errors.New("notify: the hub was closed")

// Hub carries wake-ups from those who change to those who wait.
type Hub struct {
	db     *storage.DB
	opts   Options
	poller lifecycle.Runner
	poke   chan struct{} // capacity 1: what the poller paces itself by has changed
	done   chan struct{}

	mu      sync.Mutex
	topics  map[string]map[*Subscription]struct{}
	hurries int
	closed  bool
}

// New returns a hub for the database. It does nothing until somebody
// subscribes. Close it before the database.
func New(db *storage.DB, o Options) *Hub {
	return &Hub{
		db:     db,
		opts:   o.withDefaults(db),
		poke:   make(chan struct{}, 1),
		done:   make(chan struct{}),
		topics: map[string]map[*Subscription]struct{}{},
	}
}

// Publish wakes those who wait for one of the topics in this process. It never
// blocks. Call it after the commit, from [storage.Tx.AfterCommit]; other
// processes learn of the commit by themselves.
func (h *Hub) Publish(topics ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		for sub := range h.topics[topic] {
			lifecycle.Poke(sub.c)
		}
	}
}

// publishAll wakes everybody.
func (h *Hub) publishAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, subs := range h.topics {
		for sub := range subs {
			lifecycle.Poke(sub.c)
		}
	}
}

// Subscription is one waiter for one topic.
type Subscription struct {
	hub   *Hub
	topic string
	c     chan struct{}
}

// Subscribe begins to wait for a topic. What is committed after Subscribe has
// returned wakes the subscription. Close it when it is no longer read.
func (h *Hub) Subscribe(topic string) *Subscription {
	sub := &Subscription{hub: h, topic: topic, c: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	first := len(h.topics) == 0
	if h.topics[topic] == nil {
		h.topics[topic] = map[*Subscription]struct{}{}
	}
	h.topics[topic][sub] = struct{}{}
	if first && !h.closed && h.db.Dir() != "" { // nobody else can open a database in memory
		h.poller.Start(context.Background(), h.pollUntilStopped) // never waits: it is stopped once, by Close
		lifecycle.Poke(h.poke)
	}
	return sub
}

// C returns the channel that receives a value when the topic may have changed.
// It has room for one, so that many changes become one wake-up. It is never
// closed.
func (s *Subscription) C() <-chan struct{} { return s.c }

// Close ends the subscription. It is idempotent.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	subs := s.hub.topics[s.topic]
	delete(subs, s)
	if len(subs) == 0 {
		delete(s.hub.topics, s.topic)
	}
	if len(s.hub.topics) == 0 {
		lifecycle.Poke(s.hub.poke)
	}
}

// Hurry asks for the full pace of polling even while this is the only living
// instance, until release is called: for work that another process may cancel.
// Release is idempotent.
func (h *Hub) Hurry() (release func()) {
	h.hurry(1)
	return sync.OnceFunc(func() { h.hurry(-1) })
}

func (h *Hub) hurry(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hurries += n
	lifecycle.Poke(h.poke)
}

// Done returns a channel that is closed by [Hub.Close]: those who wait give up.
func (h *Hub) Done() <-chan struct{} { return h.done }

// Close ends the polling, waits for it, and tells those who wait through
// [Hub.Done]. Publish goes on working in this process. It is idempotent and
// never fails.
func (h *Hub) Close() error {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		close(h.done)
	}
	h.mu.Unlock()
	now, cancel := context.WithCancel(context.Background())
	cancel() // a poll has nothing to finish
	h.poller.Stop(now, errClosed)
	return nil
}
