package contexts

import (
	"cmp"
	"crypto/rsa"
	"log/slog"
	"os"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/contexts/internal/archive"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [New]. DB, Callers, Blobs, Keys and Reaper are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Blobs hold the archives. It must be for contexts alone: a blob that no
	// context names is deleted.
	Blobs blob.Store
	// Keys are the master keys.
	Keys *seal.Ring
	// Reaper tells of processes that died, whose contexts others may use.
	Reaper *reaper.Reaper
	// Keeper deletes such blobs, and profiles that lie in the clear for nobody.
	// Default nil: nobody does.
	Keeper *retention.Keeper
	// TempDir is where profiles lie in the clear while they are imported or
	// exported, in folders that only the host's user can read, where memory has
	// no room for them. Default the system's.
	TempDir string
	// Limits of contexts. Default: see there.
	Limits Limits
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears what is worth knowing. Default discards.
	Logger *slog.Logger

	// newPair makes the key pair of a context. Tests have a few that are used in
	// turn, since making one takes a while.
	newPair func() (*rsa.PrivateKey, error)
}

// Limits bound contexts. The zero value of every field stands for its default.
type Limits struct {
	// PerProject is how many contexts a project may have. Default 1000.
	PerProject int
	// MaxBytes is how much the files of a profile may come to, without its
	// caches. Default 1 GiB.
	MaxBytes int64
	// MaxFiles is how many files and folders a profile may have. Default
	// 100,000.
	MaxFiles int
	// MaxTotal is how many bytes the archives of all contexts of a project may
	// take, two of each context. Default 10 GiB; below 0 no limit.
	MaxTotal int64
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 1000),
		limit.Or("MaxBytes", &l.MaxBytes, 1<<30),
		limit.Or("MaxFiles", &l.MaxFiles, 100_000),
		limit.Or("MaxTotal", &l.MaxTotal, 10<<30).Signed(),
	}
}

// Validate refuses limits below 0, but for MaxTotal. Error kind: Invalid, which
// names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (l Limits) ofFolder() archive.Limits {
	return archive.Limits{MaxBytes: l.MaxBytes, MaxFiles: l.MaxFiles}
}

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.TempDir = cmp.Or(c.TempDir, os.TempDir())
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.newPair == nil {
		c.newPair = newPair
	}
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Blobs": c.Blobs == nil, "Keys": c.Keys == nil, "Reaper": c.Reaper == nil,
	})
}
