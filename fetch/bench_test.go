package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/fetch"
)

// pageSize is the size of the median page of the web.
const pageSize = 136 << 10

// BenchmarkAgainstNetHTTP fetches the same page with Drover and with net/http,
// in turns of one run, and reports the ratio of the pages a second. Its goal:
// at least 0.9.
func BenchmarkAgainstNetHTTP(b *testing.B) {
	text := strings.Repeat("<p>The median page of the web has this many bytes.</p>\n", pageSize/55)
	url := serve(b, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		io.WriteString(w, text)
	})
	s := open(b, fetch.Config{})
	for _, concurrency := range []int{1, 16} {
		b.Run(fmt.Sprintf("Open/%d", concurrency), func(b *testing.B) {
			duel(b, concurrency, func(ctx context.Context) error { return openPooled(ctx, s, url) }, netHTTPPooled(url))
		})
		b.Run(fmt.Sprintf("Get/%d", concurrency), func(b *testing.B) {
			duel(b, concurrency, func(ctx context.Context) error { return getOwned(ctx, s, url) }, netHTTPOwned(url))
		})
	}
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func drain(r io.Reader, length int64) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if length > 0 {
		buf.Grow(int(length) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(r)
	return err
}

func openPooled(ctx context.Context, s fetch.Service, url string) error {
	stream, err := s.Open(ctx, url, fetch.Options{})
	if err != nil {
		return err
	}
	defer stream.Body.Close()
	return drain(stream.Body, pageSize)
}

func getOwned(ctx context.Context, s fetch.Service, url string) error {
	a, err := s.Get(ctx, url, fetch.Options{})
	if err == nil && len(a.Content) < pageSize/2 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// peer is net/http as a careful program uses it.
func peer(url string, read func(*http.Response) error) func(context.Context) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32, ReadBufferSize: 64 << 10}}
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		return read(resp)
	}
}

func netHTTPPooled(url string) func(context.Context) error {
	return peer(url, func(resp *http.Response) error { return drain(resp.Body, resp.ContentLength) })
}

var owned atomic.Pointer[string]

func netHTTPOwned(url string) func(context.Context) error {
	return peer(url, func(resp *http.Response) error {
		var text strings.Builder
		text.Grow(int(resp.ContentLength))
		_, err := io.Copy(&text, resp.Body)
		content := text.String()
		owned.Store(&content)
		return err
	})
}

// duel runs both sides in short turns, so that the machine's moods hit both.
func duel(b *testing.B, concurrency int, ours, theirs func(context.Context) error) {
	const turn = 200
	var times [2]time.Duration
	pages := 0
	for b.Loop() {
		for side, do := range []func(context.Context) error{ours, theirs} {
			start := time.Now()
			if err := together(b.Context(), concurrency, turn, do); err != nil {
				b.Fatal(err)
			}
			times[side] += time.Since(start)
		}
		pages += turn
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(pages)/times[0].Seconds(), "pages/s")
	b.ReportMetric(float64(pages)/times[1].Seconds(), "net/http-pages/s")
	b.ReportMetric(times[1].Seconds()/times[0].Seconds(), "ratio")
}

func together(ctx context.Context, concurrency, n int, do func(context.Context) error) error {
	var next atomic.Int32
	errs := make(chan error, concurrency)
	for range concurrency {
		go func() {
			for int(next.Add(1)) <= n {
				if err := do(ctx); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
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
