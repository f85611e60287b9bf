// Package v2 is the second interface over HTTP, that of the job platform. What it
// serves is in runs/actors/platform, which runs ask without it; here is what callers from
// elsewhere need: keys, rates, another method for a GET, and the document.
package v2

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors/platform"
)

// Services are what the routes call. All but Accepting are required.
type Services struct {
	drover.Services
	// Accepting ends when answers that only wait are to be broken off. Default nil:
	// they end with their requests.
	Accepting context.Context
}

// Options configure [New]. The defaults are those of httpadapter.Options, which
// fills all of them in.
type Options struct {
	// Limits bound request bodies.
	Limits request.Limits
	// MaxDepth is how deep the JSON of a body may be nested.
	MaxDepth int
	// AnswerTimeout is how long sending an answer may take.
	AnswerTimeout time.Duration
	// PublicURL is what URLs in answers begin with, without a slash at its end;
	// empty for what the request says.
	PublicURL string
	// Rates are how many requests a second are answered.
	Rates Rates
	// Clock says when rates allow the next request.
	Clock clock.Clock
	// Logger hears of panics.
	Logger *slog.Logger
}

// New returns the handler of everything below /v2/; other paths do not exist. It
// panics if a service is missing.
func New(s Services, o Options) http.Handler {
	if missing := s.Missing(); missing != "" {
		panic("v2.New: the service " + missing + " is missing")
	}
	h := &handler{Services: s, rates: newRates(o.Rates, o.Clock)}
	return overridden(platform.New(platform.Services{Records: s.Records, Actors: s.Actors, Schedules: s.Schedules, Webhooks: s.Webhooks, Accepting: s.Accepting}, platform.Options{
		Authenticate: h.authenticate, Allow: h.allow, More: own(),
		Limits: o.Limits, MaxDepth: o.MaxDepth, AnswerTimeout: o.AnswerTimeout, PublicURL: o.PublicURL, Clock: o.Clock, Logger: o.Logger,
	}))
}

// handler is what requests are let in by.
type handler struct {
	Services
	rates *rates
}
