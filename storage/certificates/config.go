package certificates

import (
	"cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [New]. DB, Callers and Keys are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Keys are the master keys.
	Keys *seal.Ring
	// Limits of certificates. Default: see there.
	Limits Limits
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
}

// Limits bound certificates. The zero value of every field stands for its
// default.
type Limits struct {
	// PerProject is how many uploaded files a project may have. Default 100.
	PerProject int
	// MaxFile is the largest file in bytes. Default 1 MiB.
	MaxFile int64
	// MaxCertificates is how many certificates a file may have. Default 500.
	MaxCertificates int
	// MaxUsed is how many certificates those that one session or fetch names may
	// have altogether, of each kind. Default 500.
	MaxUsed int
}

func (l Limits) withDefaults() Limits {
	l.PerProject = cmp.Or(l.PerProject, 100)
	l.MaxFile = cmp.Or(l.MaxFile, 1<<20)
	l.MaxCertificates = cmp.Or(l.MaxCertificates, 500)
	l.MaxUsed = cmp.Or(l.MaxUsed, 500)
	return l
}

func (c Config) withDefaults() Config {
	c.Limits = c.Limits.withDefaults()
	if c.Clock == nil {
		c.Clock = c.DB.Clock()
	}
	return c
}

func (c Config) validate() error {
	for field, missing := range map[string]bool{"DB": c.DB == nil, "Callers": c.Callers == nil, "Keys": c.Keys == nil} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return nil
}
