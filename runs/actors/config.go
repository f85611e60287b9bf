package actors

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [New]. DB, Callers, Keys and Blobs are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Keys are the master keys, which secret environment variables are sealed under.
	Keys *seal.Ring
	// Blobs hold large sources and inputs and nothing else.
	Blobs blob.Store
	// Keeper deletes blobs that no row names. Default nil: nobody does.
	Keeper *retention.Keeper
	// Builds make builds, and Workshop their programs. Default nil: nothing is built.
	Builds   builds.Service
	Workshop builds.Workshop
	// Gate is what archives of sources are fetched over. Default nil: none are.
	Gate *egress.Gate
	// Archives are the records that archives of sources lie in. Default nil: they are
	// fetched as any others.
	Archives Archives
	// Limits of Actors. Default: see there.
	Limits Limits
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of blobs that cannot be deleted. Default discards.
	Logger *slog.Logger
}

// Limits bound Actors. The zero value of every field stands for its default.
type Limits struct {
	// PerProject is how many Actors a project may have. Default 500.
	PerProject int
	// Tasks is how many tasks a project may have. Default 5,000.
	Tasks int
	// Versions is how many versions an Actor may have. Default 50.
	Versions int
	// MaxSource are the most bytes of the files of a version together, with their
	// names. Default 8 MiB.
	MaxSource int
	// MaxInput are the most bytes of the input of a task. Default 9,437,184.
	MaxInput int
	// BuildTimeout is how long a build may take from its creation, waiting included; at
	// most what [builds.Limits] has as MaxTimeout. Default 30 minutes.
	BuildTimeout time.Duration
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 500),
		limit.Or("Tasks", &l.Tasks, 5000),
		limit.Or("Versions", &l.Versions, 50),
		limit.Or("MaxSource", &l.MaxSource, 8<<20),
		limit.Or("MaxInput", &l.MaxInput, 9_437_184),
		limit.Or("BuildTimeout", &l.BuildTimeout, 30*time.Minute),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Callers": c.Callers == nil, "Keys": c.Keys == nil, "Blobs": c.Blobs == nil})
}

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }
