package downloads

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [Open]. DB, Callers and Blobs are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Blobs hold the bytes. It must be for downloads alone: a blob that no
	// download names is deleted.
	Blobs blob.Store
	// Keeper deletes downloads whose time is over, and blobs that belong to none.
	// Default nil: nobody does.
	Keeper *retention.Keeper
	// Limits of downloads. Default: see there.
	Limits Limits
	// Retention is how long a download is kept. Default 30 days; below 0 for
	// ever.
	Retention time.Duration
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears what is worth knowing. Default discards.
	Logger *slog.Logger
}

// Limits bound what is stored. The zero value of every field stands for its
// default.
type Limits struct {
	// MaxFile is the largest file in bytes. Default 256 MiB.
	MaxFile int64
	// MaxBytes is how many bytes the downloads of a project may come to.
	// Default 1 GiB.
	MaxBytes int64
	// MaxFiles is how many downloads a project may keep. Default 10,000.
	MaxFiles int64
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("MaxFile", &l.MaxFile, 256<<20),
		limit.Or("MaxBytes", &l.MaxBytes, 1<<30),
		limit.Or("MaxFiles", &l.MaxFiles, 10_000),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Callers": c.Callers == nil, "Blobs": c.Blobs == nil})
}
