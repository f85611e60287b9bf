package platform

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/webhooks"
)

// A run with full permissions may do what its project may. One with limited permissions
// may do what the routes say that are open to it: use the stores of stores_rights.go, see
// and change itself and the runs that it has started, see and start Actors that have
// limited permissions too, make stores, have ad hoc webhooks of those runs, and see who it runs for.

// right returns an error where a run with limited permissions may not do what is asked
// for.
type right func(x *exchange, run actors.Caller) error

// anybody lets all runs do what answers so by itself.
func anybody(*exchange, actors.Caller) error { return nil }

// open opens routes to runs with limited permissions that have the right.
func open(to right, routes ...Route) []Route {
	for i := range routes {
		routes[i].open, routes[i].call = true, checked(to, routes[i].call)
	}
	return routes
}

func checked(to right, do call) call {
	return func(x *exchange) (answer, error) {
		if run, limited := limitedRun(x.R.Context()); limited {
			if err := to(x, run); err != nil {
				return answer{}, err
			}
		}
		return do(x)
	}
}

// limitedRun is the run that calls, if it has limited permissions.
func limitedRun(ctx context.Context) (run actors.Caller, limited bool) {
	run, ok := actors.CallerFrom(ctx)
	return run, ok && run.Permissions != actors.FullPermissions
}

func errLimited(format string, args ...any) error {
	return errtypes.OfType(errtypes.TypeInsufficientPermissions, format, args...)
}

// ofRun is the right to the run in the path: to itself, and to those that it has started.
func ofRun(variable string) right {
	return func(x *exchange, run actors.Caller) error { return x.mayUseRun(run, x.Path(variable)) }
}

func (x *exchange) mayUseRun(run actors.Caller, id string) error {
	if id == run.RunID {
		return nil
	}
	r, err := x.Actors.Run(x.R.Context(), id)
	if err == nil && r.Meta.RunID != run.RunID {
		err = errLimited("The run has limited permissions, and may use no run that it has not started")
	}
	return err
}

// mayHook is the right to have a webhook: an ad hoc one, of a run that the caller may use.
func (x *exchange) mayHook(c webhooks.Create) error {
	run, limited := limitedRun(x.R.Context())
	switch {
	case !limited:
		return nil
	case !c.AdHoc || c.Condition.Run == "":
		return errLimited("The run has limited permissions, and may have no webhooks but ad hoc ones of its own")
	}
	return x.mayUseRun(run, c.Condition.Run)
}

// mayStart is the right to have an Actor run.
func mayStart(x *exchange, actor string) error {
	if _, limited := limitedRun(x.R.Context()); !limited {
		return nil
	}
	a, err := x.Actors.Actor(x.R.Context(), actor)
	if err != nil {
		return err
	}
	return ofLimited(a)
}

// ofLimited refuses Actors that a run with limited permissions may not use: those whose
// runs have full ones, by the Actor itself or by its options.
func ofLimited(a actors.Actor) error {
	if a.Permissions != actors.FullPermissions && a.Runs.Permissions != actors.FullPermissions {
		return nil
	}
	return errLimited("The run has limited permissions, and may not use the Actor %s, which has full ones", a.Name)
}

// shown is what the caller may see of an Actor. Clients look at an Actor that they start
// for its name; a run with limited permissions sees no sources and environments.
func (x *exchange) shown(a actors.Actor) (actors.Actor, error) {
	if _, limited := limitedRun(x.R.Context()); !limited {
		return a, nil
	}
	a.Versions = nil
	return a, ofLimited(a)
}

// ofActor and ofTask are the rights to start what the path names.
func ofActor(x *exchange, _ actors.Caller) error { return mayStart(x, x.Path("actorId")) }

func ofTask(x *exchange, _ actors.Caller) error {
	t, err := x.Actors.Task(x.R.Context(), x.Path("taskId"))
	if err != nil {
		return err
	}
	if t.Runs.Permissions == actors.FullPermissions {
		return errLimited("The run has limited permissions, and may not use the task %s, whose runs have full ones", t.Name)
	}
	return mayStart(x, t.ActorID)
}

// client is who uses a queue.
func (x *exchange) client(key string) records.Client {
	run, _ := actors.CallerFrom(x.R.Context())
	return records.Client{Key: key, RunID: run.RunID}
}
