package certificates

import (
	"cmp"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
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

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 100),
		limit.Or("MaxFile", &l.MaxFile, 1<<20),
		limit.Or("MaxCertificates", &l.MaxCertificates, 500),
		limit.Or("MaxUsed", &l.MaxUsed, 500),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Callers": c.Callers == nil, "Keys": c.Keys == nil})
}
