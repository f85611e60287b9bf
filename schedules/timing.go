package schedules

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones, for machines that have none

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/schedules/internal/cron"
)

// timing says when a schedule is due.
type timing struct {
	expression cron.Expression
	zone       *time.Location
	// spread is how much later than its expression says: see [Limits.Spread].
	spread time.Duration
}

// timingOf reads the expression and the zone of a schedule.
func (l Limits) timingOf(id string, s Settings) (t timing, err error) {
	if t.expression, err = cron.Parse(s.Cron); err != nil {
		return t, errtypes.OfType(errtypes.TypeCronExpressionInvalid, "Cron expression is not valid: %v", err)
	}
	if t.zone, err = zoneOf(s.Timezone); err != nil {
		return t, err
	}
	if l.Spread {
		t.spread = spreadOf(id, t.expression.Shortcut)
	}
	return t, nil
}

// zoneForm is what names of zones look like, and notZones begin names of files that a machine
// may have beside those of the zones: its own zone, zones that count leap seconds, and copies.
var (
	zoneForm = regexp.MustCompile(`^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$`)
	notZones = []string{"Local", "local", "posix", "right/"}
)

// zoneOf finds a zone by its name. This machine has none that others do not know.
func zoneOf(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	isFile := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	if err != nil || !zoneForm.MatchString(name) || slices.ContainsFunc(notZones, isFile) {
		return nil, errtypes.Field("timezone", "is not an allowed value: %q is no IANA time zone, such as Europe/Prague", name).WithType(errtypes.TypeSchemaValidation)
	}
	return zone, nil
}

// next is the first slot after a time; false where there is none for decades.
func (t timing) next(after time.Time) (time.Time, bool) {
	at, ok := t.expression.Next(after.Add(-t.spread), t.zone)
	return at.Add(t.spread), ok
}

// count is how many slots there are after a time and up to another, and which are the first
// and the last.
func (t timing) count(after, until time.Time) (n int, first, last time.Time) {
	n, first, last = t.expression.Count(after.Add(-t.spread), until.Add(-t.spread), t.zone)
	return n, first.Add(t.spread), last.Add(t.spread)
}

// bounds are how much later a schedule with a shortcut may be due, and in which steps
// (wire-v2, 1).
var bounds = map[cron.Shortcut]struct{ least, most, step time.Duration }{
	cron.Hourly:  {time.Minute, 30 * time.Minute, 10 * time.Second},
	cron.Daily:   {5 * time.Minute, 6 * time.Hour, 30 * time.Second},
	cron.Weekly:  {5 * time.Minute, 12 * time.Hour, time.Minute},
	cron.Monthly: {5 * time.Minute, 24 * time.Hour, 10 * time.Minute},
	cron.Yearly:  {5 * time.Minute, 24 * time.Hour, 10 * time.Minute},
}

// spreadOf is the same for a schedule as long as it lives.
func spreadOf(id string, s cron.Shortcut) time.Duration {
	b, ok := bounds[s]
	if !ok {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	steps := uint64((b.most-b.least)/b.step) + 1
	return b.least + time.Duration(h.Sum64()%steps)*b.step
}
