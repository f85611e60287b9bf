package platform

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors"
)

const oneBuild = "/v2/actor-builds/{buildId}"

// buildRoutes are builds of Actors (wire-v2, 3).
var buildRoutes = []Route{
	{Method: "GET", Pattern: "/v2/actor-builds", call: listBuilds},
	{Method: "GET", Pattern: oneBuild, call: getBuild},
	{Method: "DELETE", Pattern: oneBuild, call: deleteBuild},
	{Method: "POST", Pattern: oneBuild + "/abort", call: abortBuild},
	{Method: "GET", Pattern: oneBuild + "/log", call: getBuildLog},
	{Method: "GET", Pattern: oneBuild + "/openapi.json", call: getBuildDocument},

	{Method: "GET", Pattern: oneActor + "/builds", call: listBuildsOf},
	{Method: "POST", Pattern: oneActor + "/builds", call: createBuild, Rate: Busy},
	{Method: "GET", Pattern: oneActor + "/builds/default", call: getDefaultBuild},
	{Method: "POST", Pattern: oneActor + "/validate-input", call: validateInput},
}

func listBuilds(x *exchange) (answer, error) { return x.builds("") }

func listBuildsOf(x *exchange) (answer, error) { return x.builds(x.Path("actorId")) }

// builds is the list of an Actor's builds, or with an empty name of all.
func (x *exchange) builds(actor string) (answer, error) {
	q := x.Query()
	f := filterIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	l, err := x.Actors.ListBuilds(x.R.Context(), actor, f)
	return data(pageOf(l, f, x.buildItem)), err
}

// getBuild answers at once, or waits for the end of the build.
func getBuild(x *exchange) (answer, error) {
	q := x.Query()
	wait := waitIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	b, err := x.awaitedBuild(x.Path("buildId"), wait)
	return data(x.buildOut(b)), err
}

// awaitedBuild is a build once it has ended, or as it is when the time is over or the
// service closes.
func (x *exchange) awaitedBuild(id string, most time.Duration) (actors.Build, error) {
	ctx, cancel := x.untilClosing()
	defer cancel()
	b, err := x.Actors.WaitBuild(ctx, id, most)
	if err != nil && x.R.Context().Err() == nil && (ctx.Err() != nil || errtypes.Is(err, errtypes.Unavailable)) {
		return x.Actors.GetBuild(x.R.Context(), id)
	}
	return b, err
}

// createBuild answers with the build, after its end where the caller waits for that.
// What the body says counts for nothing: clients send forms that are empty.
func createBuild(x *exchange) (answer, error) {
	q := x.Query()
	wait := waitIn(q)
	c := buildIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	c.Meta = x.buildMeta()
	b, err := x.Actors.Build(x.R.Context(), x.Path("actorId"), c)
	if err == nil {
		b, err = x.awaitedBuild(b.ID, wait)
	}
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+"/v2/actor-builds/"+b.ID)
	return api.Created(dataOf(x.buildOut(b))), nil
}

func buildIn(q *request.Query) actors.CreateBuild {
	return actors.CreateBuild{Version: q.String("version"), Tag: q.String("tag"), UseCache: q.Flag("useCache"), BetaPackages: q.Flag("betaPackages")}
}

func (x *exchange) buildMeta() actors.BuildMeta {
	m := x.meta()
	return actors.BuildMeta{Origin: m.Origin, ClientIP: m.ClientIP, UserAgent: m.UserAgent}
}

func getDefaultBuild(x *exchange) (answer, error) {
	q := x.Query()
	wait := waitIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	b, err := x.Actors.DefaultBuild(x.R.Context(), x.Path("actorId"))
	if err == nil && wait > 0 {
		b, err = x.awaitedBuild(b.ID, wait)
	}
	return data(x.buildOut(b)), err
}

func deleteBuild(x *exchange) (answer, error) {
	return api.NoContent(), x.Actors.DeleteBuild(x.R.Context(), x.Path("buildId"))
}

func abortBuild(x *exchange) (answer, error) {
	b, err := x.Actors.AbortBuild(x.R.Context(), x.Path("buildId"))
	return data(x.buildOut(b)), err
}

func getBuildLog(x *exchange) (answer, error) {
	b, err := x.Actors.GetBuild(x.R.Context(), x.Path("buildId"))
	if err != nil {
		return answer{}, err
	}
	return x.buildLog(b)
}

func (x *exchange) buildLog(b actors.Build) (answer, error) {
	lines := func(follow bool) func(context.Context) iter.Seq2[logLine, error] {
		return func(ctx context.Context) iter.Seq2[logLine, error] {
			return linesOf(x.Actors.BuildLog(ctx, b.ID, follow), func(e actors.BuildLogEntry) logLine { return logLine{e.Time, e.Message} })
		}
	}
	return x.log(logSource{"build-" + b.ID, lines(false), lines(true)})
}

// validateInput says whether a run would take an input.
func validateInput(x *exchange) (answer, error) {
	q := x.Query()
	build := q.String("build")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	in, err := jsonInput(x)
	if err == nil {
		err = x.Actors.ValidateInput(x.R.Context(), x.Path("actorId"), build, in)
	}
	return api.OK(validJSON{true}), err
}

// validJSON has no data around it.
type validJSON struct {
	Valid bool `json:"valid"`
}

// getBuildDocument describes how the Actor of a build is run. It has no data around
// it, either.
func getBuildDocument(x *exchange) (answer, error) {
	b, err := x.Actors.GetBuild(x.R.Context(), x.Path("buildId"))
	if err != nil {
		return answer{}, err
	}
	a, err := x.Actors.Actor(x.R.Context(), b.ActorID)
	if err != nil {
		return answer{}, err
	}
	return api.OK(x.documentOf(a, b)), nil
}

// orNull is a value of a build that there is not for every one.
func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}
