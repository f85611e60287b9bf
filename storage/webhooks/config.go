package webhooks

import (
	"cmp"
	"context"
	"log/slog"
	"reflect"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [New]. DB, Callers, Jobs, Notify, Blobs, Keys and Gate are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Jobs delivers.
	Jobs *jobs.Queue
	// Notify tells those who wait for a dispatch.
	Notify *notify.Hub
	// Blobs keep large bodies.
	Blobs blob.Store
	// Keys are the master keys.
	Keys *seal.Ring
	// Gate is what receivers are reached through.
	Gate *egress.Gate
	// Render says how rows of events are shown, by the Go type of [Event].Row.
	Render map[reflect.Type]Render
	// Resolve checks that what a condition names is the caller's, and returns it with ids in
	// the place of names. Error kind NotFound. Default: all is taken as it is.
	Resolve func(ctx context.Context, c Condition) (Condition, error)
	// Ended returns the event with which a run of a project has ended; false where it goes
	// on. A webhook of one run that is made after its end is told of that at once. Default
	// nil: it is not.
	Ended func(ctx context.Context, q storage.Querier, projectID, run string) (Event, bool, error)
	// Retention is how long a dispatch is kept after its end. Default 30 days; below 0
	// for ever.
	Retention time.Duration
	// Keeper deletes what has been kept for long enough. Default nil: nobody does.
	Keeper *retention.Keeper
	// Limits of webhooks. Default: see there.
	Limits Limits
	// Telemetry counts deliveries. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of dispatches that fail. Default discards.
	Logger *slog.Logger
}

// Limits bound webhooks and what is sent. The zero value of every field stands for its
// default.
type Limits struct {
	// PerProject is how many webhooks a project may have, but for ad hoc ones. Default
	// 100.
	PerProject int
	// PerRun is how many ad hoc webhooks a run may have. Default 100.
	PerRun int
	// MaxTemplate are the most bytes of each template. Default 64 KiB.
	MaxTemplate int
	// MaxPayload are the most bytes that a template makes, with what its variables bring
	// in. A dispatch with more has failed at once. Default 16 MiB.
	MaxPayload int
	// MaxActive is how many dispatches of a project may be under way, and to each host
	// three times as many as are left of these. What is more has failed at once.
	// Default 100,000.
	MaxActive int
	// MaxConcurrent is how many requests a process sends at the same time, three quarters of
	// them for one project. Of these, and of those of a project, at most a quarter goes to
	// hosts that have failed last, and three quarters to those and to hosts that have not
	// answered yet. Default 256.
	MaxConcurrent int
	// PerHost is how many requests a process sends to a host at the same time for a
	// project: one while nothing has come from it, or not the last time. Default 4.
	PerHost int
	// StandardTime and PlatformTime bound a request, from connecting to the end of the
	// answer, by its protocol. Defaults 15 seconds and 2 minutes.
	StandardTime, PlatformTime time.Duration
	// MaxResponse are the bytes that are kept of an answer; at most 64 KiB count. Default 4 KiB.
	MaxResponse int
	// MaxAttempts are the attempts of a dispatch after which nobody can have it sent again:
	// each is kept. Default 100.
	MaxAttempts int
	// AllowHTTP lets webhooks of [Standard] go to http: URLs. Default false.
	AllowHTTP bool
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 100),
		limit.Or("PerRun", &l.PerRun, 100),
		limit.Or("MaxTemplate", &l.MaxTemplate, 64<<10),
		limit.Or("MaxPayload", &l.MaxPayload, 16<<20),
		limit.Or("MaxActive", &l.MaxActive, 100_000),
		limit.Or("MaxConcurrent", &l.MaxConcurrent, 256),
		limit.Or("PerHost", &l.PerHost, 4),
		limit.Or("StandardTime", &l.StandardTime, 15*time.Second),
		limit.Or("PlatformTime", &l.PlatformTime, 2*time.Minute),
		limit.Or("MaxResponse", &l.MaxResponse, 4<<10),
		limit.Or("MaxAttempts", &l.MaxAttempts, 100),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Limits.MaxResponse = min(c.Limits.MaxResponse, blob.MaxInline)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Jobs": c.Jobs == nil, "Notify": c.Notify == nil, "Blobs": c.Blobs == nil, "Keys": c.Keys == nil, "Gate": c.Gate == nil,
	})
}
