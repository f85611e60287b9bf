package chrome_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// BenchmarkClickSettled is a click on a page that does not move, from the call
// until it has settled. It prints the median.
func BenchmarkClickSettled(b *testing.B) {
	srv := pages(b, map[string]string{
		"/still":  `<title>Still</title><button>X</button>`,
		"/change": `<title>Change</title><button onclick="this.dataset.n = 1 + Number(this.dataset.n || 0); document.querySelector('p').textContent = this.dataset.n">X</button><p>0</p>`,
		"/timer":  `<title>Timer</title><button onclick="setTimeout(() => {}, 10)">X</button>`,
	})
	p := chrometest.Provider(b)
	for _, page := range []string{"still", "change", "timer"} {
		b.Run(page, func(b *testing.B) {
			s := chrometest.Session(b, p)
			navigate(b, s, srv.URL+"/"+page)
			x := ref(b, s, "X")
			var took []time.Duration
			for b.Loop() {
				took = append(took, timed(func() {
					_, err := s.Click(context.Background(), x)
					must(b, err)
				}))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*9/10].Microseconds())/1000, "p90-ms")
		})
	}
}
