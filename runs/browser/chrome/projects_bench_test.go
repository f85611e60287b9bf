package chrome_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// BenchmarkFurtherProject opens the first session of one project after the other,
// once the process that has no owner is there.
func BenchmarkFurtherProject(b *testing.B) {
	p := chrometest.Provider(b, func(o *chrome.Options) { o.Spares, o.Timeouts.Idle = 2, 5*time.Second })
	for _, project := range []string{"first", "second"} {
		must(b, openWith(b, p, in(project)).Close())
	}
	var created []time.Duration
	n := 0
	for b.Loop() {
		chrome.WaitVacant(p)
		chrome.WaitFilled(p)
		n++
		start := time.Now()
		s, err := p.Open(context.Background(), in(fmt.Sprint(n)))
		must(b, err)
		created = append(created, time.Since(start))
		must(b, s.Close())
	}
	report(b, "create", created)
}

// BenchmarkProjectsInTurn opens a session of each of eight projects and loads a
// small page in it. It reports what each project's processes take then, as PSS,
// with two spares and without.
func BenchmarkProjectsInTurn(b *testing.B) {
	url := smallPage(b)
	for _, n := range []int{-1, 2} {
		b.Run(fmt.Sprintf("spares=%d", max(n, 0)), func(b *testing.B) {
			for b.Loop() {
				p := chrometest.Provider(b, func(o *chrome.Options) { o.Spares = n })
				var created []time.Duration
				for i := range 8 {
					start := time.Now()
					s, err := p.Open(context.Background(), in(fmt.Sprint(i)))
					must(b, err)
					created = append(created, time.Since(start))
					_, err = s.Navigate(context.Background(), url)
					must(b, err)
					chrome.WaitFilled(p)
					b.Logf("project %d: opened in %v, %d MB", i+1, created[i].Round(time.Millisecond), pss(b, chrome.SessionPIDs(s))>>20)
					b.ReportMetric(float64(pss(b, chrome.SessionPIDs(s))>>20), fmt.Sprintf("project-%d-MB", i+1))
				}
				report(b, "create", created)
				must(b, p.Close())
			}
		})
	}
}

// pss is the memory of processes in bytes, what several share divided among them.
func pss(b *testing.B, pids []int) (sum int64) {
	b.Helper()
	for _, pid := range pids {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(raw)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				must(b, err)
				sum += kb << 10
			}
		}
	}
	return sum
}
