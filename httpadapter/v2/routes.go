package v2

import (
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors/platform"
)

// documented is where the description of the interface is, which needs no token.
const documented = "/v2/openapi.json"

// Routes returns every route that is served, for the OpenAPI document to be held
// against; see [platform.Routes].
func Routes() []platform.Route {
	return append([]platform.Route{{Method: "GET", Pattern: documented}}, platform.Routes()...)
}

// own are the routes that are not of the platform.
func own() []api.Route {
	return []api.Route{{Method: "GET", Pattern: documented, Call: document, Public: true}}
}
