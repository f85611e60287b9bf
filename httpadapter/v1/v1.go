// Package v1 is the first interface over HTTP: its routes, the JSON that goes
// over the wire and its error bodies. The domains know nothing of these.
//
// A request comes in through [New]'s handler. What it has in common with those
// of other interfaces is in internal/wire/api; a function of agents.go,
// runs.go, contexts.go and so on does the work; errors of every origin become
// bodies in errors.go.
package v1

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
)

// Services are what the routes call. All but Health are required.
type Services struct {
	drover.Services
	// Health returns an error while the service cannot do its work. Default
	// nil: it always can.
	Health func(ctx context.Context) error
	// Accepting ends when answers that only wait are to be broken off. Default
	// nil: they end with their requests.
	Accepting context.Context
}

// Options configure [New]. The defaults are those of httpadapter.Options,
// which fills all of them in.
type Options struct {
	// KeyHeaders are the headers a key may come in; the first that is there
	// counts.
	KeyHeaders []string
	// Limits bound request bodies.
	Limits request.Limits
	// MaxDepth is how deep the JSON of a body may be nested.
	MaxDepth int
	// AnswerTimeout is how long sending an answer may take.
	AnswerTimeout time.Duration
	// HealthTimeout is how long /healthz may take.
	HealthTimeout time.Duration
	// MaxUpload bounds bodies that hold a file, in bytes.
	MaxUpload int64
	// MaxStreams is how many streams of messages a project may have open at a time.
	MaxStreams int
	// Clock paces the signs of life in streams.
	Clock clock.Clock
	// PublicURL is what URLs in answers begin with, without a slash at its end;
	// empty for what the request says.
	PublicURL string
	// Home is what GET / says; without a Name there is no such path.
	Home Home
	// Logger hears of panics.
	Logger *slog.Logger
}

// New returns the handler of everything below /v1/, of /healthz and, where
// Options.Home says so, of /; other paths do not exist. It panics if a service is missing.
func New(s Services, o Options) http.Handler {
	if missing := s.Missing(); missing != "" {
		panic("v1.New: the service " + missing + " is missing")
	}
	if s.Accepting == nil {
		s.Accepting = context.Background()
	}
	h := &handler{Services: s, opts: o, checked: &healthCheck{check: s.Health}, streams: &places{most: o.MaxStreams, taken: map[string]int{}}}
	var all []api.Route
	for _, r := range served(o) {
		all = append(all, api.Route{Method: r.Method, Pattern: r.Pattern, Public: r.public, Call: func(x *api.Exchange) (answer, error) {
			return r.call(&exchange{x, h})
		}})
	}
	return api.New(api.Interface{
		Below: "/v1/", Authenticate: h.authenticate, Error: h.errorOut,
		Bodies: request.Rules{Limits: o.Limits}, JSON: strictjson.Options{MaxDepth: o.MaxDepth},
		AnswerTimeout: o.AnswerTimeout, PublicURL: o.PublicURL, Logger: o.Logger,
	}, all)
}

// served are the routes of the interface, and what a host wants beside them.
func served(o Options) []Route {
	if o.Home.Name == "" {
		return routes
	}
	return append(slices.Clone(routes), Route{Method: "GET", Pattern: "/{$}", call: home, public: true})
}

// handler is what the calls share.
type handler struct {
	Services
	opts    Options
	checked *healthCheck
	streams *places
}
