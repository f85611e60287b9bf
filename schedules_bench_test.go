package drover_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

// openMany returns a Drover with so many schedules that are due at once, an hour from when
// it was opened on the clock it is given.
func openMany(b *testing.B, n int, o drover.Options, cron string) (*drover.Drover, []schedules.Schedule) {
	b.Helper()
	o.Data, o.Logger = b.TempDir(), slog.New(slog.DiscardHandler)
	o.Schedules.PerProject, o.ActorLimits.MaxUnfinished = n, 10*n
	d, err := drover.Open(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	all := make([]schedules.Schedule, n)
	for i := range all {
		all[i], err = d.Schedules.Create(b.Context(), schedules.Create{
			Name: fmt.Sprintf("many-%d", i), Settings: schedules.Settings{Cron: cron, Enabled: true}, Actions: []schedules.Action{{Type: schedules.RunActor, Target: "~lap"}},
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return d, all
}

// BenchmarkManySchedulesAtOnce has 10,000 schedules be due in the same second, on a database
// in a file: how late their slots are recorded and their runs READY, and how late these are
// RUNNING, which Go Actors say. Goal: READY at most 3 s late at p99, and none lost.
func BenchmarkManySchedulesAtOnce(b *testing.B) {
	const n = 10_000
	var mu sync.Mutex
	var running []time.Time
	over := make(chan struct{})
	lap := actors.Func("lap", func(context.Context, *actors.Run) error {
		mu.Lock()
		defer mu.Unlock()
		if running = append(running, time.Now()); len(running) == n {
			close(over)
		}
		return nil
	}, actors.FuncOptions{})
	for b.Loop() {
		running, over = nil, make(chan struct{})
		at := time.Now().Add(30 * time.Second).UTC().Truncate(time.Second)
		d, all := openMany(b, n, drover.Options{Actors: []actors.Definition{lap}, Workers: drover.WorkersAlways}, at.Format("5 4 15 2 1 *"))
		if time.Now().After(at) {
			b.Fatal("making the schedules took too long")
		}
		<-over
		var ready, begun []time.Duration
		for _, s := range all {
			l, err := d.Schedules.Slots(b.Context(), s.ID, schedules.Filter{})
			if err != nil || len(l.Items) != 1 || l.Items[0].Outcome != schedules.Started || !l.Items[0].At.Equal(at) {
				b.Fatalf("%+v %v", l, err)
			}
			ready = append(ready, l.Items[0].Late)
		}
		for _, t := range running {
			begun = append(begun, t.Sub(at))
		}
		report(b, ready, "ready")
		report(b, begun, "running")
		b.ReportMetric(0, "ns/op")
	}
}

func report(b *testing.B, all []time.Duration, what string) {
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2].Seconds()*1000, what+"-p50-ms")
	b.ReportMetric(all[len(all)*99/100].Seconds()*1000, what+"-p99-ms")
	b.ReportMetric(all[len(all)-1].Seconds()*1000, what+"-max-ms")
}
