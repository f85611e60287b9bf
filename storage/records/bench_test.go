package records

import (
	"fmt"
	"io"
	"strings"
	"testing"

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
