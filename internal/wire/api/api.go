// Package api is what the interfaces over HTTP have in common. A request finds
// its route, is let in, has its body read within limits, is done, and is
// answered in time, whatever goes wrong. What is different from one interface
// to the other is an [Interface]: who is let in, what an error looks like, and
// what bodies may be.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/access"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/internal/wire/route"
)

// DefaultAnswerTimeout is how long sending an answer may take where the host says
// nothing.
const DefaultAnswerTimeout = 2 * time.Minute

// Interface is what an interface decides for itself. Authenticate, Error,
// AnswerTimeout and Logger are required.
type Interface struct {
	// Below is where the interface's paths are, such as "/v1/". Only who is let
	// in learns there that a path is unknown. Default none: everybody does.
	Below string
	// Authenticate returns the context of the caller's project. Nothing else of a
	// request is looked at before.
	Authenticate func(x *Exchange) (context.Context, error)
	// Error makes the answer of a failure, and sets headers of the interface's
	// own.
	Error func(x *Exchange, f Failure) Answer
	// Bodies are the limits and codings of bodies. Default those of
	// request.Rules.
	Bodies request.Rules
	// JSON says what JSON in bodies may be. Default the strictest.
	JSON strictjson.Options
	// AnswerTimeout is how long sending an answer may take; of content, each
	// MiB.
	AnswerTimeout time.Duration
	// PublicURL is what URLs in answers begin with, without a slash at its end.
	// Default what the request says; see [Exchange.Base].
	PublicURL string
	// Logger hears of panics.
	Logger *slog.Logger
}

// Route is one operation of an interface.
type Route struct {
	// Method is in upper case. Every GET answers HEAD too, and every path
	// OPTIONS.
	Method string
	// Pattern is a path as package route has it.
	Pattern string
	// Call does it. The exchange is there to read from; what is returned is
	// written.
	Call func(x *Exchange) (Answer, error)
	// Public lets everybody in. Call may still ask [Exchange.Authenticate].
	Public bool
	// Authenticate lets callers in as the interface's does. Default that one.
	Authenticate func(x *Exchange) (context.Context, error)
}

// handler is an interface and its paths.
type handler struct {
	Interface
	paths route.Table[endpoint]
}

// New returns the handler of an interface. It panics where a method of a path
// is there twice.
func New(i Interface, routes []Route) http.Handler {
	h := &handler{Interface: i}
	for _, r := range routes {
		e, names := h.paths.At(r.Pattern)
		e.add(r, names)
	}
	return h
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r, answered := request.Guard(w, r, h.Bodies.Limits)
	x := &Exchange{W: w, R: r, Record: access.From(r.Context()), in: &h.Interface}
	defer x.recoverPanic()
	a, err := h.find(x).serve(x)
	if err != nil {
		x.Fail(err)
	} else {
		x.Write(a)
	}
	x.Record.Dropping = answered()
}

// find returns the endpoint of a path; one without methods for a path that is
// not there.
func (h *handler) find(x *Exchange) *endpoint {
	if clean(x.R.URL.Path) {
		if e, values := h.paths.Find(x.R.URL.EscapedPath()); e != nil {
			x.values = values
			return e
		}
	}
	return &endpoint{public: h.Below == "" || !strings.HasPrefix(x.R.URL.Path, h.Below)}
}

// clean reports whether a path has no empty and no dotted segments. One
// trailing slash is left to the routes.
func clean(p string) bool {
	return strings.HasPrefix(p, "/") && (path.Clean(p) == p || path.Clean(p)+"/" == p)
}
