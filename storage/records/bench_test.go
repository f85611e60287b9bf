package records

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/storage/storagetest"
)

// products are items of some 300 bytes.
func products(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `%s{"url":"https://shop.example/products/%d","name":"Product number %d","price":%d.99,"currency":"EUR","inStock":%t,"tags":["a","b"],"details":{"weight":%d,"text":"%s"}}`,
			map[bool]string{true: "[", false: ","}[i == 0], i, i, i, i%2 == 0, i, strings.Repeat("lorem ", 20))
	}
	return []byte(b.String() + "]")
}

func BenchmarkPush(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("%d items", n), func(b *testing.B) {
			w := open(b, Config{DB: storagetest.OpenFile(b)})
			id, items := w.make(b, Dataset, ""), products(n)
			b.SetBytes(int64(len(items)))
			for b.Loop() {
				done(b, w.Push(b.Context(), id, items))
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "items/s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	w := open(b, Config{DB: storagetest.OpenFile(b)})
	id, items := w.make(b, Dataset, ""), products(10_000)
	for range 4 {
		done(b, w.Push(b.Context(), id, items))
	}
	for _, format := range []Format{JSON, JSONL, CSV, XLSX, XML} {
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(4 * int64(len(items)))
			for b.Loop() {
				done(b, must(w.Items(b.Context(), id, ItemsQuery{}))(b).Write(b.Context(), io.Discard, Output{Format: format}))
			}
		})
	}
	b.Run("fields", func(b *testing.B) {
		b.SetBytes(4 * int64(len(items)))
		for b.Loop() {
			done(b, must(w.Items(b.Context(), id, ItemsQuery{Fields: []string{"name", "url"}}))(b).Write(b.Context(), io.Discard, Output{}))
		}
	})
}

// BenchmarkPageFarBehind reads 100 items in the middle of a dataset of 400,000.
func BenchmarkPageFarBehind(b *testing.B) {
	w := open(b, Config{DB: storagetest.OpenFile(b)})
	id, items := w.make(b, Dataset, ""), products(10_000)
	for range 40 {
		done(b, w.Push(b.Context(), id, items))
	}
	for b.Loop() {
		done(b, must(w.Items(b.Context(), id, ItemsQuery{Offset: 200_000, Limit: 100}))(b).Write(b.Context(), io.Discard, Output{}))
	}
}

// BenchmarkQueue has four consumers of a queue: each locks 25 requests, and writes
// down that each is handled.
func BenchmarkQueue(b *testing.B) {
	w := open(b, Config{DB: storagetest.OpenFile(b)})
	queue := w.make(b, RequestQueue, "")
	var urls []string
	for i := range b.N {
		urls = append(urls, fmt.Sprintf("https://shop.example/products/%d", i))
	}
	w.add(b, queue, false, urls...)
	b.ResetTimer()
	var operations atomic.Int64
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for c := (Client{Key: fmt.Sprint(i)}); ; {
				h := must(w.LockHead(b.Context(), queue, MaxBatch, time.Hour, c))(b)
				for _, r := range h.Requests {
					raw := fmt.Appendf(nil, `{"url":%q,"handledAt":"2026-01-31T12:00:00Z"}`, r.URL)
					must(w.UpdateRequest(b.Context(), queue, r.ID, raw, false, c))(b)
				}
				operations.Add(int64(1 + len(h.Requests)))
				if len(h.Requests) == 0 {
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(operations.Load())/b.Elapsed().Seconds(), "operations/s")
}

// BenchmarkAddRequests adds batches of 25.
func BenchmarkAddRequests(b *testing.B) {
	w := open(b, Config{DB: storagetest.OpenFile(b)})
	queue := w.make(b, RequestQueue, "")
	n := 0
	for b.Loop() {
		var urls []string
		for range MaxBatch {
			n++
			urls = append(urls, fmt.Sprintf("https://shop.example/products/%d", n))
		}
		w.add(b, queue, false, urls...)
	}
	b.ReportMetric(float64(MaxBatch*b.N)/b.Elapsed().Seconds(), "requests/s")
}
