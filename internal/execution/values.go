package execution

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// Values are what rows need and may not be stored, such as passwords: in memory
// only, and for as long as their row has not ended. The row's job names this
// instance as its owner, so that no other process takes the row while this one
// lives; afterwards Check finds them gone.
//
// Another process can end a row, by a stop or because this one seemed dead; then
// its values are dropped as soon as that is told.
type Values[V any] struct {
	conf   ValuesConfig
	runner lifecycle.Runner
	poke   chan struct{} // capacity 1: what is held has changed

	mu   sync.Mutex
	held map[string]*value[V]
}

type value[V any] struct {
	v V
	// stored says that the row is committed: that it is not there means
	// something only then.
	stored bool
}

// ValuesConfig configures [NewValues]. All is required.
type ValuesConfig struct {
	// Name says in logs and topics whose values they are.
	Name   string
	DB     *storage.DB
	Notify *notify.Hub
	Logger *slog.Logger
	// Over reports whether a row has ended; [storage.ErrNoRow] if it is gone.
	Over func(ctx context.Context, q storage.Querier, id string) (bool, error)
}

// NewValues returns a keeper that holds nothing. Close it.
func NewValues[V any](c ValuesConfig) *Values[V] {
	return &Values[V]{conf: c, poke: make(chan struct{}, 1), held: map[string]*value[V]{}}
}

// Keep holds the values of a row that is about to be inserted, before a worker
// can look at it.
func (s *Values[V]) Keep(id string, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[id] = &value[V]{v: v}
}

// Stored says that the row is committed, and begins to watch it. It does nothing
// for a row without values.
func (s *Values[V]) Stored(id string) {
	s.mu.Lock()
	h := s.held[id]
	if h != nil {
		h.stored = true
	}
	s.mu.Unlock()
	if h != nil {
		ended, cancel := context.WithCancel(context.Background())
		cancel() // a keeper that is being stopped stays stopped
		s.runner.Start(ended, s.watch)
		lifecycle.Poke(s.poke)
	}
}

// Get returns the values of a row; false if this process does not have them.
func (s *Values[V]) Get(id string) (v V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.held[id]; h != nil {
		return h.v, true
	}
	return v, false
}

// Drop forgets the values of a row, if there are any: it is for
// [Config].Release.
func (s *Values[V]) Drop(id string) {
	s.mu.Lock()
	_, known := s.held[id]
	delete(s.held, id)
	s.mu.Unlock()
	if known {
		lifecycle.Poke(s.poke)
	}
}

// Close stops watching. It is idempotent.
func (s *Values[V]) Close(ctx context.Context) { s.runner.Stop(ctx, errClosing) }

// stored returns the rows that are committed and whose values are held.
func (s *Values[V]) stored() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, h := range s.held {
		if h.stored {
			ids = append(ids, id)
		}
	}
	return ids
}

// watch waits for the end of rows whose values are held. While there are none it
// waits for nothing, so that the database is not polled for it. Nobody publishes
// its topic: the hub wakes every one for commits of other processes, and what
// ends a row in this one drops its values itself.
func (s *Values[V]) watch(run *lifecycle.Run) {
	run.Ready()
	var changes *notify.Subscription
	var changed <-chan struct{}
	defer func() {
		if changes != nil {
			changes.Close()
		}
	}()
	for {
		switch held := s.stored(); {
		case len(held) == 0 && changes != nil:
			changes.Close()
			changes, changed = nil, nil
		case len(held) > 0 && changes == nil:
			changes = s.conf.Notify.Subscribe(s.conf.Name + "/values")
			changed = changes.C()
			fallthrough // what happened before is not told
		case len(held) > 0:
			s.dropEnded(run.Context(), held)
		}
		select {
		case <-changed:
		case <-s.poke:
		case <-run.Stopping():
			return
		}
	}
}

// dropEnded drops the values of rows that have ended or are gone.
func (s *Values[V]) dropEnded(ctx context.Context, held []string) {
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		for _, id := range held {
			switch over, err := s.conf.Over(ctx, q, id); {
			case errors.Is(err, storage.ErrNoRow) || err == nil && over:
				s.Drop(id)
			case err != nil:
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		s.conf.Logger.Warn("it cannot be told which rows have ended", "kind", s.conf.Name, "error", err)
	}
}
