package schedules

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Callers is what schedules need of projects.
type Callers interface {
	projects.Resolver
	// Get returns a project by its id or name. Error kind NotFound.
	Get(ctx context.Context, ref string) (projects.Project, error)
}

// Config configures [New]. DB, Callers and Launchers are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers Callers
	// Launchers start what actions name. A type that has none cannot be scheduled.
	Launchers map[ActionType]Launcher
	// Hold keeps workers from taking jobs while many schedules are due at once, until
	// release is called, so that slots are recorded in time. Default nothing.
	Hold func() (release func())
	// Problem is called, in the process that fires, when a slot fails to start, and when
	// an action has been skipped [Limits.Skips] times in a row because the run before went
	// on. It must return soon, and may be called by several goroutines. Default none.
	Problem func(ctx context.Context, p Problem)
	// Retention is how long a slot is in the ledger. Default 30 days; below 0 for ever.
	Retention time.Duration
	// Keeper deletes slots whose time is over. Default nil: nobody does.
	Keeper *retention.Keeper
	// Limits of schedules. Default: see there.
	Limits Limits
	// Telemetry counts slots. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of slots that fail, and of those that are skipped again and again.
	// Default discards.
	Logger *slog.Logger
}

// Limits bound schedules. The zero value of every field stands for its default.
type Limits struct {
	// PerProject is how many schedules a project may have. Default 100.
	PerProject int
	// PerType is how many actions of each type a schedule may have. Default 10.
	PerType int
	// MaxInput are the most bytes of the input of an action. Default 1 MiB.
	MaxInput int
	// Skips is how often in a row an action is skipped before somebody is told. Default 3.
	Skips int
	// Grace is how late a slot may be that is started where nothing is caught up. Default
	// one minute.
	Grace time.Duration
	// Look is how long at most the clock is not looked at, and so how late it is noticed
	// that it was changed, or that another process has made a schedule. Default one
	// second.
	Look time.Duration
	// Batch is how many schedules are decided in one transaction. Default 200.
	Batch int
	// Spread has schedules with the shortcuts @hourly, @daily, @weekly, @monthly and
	// @yearly be due some time later than these say, each by a time of its own: 1 to 30
	// minutes where it is hourly, up to a day where it is yearly. Default false.
	Spread bool
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 100),
		limit.Or("PerType", &l.PerType, 10),
		limit.Or("MaxInput", &l.MaxInput, 1<<20),
		limit.Or("Skips", &l.Skips, 3),
		limit.Or("Grace", &l.Grace, time.Minute),
		limit.Or("Look", &l.Look, time.Second),
		limit.Or("Batch", &l.Batch, 200),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	if c.Hold == nil {
		c.Hold = func() func() { return func() {} }
	}
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Callers": c.Callers == nil, "Launchers": c.Launchers == nil})
}

// now is what a row can hold of the time on the clock of the machine, without what is
// monotonic of it: clocks that are changed are to be noticed.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }
