package secrets

import (
	"cmp"
	"context"
	"regexp"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [New]. DB, Callers, Keys and Function are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Keys are the master keys.
	Keys *seal.Ring
	// Function returns the id of a function of the caller's project, which is named by
	// its id or name. Error kind NotFound.
	Function func(ctx context.Context, function string) (id string, err error)
	// Limits of secrets. Default: see there.
	Limits Limits
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
}

// Limits bound secrets. The zero value of every field stands for its default.
type Limits struct {
	// PerProject is how many secrets a project may have. Default 100.
	PerProject int
	// MaxValue is the longest value in bytes. Default 64 KiB.
	MaxValue int
	// MaxTotal is how many bytes the values of a project may have together. Default
	// 1 MiB.
	MaxTotal int
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 100),
		limit.Or("MaxValue", &l.MaxValue, 64<<10),
		limit.Or("MaxTotal", &l.MaxTotal, 1<<20),
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
	return limit.Required(map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Keys": c.Keys == nil, "Function": c.Function == nil,
	})
}

// MaxName is the longest name in characters.
const MaxName = 128

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// checkName refuses what programs cannot be given as the name of a member: one of
// them is the prototype of an object.
func checkName(name string) error {
	if len(name) > MaxName || !nameForm.MatchString(name) || name == "__proto__" {
		return errtypes.Field("secretKey", `must be 1 to %d letters, digits and "_", "-" or "." of ASCII that begin with a letter or "_"`, MaxName)
	}
	return nil
}

// checkValue refuses what cannot be the value in a field.
func (s *service) checkValue(field, value string) error {
	if len(value) > s.conf.Limits.MaxValue || !utf8.ValidString(value) {
		return errtypes.Field(field, "must hold at most %d bytes of valid UTF-8", s.conf.Limits.MaxValue)
	}
	return nil
}
