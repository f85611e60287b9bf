package process

import (
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
)

// Options are what browsers are started with; see chrome.Options for what each
// means. Those from Kind on are of one browser.
type Options struct {
	RemoteURL string
	Admission *admission.Ledger
	Children  *child.Manager
	Spares    int
	Logger    *slog.Logger
	Clock     clock.Clock
	Windowed  bool
	Timeouts  Timeouts
	Metrics   *Metrics
	// Pixels of large pictures that a browser makes at a time.
	Pixels int
	// Proxy makes a proxy for the question what a browser elsewhere reaches.
	Proxy func(failed func(target string, reason error)) (Proxy, error)

	Kind Kind
	// Profile is the user-data directory. Default one in the browser's own directory.
	Profile string
	// Extensions lets extensions be loaded over the connection, and Preferences are
	// set in the profile before the start.
	Extensions  bool
	Preferences map[string]map[string]any
	// ProfileBytes is what the browser may write before it is ended; below 0 as much
	// as there is room, which is looked at then, too. 0 does not look.
	ProfileBytes int64
	// Away is the address of what refuses everything, for a browser whose proxy is
	// that of a session.
	Away string

	// Unguarded, Unwatched and Unmeasured leave out the guards, the watch over the
	// network service and the measuring of memory, for the tests that show what is
	// without.
	Unguarded, Unwatched, Unmeasured bool
}

// Timeouts bound what a browser is waited for.
type Timeouts struct{ Queue, Start, Idle, Close, Hung time.Duration }

// A Proxy is one that a browser is asked through.
type Proxy interface {
	Addr() string
	Use(egress.Policy)
	Close() error
}
