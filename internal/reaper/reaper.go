// Package reaper brings to an end what processes leave that die: it notices the
// death, and in the transaction that removes the process's instance tells each
// domain, which ends what the instance had.
//
// It runs nothing by itself. [Reaper.Reap] looks at all instances: the root calls
// it when it opens, and the job queue again and again while there are others.
// [Reaper.Check] is for who reads rows of other processes: it costs a test of a
// file lock for each of them.
package reaper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Func ends what a dead instance had, in one transaction for all domains. It may
// be called more than once for the same instance, also for one that nobody knows
// any more.
type Func func(ctx context.Context, tx *storage.Tx, dead string) error

// Options configure [New]. The zero value is useful.
type Options struct {
	// Transient is for a process that comes and goes. It brings rows to their end,
	// so that it shows none that is wrong, but leaves the instance to a process
	// that removes the files, too. Default false.
	Transient bool
	// Reaped is called after the removal of an instance: its files may be removed.
	// Default nothing.
	Reaped func()
	// Logger hears of each death. Default discards.
	Logger *slog.Logger
}

// Reaper tells domains of instances that died. A nil one tells nobody.
type Reaper struct {
	db   *storage.DB
	opts Options

	mu      sync.Mutex
	domains []domain
}

type domain struct {
	name string
	reap Func
}

// New returns a reaper for the database.
func New(db *storage.DB, o Options) *Reaper {
	if o.Reaped == nil {
		o.Reaped = func() {}
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return &Reaper{db: db, opts: o}
}

// Register has a domain told of each death from now on, in the order of the
// calls. The name stands in errors.
func (r *Reaper) Register(name string, reap Func) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.domains = append(r.domains, domain{name, reap})
}

// Reap reaps every known instance that has died. One that fails stays for the
// next call.
func (r *Reaper) Reap(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "reaper.Reap")
	if r == nil {
		return nil
	}
	all, err := r.db.Instances(ctx)
	if err != nil {
		return err
	}
	var dead []string
	for _, in := range all {
		if !in.Alive {
			dead = append(dead, in.ID)
		}
	}
	return r.reapAll(ctx, dead)
}

// Check reaps those of the instances that have died, whether or not they are
// known: who calls it has found rows of theirs that only a living one may have.
// Afterwards there are none.
func (r *Reaper) Check(ctx context.Context, instances ...string) (err error) {
	defer errtypes.Wrap(&err, "reaper.Check")
	if r == nil {
		return nil
	}
	r.mu.Lock() // else one that is just being reaped would seem to live
	var dead []string
	for _, id := range instances {
		if !r.db.Alive(id) {
			dead = append(dead, id)
		}
	}
	r.mu.Unlock()
	return r.reapAll(ctx, dead)
}

func (r *Reaper) reapAll(ctx context.Context, dead []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, id := range dead {
		errs = append(errs, r.reap(ctx, id))
	}
	return errors.Join(errs...)
}

func (r *Reaper) reap(ctx context.Context, id string) error {
	tell := func(ctx context.Context, tx *storage.Tx) error { return r.tell(ctx, tx, id) }
	if r.opts.Transient {
		return r.db.Write(ctx, tell)
	}
	done, err := r.db.Reap(ctx, id, tell)
	if done {
		r.opts.Logger.Warn("a process on the same data has died; what it had is ended", "instance", id)
		r.opts.Reaped()
	}
	return err
}

func (r *Reaper) tell(ctx context.Context, tx *storage.Tx, id string) error {
	for _, d := range r.domains {
		if err := d.reap(ctx, tx, id); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}
