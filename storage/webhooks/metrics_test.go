package webhooks

import (
	"net/http"
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
