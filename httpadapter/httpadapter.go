// Package httpadapter serves Drover over HTTP, so that the clients of the
// interfaces it follows work against it. A host gives it all paths, a prefix or
// just those that it needs ([Paths]), beside handlers of its own:
//
//	http.Handle("/", httpadapter.New(d, httpadapter.Options{}))
//	http.Handle("/browser/", http.StripPrefix("/browser", httpadapter.New(d, httpadapter.Options{})))
//
// URLs in answers lead back to where it is; Options.PublicURL says so where a
// proxy in front takes something off the path.
//
// A request passes the log, which gives it an id (accesslog.go), gets the
// headers that every answer has (headers.go), and goes to the interface that
// its path belongs to (packages v1 and v2, on what package api does for each). Everything under /v1/ and /v2/ but the OpenAPI
// documents needs a key, before anything else about the request is looked at;
// /metrics, which is there where Options.MetricsToken is set, needs that, /healthz needs none, nor does / where Options.Home is set, and other paths tell
// anybody that they do not exist.
//
// What net/http refuses before a handler sees it (a request it cannot parse,
// one without Host, headers beyond their limit) it answers itself, in plain
// text. What it takes and a handler cannot see is a request with both
// Content-Length and Transfer-Encoding, which a proxy in front may have read by
// the length: [Server] on a listener of [Strict] refuses it, and a host's own
// server, or the proxy before it, has to do so itself.
package httpadapter

import (
	"context"
	"net/http"
	"strings"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter/v1"
	"github.com/drover-go/drover/httpadapter/v2"
)

// Services are what the handler serves: those of a [drover.Drover], or a host's
// own choice.
type Services struct {
	drover.Services
	// Health returns an error while the service cannot do its work. It is
	// asked by /healthz. Default nil: it always can.
	Health func(ctx context.Context) error
	// Accepting ends when answers that only wait are to be broken off: streams of
	// messages and logs, pauses of runs, and waits for their end. Default nil: they end with their requests.
	Accepting context.Context
	// Metrics are those of a [drover.Drover], which count requests, too, and are what
	// MetricsToken opens. Default nil: there are none.
	Metrics drover.Metrics
}

// New returns the handler that serves d. A call without a key never acts for a
// project, whatever Options.RequireProject of d says.
func New(d *drover.Drover, o Options) http.Handler {
	return Handler(Services{Services: d.Services, Health: d.Health, Accepting: d.Accepting(), Metrics: d.Metrics()}, o)
}

// Handler returns the handler for services that the host has wired itself. It
// panics if one is missing.
func Handler(s Services, o Options) http.Handler {
	o = o.withDefaults()
	first, second := v1.New(v1.Services{Services: s.Services, Health: s.Health, Accepting: s.Accepting}, v1Options(o)), v2.New(v2.Services{Services: s.Services, Accepting: s.Accepting}, v2Options(o))
	return logged(o, newRequestMetrics(s.Metrics), withHeaders(withMetrics(s.Metrics, o.MetricsToken, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v2/") {
			second.ServeHTTP(w, r)
			return
		}
		first.ServeHTTP(w, r)
	}))))
}

func v2Options(o Options) v2.Options {
	return v2.Options{
		Limits: o.limits(), MaxDepth: o.MaxDepth, AnswerTimeout: o.AnswerTimeout, PublicURL: strings.TrimSuffix(o.PublicURL, "/"),
		Rates: o.Rates, Clock: o.Clock, Logger: o.Logger,
	}
}

func v1Options(o Options) v1.Options {
	return v1.Options{
		KeyHeaders: o.KeyHeaders, Limits: o.limits(), MaxDepth: o.MaxDepth, AnswerTimeout: o.AnswerTimeout, HealthTimeout: o.HealthTimeout, MaxStreams: o.MaxStreams, Clock: o.Clock, PublicURL: strings.TrimSuffix(o.PublicURL, "/"), MaxUpload: o.MaxUpload, Home: v1.Home(o.Home), Logger: o.Logger,
	}
}
