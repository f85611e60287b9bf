package platform

import (
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/actors"
)

// belowActors are the older forms of the routes of one run and one build, below their
// Actor. They do what the newer ones do that the document describes. A run or a build of
// another Actor does not exist there. Runs with limited permissions use the newer ones.
func belowActors() (all []Route) {
	for _, of := range []struct {
		routes     []Route
		one, older string
		within     func(call) call
	}{
		{runRoutes, oneRun, oneActor + "/runs/{runId}", runOfActor},
		{buildRoutes, oneBuild, oneActor + "/builds/{buildId}", buildOfActor},
	} {
		for _, r := range of.routes {
			if rest, ok := strings.CutPrefix(r.Pattern, of.one); ok {
				all = append(all, Route{Method: r.Method, Pattern: of.older + rest, Rate: r.Rate, call: of.within(r.call)})
			}
		}
	}
	return all
}

// runOfActor does a call for a run of the Actor in the path.
func runOfActor(do call) call {
	return ofThatActor(do, func(x *exchange) (actorID string, err error) {
		r, err := x.Actors.Run(x.R.Context(), x.Path("runId"))
		return r.ActorID, err
	})
}

// buildOfActor does a call for a build of the Actor in the path.
func buildOfActor(do call) call {
	return ofThatActor(do, func(x *exchange) (actorID string, err error) {
		b, err := x.Actors.GetBuild(x.R.Context(), x.Path("buildId"))
		return b.ActorID, err
	})
}

// ofThatActor does a call for what is of the Actor in the path. An Actor that is gone is
// still named by its id: its runs stay.
func ofThatActor(do call, actorOf func(x *exchange) (actorID string, err error)) call {
	return func(x *exchange) (answer, error) {
		id, err := actorOf(x)
		if err != nil {
			return answer{}, err
		}
		if ref := x.Path("actorId"); ref != id {
			var a actors.Actor
			if a, err = x.Actors.Actor(x.R.Context(), ref); err == nil && a.ID != id {
				err = errtypes.New(errtypes.NotFound, "the Actor %q has no such run or build", ref).WithType(errtypes.TypeRecordNotFound)
			}
			if err != nil {
				return answer{}, err
			}
		}
		return do(x)
	}
}
