// Package v2 is the second interface over HTTP, that of the job platform: its
// routes, the JSON that goes over the wire and its error bodies. The domains know
// nothing of these, and neither does the first interface.
//
// A request comes in through [New]'s handler. What it has in common with those of
// other interfaces is in httpadapter/internal/api; a function of users.go and so
// on does the work; errors of every origin become bodies in errors.go.
package v2

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter/internal/api"
	"github.com/drover-go/drover/httpadapter/internal/request"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/strictjson"
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

// codings are those that bodies may come in (wire-v2, 7).
var codings = []string{"br", "gzip", "deflate"}

// New returns the handler of everything below /v2/; other paths do not exist. It
// panics if a service is missing.
func New(s Services, o Options) http.Handler {
	if missing := s.Missing(); missing != "" {
		panic("v2.New: the service " + missing + " is missing")
	}
	if s.Accepting == nil {
		s.Accepting = context.Background()
	}
	h := &handler{Services: s, opts: o, rates: newRates(o.Rates, o.Clock)}
	var all []api.Route
	for _, r := range served() {
		all = append(all, h.route(r))
	}
	return overridden(api.New(api.Interface{
		Below: "/v2/", Authenticate: h.authenticate, Error: errorOut,
		Bodies: request.Rules{Limits: o.Limits, Codings: codings}, JSON: strictjson.Options{MaxDepth: o.MaxDepth, NullIsAbsent: true},
		AnswerTimeout: o.AnswerTimeout, PublicURL: o.PublicURL, Logger: o.Logger,
	}, all))
}

// route is a route with the rates and what the calls share.
func (h *handler) route(r Route) api.Route {
	of := api.Route{Method: r.Method, Pattern: r.Pattern, Public: r.public, Call: func(x *api.Exchange) (answer, error) {
		if err := h.allow(x, r); err != nil {
			return answer{}, err
		}
		return r.call(&exchange{Exchange: x, handler: h})
	}}
	if r.enter != nil {
		of.Authenticate = func(x *api.Exchange) (context.Context, error) { return r.enter(h, x) }
	}
	return of
}

// handler is what the calls share.
type handler struct {
	Services
	opts  Options
	rates *rates
}
