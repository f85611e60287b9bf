package chrome_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/browser/chrome/internal/protocolfuzz"
)

// BenchmarkSessionsBesideAHostileClient is the lives of 100 sessions, four at a
// time, beside a client that sends what was made up for it, and beside one that
// sends as many harmless commands a second. It reports the time of the first
// divided by that of the second.
func BenchmarkSessionsBesideAHostileClient(b *testing.B) {
	d, _ := described(b)
	site := tortureSite(b)
	p := chrometest.Provider(b, func(o *chrome.Options) { o.Logger = slog.New(slog.DiscardHandler); o.MaxSessions = 20 })
	hostileSteps := protocolfuzz.New(d, 1, passes)
	harmless := func() []protocolfuzz.Step {
		steps := make([]protocolfuzz.Step, perSession)
		for i := range steps {
			steps[i] = protocolfuzz.Step{Method: "Runtime.evaluate", Params: map[string]any{"expression": "document.body.innerText + 1"}}
		}
		return steps
	}
	lives(b, p, site, 8) // the browser starts
	var beside, quiet time.Duration
	for b.Loop() {
		quiet += besides(b, p, d, site, harmless, func() { lives(b, p, site, 100) })
		beside += besides(b, p, d, site, func() []protocolfuzz.Step { return hostileSteps.Take(perSession) }, func() { lives(b, p, site, 100) })
	}
	b.ReportMetric(beside.Seconds()/float64(b.N), "hostile-s/op")
	b.ReportMetric(quiet.Seconds()/float64(b.N), "harmless-s/op")
	b.ReportMetric(beside.Seconds()/quiet.Seconds(), "hostile/harmless")
}

// lives opens sessions, each of which visits a page and is closed.
func lives(b *testing.B, p *chrome.Provider, site string, n int) {
	var wg sync.WaitGroup
	work := make(chan int)
	for range 4 {
		wg.Go(func() {
			for range work {
				s, err := p.Open(context.Background(), browser.Options{})
				if err != nil {
					b.Error(err)
					continue
				}
				if _, err := s.Navigate(context.Background(), site+"/frame"); err != nil {
					b.Error(err)
				}
				s.Close()
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
}

// each is the time between two commands of the client beside.
const each = 15 * time.Millisecond

// besides measures f while a client sends steps.
func besides(b *testing.B, p *chrome.Provider, d *protocolfuzz.Description, site string, steps func() []protocolfuzz.Step, f func()) time.Duration {
	ctx, stop := context.WithCancel(b.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			sendAll(ctx, b, p, d, site, steps())
		}
	})
	took := timed(f)
	stop()
	wg.Wait()
	return took
}

func sendAll(ctx context.Context, b *testing.B, p *chrome.Provider, d *protocolfuzz.Description, site string, steps []protocolfuzz.Step) {
	s, err := p.Open(context.Background(), browser.Options{})
	if err != nil {
		b.Error(err)
		return
	}
	defer s.Close()
	if _, err := s.Navigate(context.Background(), site+"/"); err != nil {
		b.Error(err)
	}
	h := join(b, s, d.Pools(site+"/", site+"/frame"), theirs)
	defer h.leave()
	h.prepare(false)
	tick := time.NewTicker(each)
	defer tick.Stop()
	for _, step := range steps {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if !h.send(step) {
			return
		}
	}
}
