package v2

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors/platform"
	"github.com/drover-go/drover/storage/projects"
)

// Rates are how many requests a project may send; a 429 says which is exceeded.
// Zero stands for the default, a negative number for no limit. The defaults are
// those of the hosted service (wire-v2, 4).
type Rates struct {
	// PerMinute is for all requests of a project together. Default 250,000.
	PerMinute int
	// PerSecond is for one object, such as one Actor. Default 60.
	PerSecond int
	// RecordsPerSecond is for the records of one key-value store. Default 200.
	RecordsPerSecond int
	// BusyPerSecond is for what programs do all the time: starts of runs of one
	// Actor or task, items of one dataset, requests of one queue. Default 400.
	BusyPerSecond int
}

// WithDefaults fills in what is not given.
func (r Rates) WithDefaults() Rates {
	for _, l := range []struct {
		value *int
		usual int
	}{{&r.PerMinute, 250_000}, {&r.PerSecond, 60}, {&r.RecordsPerSecond, 200}, {&r.BusyPerSecond, 400}} {
		if *l.value == 0 {
			*l.value = l.usual
		}
	}
	return r
}

// of is the rate that requests of a class are held to, besides that of the project.
func (r Rates) of(c platform.Class) int {
	return [...]int{platform.OneObject: r.PerSecond, platform.OfRecords: r.RecordsPerSecond, platform.Busy: r.BusyPerSecond}[c]
}

// rates count the requests of the last moments.
type rates struct {
	most  Rates
	clock clock.Clock

	mu       sync.Mutex
	limiters map[counted]*rate.Limiter
}

// counted is what has a rate of its own.
type counted struct {
	project, object string
	class           platform.Class
}

// maxCounted is how many of them are remembered before those are looked for that
// have not been asked for lately.
const maxCounted = 10_000

func newRates(r Rates, c clock.Clock) *rates {
	return &rates{most: r, clock: c, limiters: map[counted]*rate.Limiter{}}
}

// allow is RateLimited where a project sends too much. Who has no project has
// nothing but the document to ask for.
func (h *handler) allow(x *api.Exchange, r platform.Route) error {
	p, ok := projects.From(x.R.Context())
	if !ok {
		return nil
	}
	if most := h.rates.most.PerMinute; !h.rates.take(counted{project: p.ID}, rate.Limit(most)/60, most) {
		return tooOften(x.W.Header(), most, "a minute")
	}
	if most := h.rates.most.of(r.Rate); !h.rates.take(counted{p.ID, objectOf(x.R.URL.Path), r.Rate}, rate.Limit(most), most) {
		return tooOften(x.W.Header(), most, "a second for this object")
	}
	return nil
}

// objectOf is the part of a path that names an object: its kind and its id.
func objectOf(path string) string {
	const longest = 200
	parts := strings.SplitN(path, "/", 5) // "", v2, the kind, the id, what is asked of it
	object := strings.Join(parts[:min(len(parts), 4)], "/")
	return object[:min(len(object), longest)]
}

// take reports whether one more request fits in; most are let in at once.
func (r *rates) take(of counted, each rate.Limit, most int) bool {
	if most < 0 {
		return true
	}
	now := r.clock.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	l, ok := r.limiters[of]
	if !ok {
		if len(r.limiters) >= maxCounted {
			r.forget(now)
		}
		l = rate.NewLimiter(each, most)
		r.limiters[of] = l
	}
	return l.AllowN(now, 1)
}

// forget drops those that let as much in as a new one would.
func (r *rates) forget(now time.Time) {
	for of, l := range r.limiters {
		if l.TokensAt(now) >= float64(l.Burst()) {
			delete(r.limiters, of)
		}
	}
}

func tooOften(h http.Header, most int, per string) error {
	h.Set("X-RateLimit-Limit", strconv.Itoa(most))
	return errtypes.New(errtypes.RateLimited, "there may be %d requests %s", most, per).WithType(errtypes.TypeRateLimitExceeded)
}
