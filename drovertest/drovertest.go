// Package drovertest helps the tests of programs that import Drover. [New] opens
// one in memory, on a [Clock] that the test puts forward, and [NewSite] serves a
// little shop to fetch from and to send agents to. Both are closed when the test
// ends:
//
//	site := drovertest.NewSite(t)
//	d := drovertest.New(t, drover.Options{Model: scripted.New(scripted.Call("done", report))})
//	h := newHandler(d.Drover, site.URL)
//	…
//	d.Clock.Advance(24 * time.Hour)
//
// Everything is real but the time. A browser is started only when a run, a
// session or a rendered fetch needs one: that takes Chromium on the machine.
// Package runs/model/scripted is a model for tests. docs/testing-hosts.md has
// whole programs.
package drovertest

import (
	"cmp"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover"
)

// Drover is one that is open until the test ends.
type Drover struct {
	*drover.Drover
	// Clock is the one that it goes by: that of the options, or nil if they have
	// one that is no *Clock.
	Clock *Clock
}

// New opens a Drover for a test, and ends the test if that fails. It is closed
// when the test and its subtests have ended; what cannot be closed is an error of
// the test. The zero value of the options is useful. Where they leave something
// out, New differs from [drover.Open]:
//
//   - Data is [drover.InMemory]. A test that closes and opens again names a
//     directory (t.TempDir).
//   - Clock is a new one that runs: see [NewClock].
//   - Logger writes warnings and errors to the log of the test.
//
// AllowPrefixes are those given and loopback, so that the test's own servers can
// be reached.
func New(t testing.TB, o drover.Options) *Drover {
	t.Helper()
	o = withDefaults(t, o)
	d, err := drover.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("drovertest.New: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("drovertest: %v", err)
		}
	})
	hands, _ := o.Clock.(*Clock)
	return &Drover{Drover: d, Clock: hands}
}

// loopback is where servers of tests are.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func withDefaults(t testing.TB, o drover.Options) drover.Options {
	o.Data = cmp.Or(o.Data, drover.InMemory)
	o.AllowPrefixes = slices.Concat(o.AllowPrefixes, loopback)
	if o.Clock == nil {
		o.Clock = NewClock(time.Now())
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	return o
}
