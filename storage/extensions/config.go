package extensions

import (
	"cmp"
	"log/slog"

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
	// Blobs hold the archives. It must be for extensions alone: a blob that no
	// extension names is deleted.
	Blobs blob.Store
	// Keeper deletes such blobs. Default nil: nobody does.
	Keeper *retention.Keeper
	// Debugger lets extensions ask for the permission "debugger", with which they
	// speak the browser's protocol to the pages of their session past the rules
	// for clients: see docs/security.md. Without it they are refused when they are
	// uploaded, and those that were uploaded before when a session names them.
	// Default false.
	Debugger bool
	// Limits of extensions. Default: see there.
	Limits Limits
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears what is worth knowing. Default discards.
	Logger *slog.Logger
}

// Limits bound what is stored. The zero value of every field stands for its
// default.
type Limits struct {
	// MaxFile is the largest archive in bytes. Default 100 MiB.
	MaxFile int64
	// MaxUnpacked is how many bytes the files of an archive may have together.
	// Default 256 MiB.
	MaxUnpacked int64
	// MaxRatio is how many times the size of an archive its files may have
	// together, beyond 8 MiB. Default 100.
	MaxRatio int64
	// MaxFiles is how many files and directories an archive may have, those
	// included that are there only because a file is in them. Default 10,000.
	MaxFiles int
	// MaxPath is how many bytes the path of a file may have. Default 500.
	MaxPath int
	// MaxDepth is how many directories a file may lie in, one in the other.
	// Default 32.
	MaxDepth int
	// PerProject is how many extensions a project may keep. Default 100.
	PerProject int64
	// MaxBytes is how many bytes the archives of a project may come to. Default
	// 1 GiB.
	MaxBytes int64
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("MaxFile", &l.MaxFile, 100<<20),
		limit.Or("MaxUnpacked", &l.MaxUnpacked, 256<<20),
		limit.Or("MaxRatio", &l.MaxRatio, 100),
		limit.Or("MaxFiles", &l.MaxFiles, 10_000),
		limit.Or("MaxPath", &l.MaxPath, 500),
		limit.Or("MaxDepth", &l.MaxDepth, 32),
		limit.Or("PerProject", &l.PerProject, 100),
		limit.Or("MaxBytes", &l.MaxBytes, 1<<30),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Callers": c.Callers == nil, "Blobs": c.Blobs == nil})
}
