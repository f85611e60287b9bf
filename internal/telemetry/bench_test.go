package telemetry_test

import (
	"testing"
	"time"

	"github.com/drover-go/drover/internal/telemetry"
)

// BenchmarkCount is what a domain pays to count something with two labels, and to
// count its time.
func BenchmarkCount(b *testing.B) {
	tel := telemetry.New(telemetry.Options{})
	c := tel.Counter("c_total", "C.", "kind", "outcome")
	h := tel.Histogram("h_seconds", "H.", nil, "kind")
	b.Run("counter", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Inc("raw", "ok")
		}
	})
	b.Run("histogram", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			h.Seconds(50*time.Millisecond, "raw")
		}
	})
}
