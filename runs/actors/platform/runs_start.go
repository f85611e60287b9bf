package platform

import (
	"context"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// starter is what runs are started by: Actors or tasks.
type starter struct {
	// pattern is that of one, variable what names it there.
	pattern, variable string
	// narrow selects the runs of one.
	narrow func(f *actors.RunFilter, ref string)
	// right is that to start it.
	right right
	input func(x *exchange) (*actors.Input, error)
	start func(s actors.Service, ctx context.Context, ref string, in actors.Start) (actors.RunInfo, error)
	sync  func(s actors.Service, ctx context.Context, ref string, in actors.Start, key string) (*actors.Output, error)
}

var ofActors = starter{
	pattern: oneActor, variable: "actorId", right: ofActor, input: anyInput, start: actors.Service.Start, sync: actors.Service.RunSync,
	narrow: func(f *actors.RunFilter, ref string) { f.Actor = ref },
}

var ofTasks = starter{
	pattern: oneTask, variable: "taskId", right: ofTask, input: jsonInput, start: actors.Service.StartTask, sync: actors.Service.RunTaskSync,
	narrow: func(f *actors.RunFilter, ref string) { f.Task = ref },
}

// routes are those of runs that are started. A GET has no input.
func (s starter) routes() []Route {
	runs, sync := s.pattern+"/runs", s.pattern+"/run-sync"
	items := sync + "-get-dataset-items"
	return append(open(s.right,
		Route{Method: "POST", Pattern: runs, call: s.startRun, Rate: Busy},
		Route{Method: "GET", Pattern: sync, call: s.runSync(noInput), Rate: Busy},
		Route{Method: "POST", Pattern: sync, call: s.runSync(s.input), Rate: Busy},
		Route{Method: "GET", Pattern: items, call: s.runItems(noInput), Rate: Busy},
		Route{Method: "POST", Pattern: items, call: s.runItems(s.input), Rate: Busy},
	),
		Route{Method: "GET", Pattern: runs, call: listRuns(func(x *exchange, f *actors.RunFilter) { s.narrow(f, x.Path(s.variable)) })},
		Route{Method: "GET", Pattern: runs + "/last", call: s.last(getRun)},
	)
}

// startRun answers with the run, after its end where the caller waits for that.
func (s starter) startRun(x *exchange) (answer, error) {
	q := x.Query()
	wait := waitIn(q)
	in, err := x.startIn(q)
	if err != nil {
		return answer{}, err
	}
	if in.Input, err = s.input(x); err != nil {
		return answer{}, err
	}
	r, err := s.start(x.Actors, x.R.Context(), x.Path(s.variable), in)
	if err != nil {
		return answer{}, hookError(err)
	}
	if wait > 0 {
		if r, err = x.awaited(r.ID, wait); err != nil {
			return answer{}, err
		}
	}
	x.W.Header().Set("Location", x.Base()+"/v2/actor-runs/"+r.ID)
	return api.Created(dataOf(x.runOut(r))), nil
}

// last does with the run that was started last what a call does with one that the
// path names.
func (s starter) last(do call) call {
	return func(x *exchange) (answer, error) {
		q := x.Query()
		f, origin := actors.RunFilter{Statuses: statusesIn(q)}, q.String("origin")
		if err := q.Err(); err != nil {
			return answer{}, err
		}
		s.narrow(&f, x.Path(s.variable))
		r, err := x.Actors.LastRun(x.R.Context(), f, origin)
		if err != nil {
			return answer{}, err
		}
		x.find("runId", r.ID)
		return do(x)
	}
}
