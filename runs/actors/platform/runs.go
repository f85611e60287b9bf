package platform

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors"
)

const oneRun = "/v2/actor-runs/{runId}"

// runRoutes are runs, however they were started (wire-v2, 2).
var runRoutes = slices.Concat(
	[]Route{{Method: "GET", Pattern: "/v2/actor-runs", call: listRuns(func(*exchange, *actors.RunFilter) {})}},
	open(ofRun("runId"),
		Route{Method: "GET", Pattern: oneRun, call: getRun},
		Route{Method: "PUT", Pattern: oneRun, call: updateRun},
		Route{Method: "DELETE", Pattern: oneRun, call: deleteRun},
		Route{Method: "POST", Pattern: oneRun + "/abort", call: abortRun},
		Route{Method: "POST", Pattern: oneRun + "/resurrect", call: resurrectRun},
		Route{Method: "POST", Pattern: oneRun + "/reboot", call: rebootRun},
		Route{Method: "POST", Pattern: oneRun + "/metamorph", call: metamorphRun, Rate: Busy},
		Route{Method: "POST", Pattern: oneRun + "/charge", call: chargeRun, Rate: Busy},
		Route{Method: "GET", Pattern: oneRun + "/log", call: getRunLog},
	),
	open(ofRun("logId"), Route{Method: "GET", Pattern: "/v2/logs/{logId}", call: getLog}),
)

// listRuns lists the runs of which a list is.
func listRuns(of func(x *exchange, f *actors.RunFilter)) call {
	return func(x *exchange) (answer, error) {
		q := x.Query()
		f := actors.RunFilter{Filter: filterIn(q), Statuses: statusesIn(q)}
		f.StartedAfter, f.StartedBefore = q.Time("startedAfter"), q.Time("startedBefore")
		if err := q.Err(); err != nil {
			return answer{}, err
		}
		of(x, &f)
		l, err := x.Actors.Runs(x.R.Context(), f)
		return data(pageOf(l, f.Filter, x.runItem)), err
	}
}

// statusesIn are those that are asked for. One that there is not selects nothing.
func statusesIn(q *request.Query) []actors.Status {
	return api.Each(q.List("status"), func(s string) actors.Status { return actors.Status(s) })
}

// getRun answers at once, or waits for the end of the run.
func getRun(x *exchange) (answer, error) {
	q := x.Query()
	wait := waitIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	r, err := x.awaited(x.Path("runId"), wait)
	return data(x.runOut(r)), err
}

func updateRun(x *exchange) (answer, error) {
	var u actors.RunUpdate
	var given bool
	access := generalAccess
	if _, err := x.OptionalBody(strictjson.Open(strictjson.Fields{
		"statusMessage":           strictjson.Then(strictjson.String(&u.StatusMessage), func() { given = true }),
		"isStatusMessageTerminal": strictjson.Bool(&u.Terminal),
		"generalAccess":           strictjson.OneOf(&access, generalAccess),
	})); err != nil {
		return answer{}, err
	}
	change := func() (actors.RunInfo, error) { return x.Actors.UpdateRun(x.R.Context(), x.Path("runId"), u) }
	if !given {
		change = func() (actors.RunInfo, error) { return x.Actors.Run(x.R.Context(), x.Path("runId")) }
	}
	r, err := change()
	return data(x.runOut(r)), err
}

func deleteRun(x *exchange) (answer, error) {
	return api.NoContent(), x.Actors.DeleteRun(x.R.Context(), x.Path("runId"))
}

func abortRun(x *exchange) (answer, error) {
	q := x.Query()
	gracefully := q.Flag("gracefully")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	r, err := x.Actors.Abort(x.R.Context(), x.Path("runId"), gracefully)
	return data(x.runOut(r)), err
}

func resurrectRun(x *exchange) (answer, error) {
	o, err := optionsIn(x.Query())
	if err != nil {
		return answer{}, err
	}
	r, err := x.Actors.Resurrect(x.R.Context(), x.Path("runId"), o)
	return data(x.runOut(r)), err
}

func rebootRun(x *exchange) (answer, error) {
	r, err := x.Actors.Reboot(x.R.Context(), x.Path("runId"))
	return data(x.runOut(r)), err
}

func metamorphRun(x *exchange) (answer, error) {
	q := x.Query()
	m := actors.Metamorph{Actor: q.String("targetActorId"), Build: q.String("build")}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	if m.Actor == "" {
		return answer{}, errtypes.Field("targetActorId", "is required")
	}
	err := mayStart(x, m.Actor)
	if err != nil {
		return answer{}, err
	}
	if m.Input, err = anyInput(x); err != nil {
		return answer{}, err
	}
	r, err := x.Actors.Metamorph(x.R.Context(), x.Path("runId"), m)
	return data(x.runOut(r)), err
}

// chargeRun counts an event. One that comes again with its key counts once.
func chargeRun(x *exchange) (answer, error) {
	const most = 1_000_000_000
	c, count := actors.Charge{Key: strings.TrimSpace(x.R.Header.Get("Idempotency-Key"))}, 1
	if err := x.Body(strictjson.Open(strictjson.Fields{"eventName": strictjson.Text(&c.Event), "count": strictjson.Int(&count, 1, most)}, "eventName")); err != nil {
		return answer{}, err
	}
	c.Count = int64(count)
	return api.Created(struct{}{}), x.Actors.Charge(x.R.Context(), x.Path("runId"), c)
}
