package sessions

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/sessions"
)

// spares is the warm pool of the run.
const spares = 4

// rest is the pause after each turn, so that neither clears up, or makes its
// spares, at the other's expense. BenchmarkBackToBack leaves none.
const rest = 500 * time.Millisecond

// BenchmarkSessions opens sessions one after the other, in turns with
// playwright-core: create, connect, load a page, release.
func BenchmarkSessions(b *testing.B) {
	path, _, err := chrome.Find()
	if err != nil {
		b.Skipf("SKIPPED, THIS BENCHMARK NEEDS CHROMIUM: %v", err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Small</title><p>page</p>`)
	}))
	b.Cleanup(site.Close)
	for _, mode := range []string{"context", "connect"} {
		b.Run("beside-playwright-"+mode, func(b *testing.B) {
			ours := newHost(b)
			ours.session(b, site.URL)
			theirs := startPeer(b, path, site.URL, mode)
			var we, they times
			for b.Loop() {
				we.add(ours.session(b, site.URL))
				<-time.After(rest)
				they.add(theirs.session(b))
				<-time.After(rest)
			}
			we.report(b, "drover")
			they.report(b, "playwright")
			b.ReportMetric(float64(percentile(they.whole, 50))/float64(percentile(we.whole, 50)), "playwright/drover")
		})
	}
}

// BenchmarkBackToBack is the same without a peer that would leave time to make
// spares: sessions a second, all included.
func BenchmarkBackToBack(b *testing.B) {
	if _, _, err := chrome.Find(); err != nil {
		b.Skipf("SKIPPED, THIS BENCHMARK NEEDS CHROMIUM: %v", err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Small</title><p>page</p>`)
	}))
	b.Cleanup(site.Close)
	ours := newHost(b)
	ours.session(b, site.URL)
	var we times
	start := time.Now()
	for b.Loop() {
		we.add(ours.session(b, site.URL))
	}
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "sessions/s")
	we.report(b, "drover")
}

// host is a Drover whose sessions may reach the benchmark's site.
type host struct{ *drover.Drover }

func newHost(b *testing.B) host {
	b.Helper()
	d, err := drover.Open(context.Background(), drover.Options{
		Data:          drover.InMemory,
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Chromium:      chrome.Options{Spares: spares},
		Logger:        slog.New(slog.DiscardHandler),
	})
	must(b, err)
	b.Cleanup(func() { must(b, d.Close()) })
	return host{d}
}

// session is one session, from its creation to its release.
func (h host) session(b *testing.B, url string) (create, whole time.Duration) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	start := time.Now()
	s, err := h.Sessions.Create(ctx, sessions.Create{})
	must(b, err)
	create = time.Since(start)
	c, err := connect(ctx, s.ConnectURL)
	must(b, err)
	must(b, c.load(ctx, url))
	_, err = h.Sessions.Release(ctx, s.ID)
	must(b, err)
	_, err = h.Sessions.Wait(ctx, s.ID)
	must(b, err)
	_ = c.conn.CloseNow()
	return create, time.Since(start)
}

type times struct{ create, whole []time.Duration }

func (t *times) add(create, whole time.Duration) {
	t.create, t.whole = append(t.create, create), append(t.whole, whole)
}

func (t *times) report(b *testing.B, who string) {
	for _, p := range []int{50, 95} {
		b.ReportMetric(inMilliseconds(percentile(t.create, p)), fmt.Sprintf("%s-create-p%d-ms", who, p))
		b.ReportMetric(inMilliseconds(percentile(t.whole, p)), fmt.Sprintf("%s-cycle-p%d-ms", who, p))
	}
}

func percentile(all []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}

func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
