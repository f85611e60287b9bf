package builds

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// Config configures [New]. All but Webhooks, Limits, Retention, Keeper, Clock and Logger is required.
type Config struct {
	// DB holds the builds.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Jobs do the builds; the host starts and stops them.
	Jobs *jobs.Queue
	// Notify tells who waits.
	Notify *notify.Hub
	// Logs keep the logs of builds.
	Logs *joblog.Logs
	// Blobs hold sources and nothing else.
	Blobs blob.Store
	// Webhooks are told what happens to builds. Default nil: nobody is.
	Webhooks webhooks.Emitter
	// Limits of builds. Default: see there.
	Limits Limits
	// Retention is how long a build is kept, with its log, after its end where it came
	// to nothing, else after its release. Default 30 days; below 0 for ever.
	Retention time.Duration
	// Keeper deletes builds whose time is over, and sources that no build names.
	// Default nil: nobody does.
	Keeper *retention.Keeper
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of builds that fail. Default discards.
	Logger *slog.Logger
}

// Limits bound builds. The zero value of every field stands for its default.
type Limits struct {
	// MaxSource are the most bytes of what is published. Default 25 MiB.
	MaxSource int64
	// Concurrent is how many builds of a kind this process does at the same time.
	// Default 2.
	Concurrent int
	// MaxPending is how many builds of a kind may wait in a project, each of which has
	// its source stored. Default 50.
	MaxPending int
	// DefaultTimeout is how long a build may take from its creation, waiting and
	// starting again included. Default 180 seconds (DECISIONS 28).
	DefaultTimeout time.Duration
	// MaxTimeout is the longest that can be asked for. Default 1 hour.
	MaxTimeout time.Duration
	// MaxLog are the most bytes of a build's log that are kept: its beginning and
	// its end. Default 2 MiB.
	MaxLog int64
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("MaxSource", l.MaxSource), limit.Of("Concurrent", l.Concurrent), limit.Of("MaxPending", l.MaxPending), limit.Of("DefaultTimeout", l.DefaultTimeout),
		limit.Of("MaxTimeout", l.MaxTimeout), limit.Of("MaxLog", l.MaxLog),
	)
}

func (l Limits) withDefaults() Limits {
	l.MaxSource = cmp.Or(l.MaxSource, 25<<20)
	l.Concurrent = cmp.Or(l.Concurrent, 2)
	l.MaxPending = cmp.Or(l.MaxPending, 50)
	l.DefaultTimeout = cmp.Or(l.DefaultTimeout, 180*time.Second)
	l.MaxTimeout = cmp.Or(l.MaxTimeout, time.Hour)
	l.MaxLog = cmp.Or(l.MaxLog, 2<<20)
	return l
}

func (l Limits) logOptions() joblog.Options {
	return joblog.Options{MaxBytes: l.MaxLog, Head: l.MaxLog / 4}
}

func (c Config) withDefaults() Config {
	c.Limits = c.Limits.withDefaults()
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Clock == nil {
		c.Clock = c.DB.Clock()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	for field, missing := range map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Jobs": c.Jobs == nil, "Notify": c.Notify == nil, "Logs": c.Logs == nil, "Blobs": c.Blobs == nil,
	} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return limit.Within("Limits", c.Limits.Validate())
}
