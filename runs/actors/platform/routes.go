package platform

import (
	"context"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/records"
)

// Route is one operation of the interface.
type Route struct {
	// Method is in upper case. Every GET answers HEAD too.
	Method string
	// Pattern is a path as internal/wire/route has it.
	Pattern string
	// Rate is which rate the requests of the operation are held to.
	Rate Class

	call  call
	enter enter // who is let in; nil for who has a token
	// open is whether runs with limited permissions may come in; [open] says which.
	open bool
}

// Class tells requests apart as limits of rates do (wire-v2, 4).
type Class int

// The classes: what asks for one object, for records of key-value stores, and what
// programs do all the time.
const (
	OneObject Class = iota
	OfRecords
	Busy
)

var routes = slices.Concat(
	userRoutes,
	storeRoutes(records.Dataset), datasetRoutes,
	storeRoutes(records.KeyValueStore), keyValueRoutes,
	storeRoutes(records.RequestQueue), queueRoutes,
	publicRoutes, actorRoutes, ofActors.routes(), buildRoutes, taskRoutes, ofTasks.routes(), runRoutes,
	scheduleRoutes, webhookRoutes,
)

// Routes returns every route that is served, for a document to be held against. Those of
// Actors answer below the older /v2/acts, too, and those of stores and runs below runs
// and the last one of an Actor or a task, and those of one run or build below its Actor.
func Routes() []Route { return slices.Clone(routes) }

// served are the routes, those of their other names, and those that answer what is not
// implemented.
func served() []Route {
	all := slices.Concat(routes, belowRuns(), belowActors(), unserved())
	for _, r := range all {
		if rest, ok := strings.CutPrefix(r.Pattern, "/v2/actors"); ok {
			r.Pattern = "/v2/acts" + rest
			all = append(all, r)
		}
	}
	return all
}

// route is a route with what the calls share.
func (h *handler) route(r Route) api.Route {
	of := api.Route{Method: r.Method, Pattern: r.Pattern, Call: func(x *api.Exchange) (answer, error) {
		if h.opts.Allow != nil {
			if err := h.opts.Allow(x, r); err != nil {
				return answer{}, err
			}
		}
		if _, limited := limitedRun(x.R.Context()); limited && !r.open {
			return answer{}, errLimited("The run has limited permissions, and may not do this: %s %s", r.Method, r.Pattern)
		}
		return r.call(&exchange{Exchange: x, handler: h})
	}}
	if r.enter != nil {
		of.Authenticate = func(x *api.Exchange) (context.Context, error) { return r.enter(h, x) }
	}
	return of
}
