package v1

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestHealthIsAskedAtMostOnceASecond(t *testing.T) {
	s, _ := open(t)
	var asked atomic.Int32
	s.Health = func(context.Context) error { asked.Add(1); return nil }
	h := New(s, options())
	start := time.Now()
	for range 100 {
		if w := ask(h, "GET", "/healthz", "", ""); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"status":"ok"}` {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if n, most := asked.Load(), 1+int32(time.Since(start)/healthTTL); n < 1 || n > most {
		t.Errorf("the database was asked %d times, want at most %d", n, most)
	}
}

func TestHealthDoesNotWaitForGood(t *testing.T) {
	s, _ := open(t)
	s.Health = func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	o := options()
	o.HealthTimeout = time.Millisecond
	if w := ask(New(s, o), "GET", "/healthz", "", ""); w.Code != 503 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestHealthRecovers(t *testing.T) {
	failing := errors.New("disk on fire")
	c := &healthCheck{check: func(context.Context) error { return failing }}
	if c.ask(time.Minute) == nil {
		t.Error("healthy")
	}
	failing = nil
	c.asked = c.asked.Add(-healthTTL) // a second later
	if err := c.ask(time.Minute); err != nil {
		t.Error(err)
	}
}
