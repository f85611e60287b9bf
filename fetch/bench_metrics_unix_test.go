//go:build unix

package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/telemetry"
)

// BenchmarkWithMetrics fetches the same page while what is done is counted and
// while it is not, in turns of one run, and reports the ratio of the pages a
// second, and that of the processor's time a page, medians of all pairs. The goal of
// both: at least 0.98.
func BenchmarkWithMetrics(b *testing.B) {
	text := strings.Repeat("<p>The median page of the web has this many bytes.</p>\n", pageSize/55)
	url := serve(b, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		io.WriteString(w, text)
	})
	counted := open(b, fetch.Config{Telemetry: telemetry.New(telemetry.Options{})})
	plain := open(b, fetch.Config{})
	for _, concurrency := range []int{1, 16} {
		b.Run(fmt.Sprintf("Get/%d", concurrency), func(b *testing.B) {
			one := func(s fetch.Service) func(context.Context) error {
				return func(ctx context.Context) error { return getOwned(ctx, s, url) }
			}
			pairs(b, concurrency, one(counted), one(plain))
		})
	}
}

// pairs runs both sides in turns so short that a difference of some thousandths
// shows: the ratios are medians of those of all pairs, since the mood of the
// machine changes between one and the next. Who is first in a pair changes. The
// processor's time, in which the server of the page has its part, is not the
// others' on a busy machine.
func pairs(b *testing.B, concurrency int, with, without func(context.Context) error) {
	const turn = 32
	var rates, ratios, cpus []float64
	sides := [2]func(context.Context) error{with, without}
	for n := 0; b.Loop(); n++ {
		var times, cpu [2]time.Duration
		for i := range sides {
			side := (i + n) % 2
			start, used := time.Now(), cpuTime(b)
			if err := together(b.Context(), concurrency, turn, sides[side]); err != nil {
				b.Fatal(err)
			}
			times[side], cpu[side] = time.Since(start), cpuTime(b)-used
		}
		rates = append(rates, turn/times[0].Seconds())
		ratios = append(ratios, times[1].Seconds()/times[0].Seconds())
		cpus = append(cpus, cpu[1].Seconds()/cpu[0].Seconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(rates), "pages/s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(cpus), "cpu-ratio")
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// cpuTime is what the process has used of processors.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
