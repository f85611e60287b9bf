package retention

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

// Options configure [NewKeeper]. The zero value is useful.
type Options struct {
	// Clock says what is due. Default that of the database.
	Clock clock.Clock
	// Logger hears what is deleted. Default discards.
	Logger *slog.Logger
}

// Keeper does the tasks of all domains, one after the other, each when it is
// due. A nil one does nothing.
type Keeper struct {
	work
	runner lifecycle.Runner
	poke   chan struct{} // capacity 1: something else is due

	mu    sync.Mutex
	tasks []*task
}

// task is a task and when it is due.
type task struct {
	Task
	next time.Time
}

// NewKeeper returns a keeper, which does nothing before [Keeper.Start]. A
// process that comes and goes does not start it.
func NewKeeper(db *storage.DB, o Options) *Keeper {
	o.Clock = cmp.Or(o.Clock, db.Clock())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return &Keeper{work: work{db, o.Clock, o.Logger}, poke: make(chan struct{}, 1)}
}

// Register adds tasks, each due at once.
func (k *Keeper) Register(all ...Task) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range all {
		k.tasks = append(k.tasks, &task{Task: t})
	}
	k.wake()
}

// Blobs returns where the rows of all domains name their blobs.
func (k *Keeper) Blobs() (all []Orphans) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range k.tasks {
		if o, ok := t.Task.(Orphans); ok {
			all = append(all, o)
		}
	}
	return all
}

func (k *Keeper) wake() {
	lifecycle.Poke(k.poke)
}

// Sweep makes every [Sweep] due: a process has died.
func (k *Keeper) Sweep() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range k.tasks {
		if _, ok := t.Task.(Sweep); ok {
			t.next = time.Time{}
		}
	}
	k.wake()
}

// Start begins to work in the background, unless it does. The context bounds
// only how long it waits for an earlier Close.
func (k *Keeper) Start(ctx context.Context) error {
	_, err := k.runner.Start(ctx, k.run)
	return err
}

var errClosing = errors.New("retention: the keeper was closed")

// Close breaks off what is being done, and waits for that. It is idempotent.
func (k *Keeper) Close() error {
	now, cancel := context.WithCancel(context.Background())
	cancel() // whatever is broken off, the next process finds
	k.runner.Stop(now, errClosing)
	return nil
}

func (k *Keeper) run(run *lifecycle.Run) {
	timer := k.clock.NewTimer(longest)
	defer timer.Stop()
	run.Ready()
	for {
		timer.Reset(k.Do(run.Context()))
		select {
		case <-timer.C():
		case <-k.poke:
		case <-run.Stopping():
			return
		}
	}
}

// Do does everything that is due now and returns how long nothing is. It is what
// the keeper does in the background.
func (k *Keeper) Do(ctx context.Context) (rest time.Duration) {
	for {
		t, rest := k.due()
		if t == nil || ctx.Err() != nil {
			return rest
		}
		next := k.clock.Now().Add(t.do(ctx, k.work))
		k.mu.Lock()
		if !t.next.IsZero() { // else it became due again meanwhile
			t.next = next
		}
		k.mu.Unlock()
	}
}

// due returns a task whose time has come, or none and how long none is due.
func (k *Keeper) due() (*task, time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now, rest := k.clock.Now(), longest
	for _, t := range k.tasks {
		if !t.next.After(now) {
			t.next = now.Add(longest) // being done
			return t, 0
		}
		rest = min(rest, t.next.Sub(now))
	}
	return nil, rest
}
