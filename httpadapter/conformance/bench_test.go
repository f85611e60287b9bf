package conformance

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/fetch"
)

// pageSize is the median of pages of the web.
const pageSize = 136_000

// BenchmarkFetchThroughAdapter fetches the same page over HTTP and with the
// library, in turns of one run, and reports the ratio of the pages a second.
// The page's server, the adapter and its client share the machine.
func BenchmarkFetchThroughAdapter(b *testing.B) {
	w := withSite(b, config{realTime: true})
	line := `<p class="text">The median <a href="/page">page</a> of the web has this many bytes.</p>` + "\n"
	w.site.HandleFunc("/median", page("text/html; charset=utf-8", strings.Repeat(line, pageSize/len(line))))
	url := w.words["<site>"] + "/median"
	ctx := w.asDefault(b)
	library := func() error {
		_, err := w.Fetch.Get(ctx, url, fetch.Options{})
		return err
	}
	adapter := client(b, "http://"+serve(b, w.handler)+"/v1/fetch", w.words["<key>"], `{"url":"`+url+`"}`)
	for _, concurrency := range []int{1, 16} {
		b.Run(fmt.Sprint(concurrency), func(b *testing.B) { duel(b, concurrency, adapter, library) })
	}
}

// client posts and reads the answer to its end.
func client(b *testing.B, url, key, body string) func() error {
	transport := &http.Transport{MaxIdleConnsPerHost: 32, ReadBufferSize: 64 << 10}
	b.Cleanup(transport.CloseIdleConnections)
	c := &http.Client{Transport: transport}
	return func() error {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-SVC-API-Key", key)
		res, err := c.Do(r)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		n, err := io.Copy(io.Discard, res.Body)
		if err == nil && (res.StatusCode != http.StatusOK || n < pageSize) {
			err = fmt.Errorf("%s with %d bytes", res.Status, n)
		}
		return err
	}
}

// duel runs both sides in short turns, so that the machine's moods hit both.
func duel(b *testing.B, concurrency int, adapter, library func() error) {
	const turn = 100
	var times [2]time.Duration
	pages := 0
	for b.Loop() {
		for side, do := range []func() error{adapter, library} {
			start := time.Now()
			if err := together(concurrency, turn, do); err != nil {
				b.Fatal(err)
			}
			times[side] += time.Since(start)
		}
		pages += turn
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(pages)/times[0].Seconds(), "pages/s")
	b.ReportMetric(float64(pages)/times[1].Seconds(), "library-pages/s")
	b.ReportMetric(times[1].Seconds()/times[0].Seconds(), "ratio")
}

// together does n things, so many at a time.
func together(concurrency, n int, do func() error) error {
	var next atomic.Int32
	errs := make(chan error, concurrency)
	for range concurrency {
		go func() {
			var err error
			for err == nil && int(next.Add(1)) <= n {
				err = do()
			}
			errs <- err
		}()
	}
	var first error
	for range concurrency {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}
