package jobs

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
)

// Options configure [New]. The zero value is useful.
type Options struct {
	// LeaseTime is how long the counter of a lease may stand still before
	// another instance takes the job: for a process that hangs. One that dies
	// loses its leases at the next patrol. Several times Heartbeat and the
	// busy timeout of the database. Default 30 seconds.
	LeaseTime time.Duration
	// Heartbeat is how often an instance counts up its leases, in one write
	// for all of them, while it has any. Default a fifth of LeaseTime.
	Heartbeat time.Duration
	// Patrol is how often an instance looks for others that died, while there
	// are others. Default 1 second.
	Patrol time.Duration
	// Reaper ends what else than jobs an instance leaves that died: patrols call
	// it. When it fails, the instance is reaped at a later patrol. Default one
	// that knows of nothing else.
	Reaper *reaper.Reaper
	// Telemetry counts attempts and jobs. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock paces everything. Default the clock of the database.
	Clock clock.Clock
	// Logger hears of panics, lost leases, jobs that are given up and a
	// database that fails. Default discards.
	Logger *slog.Logger
}

func (o Options) withDefaults(db *storage.DB) Options {
	o.LeaseTime = cmp.Or(o.LeaseTime, 30*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, o.LeaseTime/5)
	o.Patrol = cmp.Or(o.Patrol, time.Second)
	if o.Reaper == nil {
		o.Reaper = reaper.New(db, reaper.Options{Logger: o.Logger})
	}
	o.Clock = cmp.Or(o.Clock, db.Clock())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}
