package drover

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/webhooks"
)

// Drover is an open browser cloud and job platform.
type Drover struct {
	Services

	opts      Options
	telemetry *telemetry.Telemetry
	gate      *egress.Gate
	proxies   *egress.Pool
	db        *storage.DB
	hub       *notify.Hub
	keeper    *retention.Keeper
	reaper    *reaper.Reaper
	queue     *jobs.Queue
	logs      *joblog.Logs
	keys      *seal.Ring
	browser   browser.Provider
	programs  *functions.Programs
	firing    *schedules.Scheduler
	hooks     *webhooks.Hooks
	stores    map[blob.Store]string // of all services: the folder of each
	backups   *lifecycle.Calls

	accepting context.Context // ends with StopAccepting
	stop      context.CancelFunc

	open      closers
	closeOnce sync.Once
	closeErr  error
}

// Open opens the data and returns its services. The context bounds the opening
// only. It starts no browser. Error kinds: Invalid for an option, Conflict for
// data that a newer version or another program made, Unavailable for data that
// cannot be reached.
func Open(ctx context.Context, o Options) (_ *Drover, err error) {
	defer errtypes.Wrap(&err, "drover.Open")
	d, err := newDrover(o)
	if err != nil {
		return nil, err
	}
	if err := d.take(ctx, d.steps()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// newDrover is one that has opened nothing.
func newDrover(o Options) (*Drover, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	d := &Drover{opts: o.withDefaults(), stores: map[blob.Store]string{}}
	d.accepting, d.stop = context.WithCancel(context.Background())
	return d, d.opts.resolve()
}

// Health returns an error while rows or files cannot be written (a full disk, a
// database that another process keeps locked), or after Close. It finds out by
// writing a little, so ask now and then. Error kind Unavailable, and those of
// the context.
func (d *Drover) Health(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "drover.Health")
	if err := d.db.TryWrite(ctx); err != nil {
		return err
	}
	for s := range d.stores {
		if err := s.TryWrite(ctx); err != nil {
			return err
		}
	}
	return nil
}

// StopAccepting breaks off what only waits, and would keep a listener that closes
// from its end: sessions that are being created, perhaps for want of a place, and
// what goes by [Drover.Accepting]. All that is under way goes on. Call it when the
// listener closes and before Shutdown, which does the same.
func (d *Drover) StopAccepting() {
	d.stop()
	d.Sessions.StopAccepting()
}

// Accepting returns a context that ends with StopAccepting or Shutdown, for
// adapters: what only waits for what others do, such as a stream of messages, is
// broken off then.
func (d *Drover) Accepting() context.Context { return d.accepting }

// Close lets what is under way go on for Options.CloseTime and closes
// everything. It is idempotent.
func (d *Drover) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), d.opts.CloseTime)
	defer cancel()
	return d.Shutdown(ctx)
}

// Shutdown is Close with a time of the caller's: until ctx ends, what is under
// way may go on. Then it is ended with an honest cause. Either way Shutdown
// waits until all is closed: fetches, runs, their browser, the database.
func (d *Drover) Shutdown(ctx context.Context) error {
	d.closeOnce.Do(func() {
		d.stop()
		d.closeErr = d.open.closeAll(ctx)
	})
	return d.closeErr
}
