package webhooks

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/internal/telemetry/telemetrytest"
)

// What is too much is not lost in silence.
func TestWhatIsNotSentIsCounted(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	w := opened(t, setup{tel: tel, idle: true, limits: Limits{MaxActive: 1}})
	w.platform(t, "https://receiver.example/")
	w.happen(t, ended("a", 1), ended("b", 1), ended("c", 1))
	telemetrytest.Of(t, tel).Want(t, telemetrytest.Values{`drover_webhook_dispatches_total{protocol="platform",status="FAILED"}`: 2})
}

func TestDeliveriesAreCounted(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	w := opened(t, setup{tel: tel})
	good, bad := receive(t, nil), receive(t, status(http.StatusGone))
	w.standard(t, good.URL)
	w.platform(t, bad.URL, func(s *Settings) { s.DoNotRetry = true })
	w.happen(t, done("a", 1), done("b", 1), ended("run", 1))
	for _, m := range []message{<-good.got, <-good.got, <-bad.got} {
		w.over(t, m.id())
	}
	w.stop() // what is counted after a commit has been
	telemetrytest.Of(t, tel).Want(t, telemetrytest.Values{
		`drover_webhook_attempts_total{outcome="succeeded",protocol="standard"}`:  2,
		`drover_webhook_attempts_total{outcome="refused",protocol="platform"}`:    1,
		`drover_webhook_dispatches_total{protocol="standard",status="SUCCEEDED"}`: 2,
		`drover_webhook_dispatches_total{protocol="platform",status="FAILED"}`:    1,
		`drover_webhook_attempt_seconds_count{protocol="standard"}`:               2,
	})
}

// spans is a tracer that keeps the names of spans with how they ended.
type spans struct {
	mu  sync.Mutex
	all []string
}

type oneSpan struct {
	of       *spans
	name, id string
}

func (s *spans) Start(ctx context.Context, name, kind string) (context.Context, telemetry.TracerSpan) {
	return ctx, &oneSpan{of: s, name: kind + " " + name}
}
func (s *spans) Continue(ctx context.Context, _, _ string) context.Context { return ctx }
func (s *spans) Parent(context.Context) (traceparent, tracestate string)   { return "", "" }

func (s *oneSpan) SetString(_, value string) { s.id = value }
func (s *oneSpan) SetInt(string, int64)      {}
func (s *oneSpan) SetName(name string)       { s.name = name }
func (s *oneSpan) End(failure string) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.all = append(s.of.all, s.name+" "+s.id+" "+failure)
}

func TestDeliveriesHaveSpans(t *testing.T) {
	t.Parallel()
	tracer := &spans{}
	w := opened(t, setup{tel: telemetry.New(telemetry.Options{Tracer: tracer})})
	good, bad := receive(t, nil), receive(t, status(http.StatusGone))
	w.standard(t, good.URL)
	w.platform(t, bad.URL, func(s *Settings) { s.DoNotRetry = true })
	w.happen(t, done("a", 1), ended("run", 1))
	ids := [2]string{(<-good.got).id(), (<-bad.got).id()}
	for _, id := range ids {
		w.over(t, id)
	}
	w.stop()
	got, want := tracer.all, []string{"client deliver " + done("a", 1).Type + " " + ids[0] + " ", "client deliver " + succeeded + " " + ids[1] + " refused"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
