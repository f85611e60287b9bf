// Package v1 is the first interface over HTTP: its routes, the JSON that goes
// over the wire and its error bodies. The domains know nothing of these.
//
// A request comes in through [New]'s handler, which finds the route, asks for
// the key, lets a function of agents.go, runs.go, contexts.go and so on do the work
// and writes its answer; errors of every origin become answers in errors.go.
package v1

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter/internal/request"
	"github.com/drover-go/drover/httpadapter/internal/strictjson"
)

// Services are what the routes call. All but Health are required.
type Services struct {
	drover.Services
	// Health returns an error while the service cannot do its work. Default
	// nil: it always can.
	Health func(ctx context.Context) error
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
	h := &handler{Services: s, opts: o, mux: http.NewServeMux(), checked: &healthCheck{check: s.Health}}
	paths := map[string]*endpoint{}
	for _, r := range served(o) {
		if paths[r.Pattern] == nil {
			paths[r.Pattern] = &endpoint{handler: h, pattern: r.Pattern, public: r.public, methods: map[string]call{}}
			h.mux.Handle(r.Pattern, paths[r.Pattern])
		}
		paths[r.Pattern].methods[r.Method] = r.call
	}
	h.mux.Handle("/", http.HandlerFunc(h.unknown))
	return h
}

// served are the routes of the interface, and what a host wants beside them.
func served(o Options) []Route {
	if o.Home.Name == "" {
		return routes
	}
	return append(slices.Clone(routes), Route{Method: "GET", Pattern: "/{$}", call: home, public: true})
}

type handler struct {
	Services
	opts    Options
	mux     *http.ServeMux
	checked *healthCheck
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request.Guard(w, r, h.opts.Limits)
	if !clean(r.URL.Path) { // the mux would redirect
		h.unknown(w, r)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// unknown answers for paths that are not there, below /v1/ only to who has a
// key.
func (h *handler) unknown(w http.ResponseWriter, r *http.Request) {
	e := endpoint{handler: h, public: !strings.HasPrefix(r.URL.Path, "/v1/")}
	e.ServeHTTP(w, r)
}

func (h *handler) jsonOptions() strictjson.Options {
	return strictjson.Options{MaxDepth: h.opts.MaxDepth}
}
