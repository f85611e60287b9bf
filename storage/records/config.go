package records

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

// Config configures [Open]. DB, Projects and Blobs are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Projects find the project of a call, and that of a signed one.
	Projects projects.Service
	// Blobs hold what is too large for rows. It must be for records alone: a blob
	// that no row names is deleted.
	Blobs blob.Store
	// Keeper deletes stores whose time is over, what is left of deleted ones, and
	// blobs that belong to none. Default nil: nobody does.
	Keeper *retention.Keeper
	// Limits of stores. Default: see there.
	Limits Limits
	// Retention is how long a store without a name is kept after it was last
	// used. Default 7 days; below 0 for ever. Named ones are kept for ever.
	Retention time.Duration
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears what is worth knowing. Default discards.
	Logger *slog.Logger
}

// Limits bound what is stored. The zero value of every field stands for its
// default.
type Limits struct {
	// MaxRecord is the largest record of a key-value store, in bytes, as it is
	// sent and decoded. Default 100 MiB.
	MaxRecord int64
	// MaxPush is how many bytes of items one push may have. Default 9,437,184.
	MaxPush int64
	// MaxRequest is the largest request of a queue, in bytes. Default 9,437,184.
	MaxRequest int64
	// MaxSchema is the largest schema of a store, in bytes. Default 512 KiB.
	MaxSchema int64
	// MaxLock is the longest lock of a request. Default 24 hours.
	MaxLock time.Duration
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("MaxRecord", &l.MaxRecord, 100<<20),
		limit.Or("MaxPush", &l.MaxPush, 9<<20),
		limit.Or("MaxRequest", &l.MaxRequest, 9<<20),
		limit.Or("MaxSchema", &l.MaxSchema, 512<<10),
		limit.Or("MaxLock", &l.MaxLock, 24*time.Hour),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Retention = cmp.Or(c.Retention, 7*24*time.Hour)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Projects": c.Projects == nil, "Blobs": c.Blobs == nil})
}
