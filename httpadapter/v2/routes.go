package v2

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/storage/records"
)

// Route is one operation of the interface.
type Route struct {
	// Method is in upper case. Every GET answers HEAD too.
	Method string
	// Pattern is a path as httpadapter/internal/route has it.
	Pattern string

	call   call
	public bool  // needs no token
	enter  enter // who is let in; nil for who has a token
	rate   class // of requests, as limits of rates tell them apart
}

var routes = slices.Concat(
	[]Route{
		{Method: "GET", Pattern: "/v2/openapi.json", call: document, public: true},

		{Method: "GET", Pattern: "/v2/users/me", call: ownUser},
		{Method: "GET", Pattern: "/v2/users/{userId}", call: publicUser},
	},
	storeRoutes(records.Dataset), datasetRoutes,
	storeRoutes(records.KeyValueStore), keyValueRoutes,
	storeRoutes(records.RequestQueue), queueRoutes,
	actorRoutes, ofActors.routes(), taskRoutes, ofTasks.routes(), runRoutes,
)

// Routes returns every route that is served, for the OpenAPI document to be held
// against. Those of Actors answer below the older /v2/acts, too, and those of stores and
// runs below runs and the last one of an Actor or a task.
func Routes() []Route { return slices.Clone(routes) }

// served are the routes, those of their other names, and those that answer what is not
// implemented.
func served() []Route {
	all := slices.Concat(routes, belowRuns(), unserved())
	for _, r := range all {
		if rest, ok := strings.CutPrefix(r.Pattern, "/v2/actors"); ok {
			r.Pattern = "/v2/acts" + rest
			all = append(all, r)
		}
	}
	return all
}
