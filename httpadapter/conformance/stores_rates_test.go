package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage/records"
)

// What programs do all the time has rates of its own (wire-v2, 4).
func TestRatesOfStores(t *testing.T) {
	t.Parallel()
	s := withStores(t, httpadapter.Options{
		Rates: httpadapter.Rates{PerSecond: 1, RecordsPerSecond: 2, BusyPerSecond: 3}, Clock: clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC)),
	}, records.Limits{})
	for _, c := range []struct {
		most                string
		method, path, other string // the other is in the same class, and of the same object
		count               int
	}{
		{"1", "GET", "datasets/~shop", "datasets/~shop/items", 1},
		{"3", "POST", "datasets/~shop/items", "datasets/~shop/items", 3},
		{"1", "GET", "key-value-stores/~shop/keys", "key-value-stores/~shop", 1},
		{"2", "GET", theRecord + "a", theRecord + "b", 2},
		{"1", "GET", "request-queues/~shop/head", "request-queues/~shop", 1},
		{"3", "POST", "request-queues/~shop/requests", "request-queues/~shop/requests/batch", 3},
		{"1", "GET", "request-queues", "request-queues", 1},
	} {
		for range c.count {
			if res, body := s.send(t, c.method, c.path, nil); res.StatusCode == 429 {
				t.Errorf("%s %s: %s", c.method, c.path, body)
			}
		}
		res, body := s.send(t, c.method, c.path, nil)
		if res.StatusCode != 429 || res.Header.Get("X-Ratelimit-Limit") != c.most || !strings.Contains(body, "rate-limit-exceeded") {
			t.Errorf("%s %s: %d %s, %v", c.method, c.path, res.StatusCode, body, res.Header)
		}
		if other, _ := s.send(t, c.method, c.other, nil); other.StatusCode != 429 {
			t.Errorf("%s %s: %d", c.method, c.other, other.StatusCode)
		}
	}
}
