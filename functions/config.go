package functions

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// Sessions is what functions need of browser sessions.
type Sessions interface {
	// OpenFor opens a session of the project that is driven through what it returns,
	// whose Close ends it. Error kinds: those of sessions.Service.
	OpenFor(ctx context.Context, projectID string, c sessions.Create) (browser.Session, error)
	// Check returns an Invalid error for settings that cannot be honoured in the
	// caller's project.
	Check(ctx context.Context, s sessions.Settings) error
	// Get returns a session of the caller's project. Error kind NotFound.
	Get(ctx context.Context, id string) (sessions.Session, error)
}

// Projects is what functions need of projects.
type Projects interface {
	projects.Resolver
	// Get returns a project by its id or name. Error kind NotFound.
	Get(ctx context.Context, ref string) (projects.Project, error)
}

// Config configures [New]. All but Functions, Builds, Programs, Keys, Secrets, Webhooks, Limits, Retention, Keeper, Clock and
// Logger is required.
type Config struct {
	// DB holds functions, versions and invocations.
	DB *storage.DB
	// Projects find the project of a call, and those of Go functions.
	Projects Projects
	// Jobs execute the invocations. New registers its kinds; the host starts and
	// stops it.
	Jobs *jobs.Queue
	// Notify tells who waits.
	Notify *notify.Hub
	// Logs keep what functions log.
	Logs *joblog.Logs
	// Blobs hold large results and nothing else.
	Blobs blob.Store
	// Sessions opens one for each invocation that wants it.
	Sessions Sessions
	// Functions are the Go functions of the host. Default none.
	Functions []Definition
	// Builds make what is published, and record what is registered. Default nil:
	// nothing is recorded; required with Programs.
	Builds builds.Service
	// Programs run published functions. Default nil: nothing can be published.
	Programs *Programs
	// Keys are the master keys, which the passwords of proxies of published versions
	// are sealed under. Default nil: a program that has some is refused.
	Keys *seal.Ring
	// Secrets of functions. Default nil: none.
	Secrets Secrets
	// Webhooks are told what happens to invocations. Default nil: nobody is.
	Webhooks webhooks.Emitter
	// Limits of functions. Default: see there.
	Limits Limits
	// Retention is how long an invocation, its log and its result are kept after
	// its end. Default 30 days; below 0 for ever.
	Retention time.Duration
	// Keeper deletes invocations whose time is over. Default nil: nobody does.
	Keeper *retention.Keeper
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of invocations that fail. Default discards.
	Logger *slog.Logger
}

// Limits bound functions and invocations. The zero value of every field stands
// for its default.
type Limits struct {
	// MaxParams are the most bytes of the parameters of an invocation. Default
	// 64 KiB.
	MaxParams int
	// MaxSession are the most bytes of the session settings of an invocation.
	// Default 64 KiB.
	MaxSession int
	// MaxResult are the most bytes of a result; a larger one makes the invocation
	// FAILED. Default 6 MiB.
	MaxResult int
	// DefaultTimeout is how long an invocation may take of which nothing else is
	// said, MaxTimeout the most that can be asked for. Default 15 minutes each.
	DefaultTimeout, MaxTimeout time.Duration
	// PerProject is how many invocations of a project this process executes at the
	// same time, Go functions and programs together. Default no limit.
	PerProject int
	// HandlerGrace is how long the handler of a Go function may take to return once its
	// invocation is over, which ends without it then. Default 5 seconds.
	HandlerGrace time.Duration
	// MaxWait is how long an invocation may be PENDING; one that no process has taken
	// up by then is FAILED. Default 1 hour.
	MaxWait time.Duration
	// MaxVersions is how many versions of a function are kept: the newest, and besides
	// the current one and those that an invocation uses that has not ended. Older ones
	// are deleted, and with the last version that a build made its archive and its
	// files. Default 20.
	MaxVersions int
	// MaxLog are the most bytes of the log of an invocation that are kept.
	// Default 1 MiB.
	MaxLog int64
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("MaxParams", l.MaxParams), limit.Of("MaxSession", l.MaxSession), limit.Of("MaxResult", l.MaxResult),
		limit.Of("DefaultTimeout", l.DefaultTimeout), limit.Of("MaxTimeout", l.MaxTimeout), limit.Of("PerProject", l.PerProject),
		limit.Of("HandlerGrace", l.HandlerGrace), limit.Of("MaxWait", l.MaxWait), limit.Of("MaxVersions", l.MaxVersions), limit.Of("MaxLog", l.MaxLog),
	)
}

func (l Limits) withDefaults() Limits {
	l.MaxParams = cmp.Or(l.MaxParams, 64<<10)
	l.MaxSession = cmp.Or(l.MaxSession, 64<<10)
	l.MaxResult = cmp.Or(l.MaxResult, 6<<20)
	l.DefaultTimeout = cmp.Or(l.DefaultTimeout, 15*time.Minute)
	l.MaxTimeout = cmp.Or(l.MaxTimeout, 15*time.Minute)
	l.HandlerGrace = cmp.Or(l.HandlerGrace, 5*time.Second)
	l.MaxWait = cmp.Or(l.MaxWait, time.Hour)
	l.MaxVersions = cmp.Or(l.MaxVersions, 20)
	l.MaxLog = cmp.Or(l.MaxLog, 1<<20)
	return l
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
		"DB": c.DB == nil, "Projects": c.Projects == nil, "Jobs": c.Jobs == nil, "Notify": c.Notify == nil,
		"Logs": c.Logs == nil, "Blobs": c.Blobs == nil, "Sessions": c.Sessions == nil, "Builds": c.Programs != nil && c.Builds == nil,
	} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return limit.Within("Limits", c.Limits.Validate())
}
