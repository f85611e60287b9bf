// Package platform is the interface of the job platform over HTTP: its stores, runs,
// Actors, tasks, schedules and webhooks, the JSON that goes over the wire and its error bodies. The domains
// know nothing of these.
//
// Runs in processes of their own ask it at the endpoint of package actors ([ForRuns]),
// with no adapter mounted; httpadapter/v2 serves it to everybody else ([New]), with keys,
// rates and a document. What a run with limited permissions may do is in rights.go.
//
// What a request has in common with those of other interfaces is in internal/wire; a
// function of stores.go and so on does the work; errors of every origin become bodies in
// errors.go.
package platform

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/webhooks"
)

// Services are what the routes call. All but Accepting are required.
type Services struct {
	Records   records.Service
	Actors    actors.Service
	Schedules schedules.Service
	Webhooks  webhooks.Service
	// Accepting ends when answers that only wait are to be broken off. Default nil:
	// they end with their requests.
	Accepting context.Context
}

// Options configure [New] and [ForRuns].
type Options struct {
	// Authenticate returns the context of the caller's project. New requires it;
	// ForRuns has its own.
	Authenticate func(x *api.Exchange) (context.Context, error)
	// Allow returns an error of kind RateLimited for a request that is one too many.
	// Default nil: none is.
	Allow func(x *api.Exchange, r Route) error
	// More are routes beside those of the platform. Default none.
	More []api.Route
	// Limits bound request bodies. Default those of request.Limits.
	Limits request.Limits
	// MaxDepth is how deep the JSON of a body may be nested. Default that of
	// strictjson.
	MaxDepth int
	// AnswerTimeout is how long sending an answer may take. Default 2 minutes.
	AnswerTimeout time.Duration
	// PublicURL is what URLs in answers begin with, without a slash at its end. Default
	// what the request says.
	PublicURL string
	// Clock is the source of time. Default the machine's.
	Clock clock.Clock
	// Logger hears of panics. Default discards.
	Logger *slog.Logger
}

// codings are those that bodies may come in (wire-v2, 7).
var codings = []string{"br", "gzip", "deflate"}

// New returns the handler of everything below /v2/; other paths do not exist.
func New(s Services, o Options) http.Handler {
	if s.Accepting == nil {
		s.Accepting = context.Background()
	}
	h := &handler{Services: s, opts: o.withDefaults()}
	all := o.More
	for _, r := range served() {
		all = append(all, h.route(r))
	}
	return api.New(api.Interface{
		Below: "/v2/", Authenticate: o.Authenticate, Error: errorOut,
		Bodies: request.Rules{Limits: h.opts.Limits, Codings: codings}, JSON: strictjson.Options{MaxDepth: h.opts.MaxDepth, NullIsAbsent: true},
		AnswerTimeout: h.opts.AnswerTimeout, PublicURL: o.PublicURL, Logger: h.opts.Logger,
	}, all)
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	o.MaxDepth = cmp.Or(o.MaxDepth, strictjson.DefaultMaxDepth)
	o.AnswerTimeout = cmp.Or(o.AnswerTimeout, api.DefaultAnswerTimeout)
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// handler is what the calls share.
type handler struct {
	Services
	opts    Options
	outputs outputs
}
