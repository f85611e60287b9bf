package runs

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/storage"
)

// values are those of the variables of runs that have not ended, in memory
// only. Another process can end a run, by a stop or because this one seemed
// dead; then its values are dropped as soon as that is told.
type values struct {
	runner lifecycle.Runner
	poke   chan struct{} // capacity 1: what is held has changed

	mu   sync.Mutex
	held map[string]*heldValues
}

type heldValues struct {
	vault *secrets.Vault
	// proxies with passwords; nil where the run has none.
	proxies *Proxies
	// stored says that the row of the run is committed: that it is not there
	// means something only then.
	stored bool
}

func newValues() *values {
	return &values{poke: make(chan struct{}, 1), held: map[string]*heldValues{}}
}

// keepValues holds the values of a run's variables until they are dropped,
// and those of its proxies' passwords.
func (s *service) keepValues(runID string, c Create) {
	h := &heldValues{}
	if c.BrowserSettings.Proxies.Secret() {
		h.proxies = &c.BrowserSettings.Proxies
	}
	if len(c.Variables) == 0 && h.proxies == nil {
		return
	}
	plain := map[string]string{}
	for name, v := range c.Variables {
		plain[name] = v.Value
	}
	s.vaults.mu.Lock()
	h.vault = secrets.New(plain)
	s.vaults.held[runID] = h
	s.vaults.mu.Unlock()
}

// storedValues says that the run is committed, and begins to watch it.
func (s *service) storedValues(runID string) {
	s.vaults.mu.Lock()
	h := s.vaults.held[runID]
	if h != nil {
		h.stored = true
	}
	s.vaults.mu.Unlock()
	if h != nil {
		ended, cancel := context.WithCancel(context.Background())
		cancel() // a keeper that is being stopped stays stopped
		s.vaults.runner.Start(ended, s.watchValues)
		s.vaults.tell()
	}
}

// values returns those of a run; false if this process does not have them.
func (s *service) values(runID string) (heldValues, bool) {
	s.vaults.mu.Lock()
	defer s.vaults.mu.Unlock()
	h, ok := s.vaults.held[runID]
	if !ok {
		return heldValues{}, false
	}
	return *h, true
}

func (s *service) dropValues(runID string) {
	s.vaults.mu.Lock()
	_, known := s.vaults.held[runID]
	delete(s.vaults.held, runID)
	s.vaults.mu.Unlock()
	if known {
		s.vaults.tell()
	}
}

func (v *values) tell() {
	select {
	case v.poke <- struct{}{}:
	default:
	}
}

// stored returns the runs that are committed and whose values are held.
func (v *values) stored() (ids []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, h := range v.held {
		if h.stored {
			ids = append(ids, id)
		}
	}
	return ids
}

// valuesTopic is published by nobody: the hub wakes every topic for commits of
// other processes, and what ends a run in this one drops its values itself.
const valuesTopic = "runs/values"

// watchValues waits for the end of runs whose values are held. While there are
// none it waits for nothing, so that the database is not polled for it.
func (s *service) watchValues(run *lifecycle.Run) {
	run.Ready()
	var changes *notify.Subscription
	var changed <-chan struct{}
	for {
		switch held := s.vaults.stored(); {
		case len(held) == 0 && changes != nil:
			changes.Close()
			changes, changed = nil, nil
		case len(held) > 0 && changes == nil:
			changes = s.conf.Notify.Subscribe(valuesTopic)
			defer changes.Close()
			changed = changes.C()
			fallthrough // what happened before is not told
		case len(held) > 0:
			s.dropEnded(run.Context(), held)
		}
		select {
		case <-changed:
		case <-s.vaults.poke:
		case <-run.Stopping():
			return
		}
	}
}

// dropEnded drops the values of runs that have ended or are gone.
func (s *service) dropEnded(ctx context.Context, held []string) {
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		for _, id := range held {
			switch status, err := findStatus(ctx, q, id); {
			case errors.Is(err, storage.ErrNoRow) || err == nil && status.Final():
				s.dropValues(id)
			case err != nil:
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		s.conf.Logger.Warn("runs: it cannot be told which runs have ended", "error", err)
	}
}
