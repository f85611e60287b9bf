package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
)

// runOutput are the flags of what of a run is printed.
type runOutput struct {
	Record  string `default:"OUTPUT" help:"Key of the record that is printed once the run has succeeded. Default ${default}." placeholder:"KEY"`
	Dataset bool   `short:"d" help:"Print the items of the run's dataset in the place of a record."`
	toFile
	itemsFlags
}

// aCall are the flags of a run that is waited for.
type aCall struct {
	actorInput
	runFlags
	runOutput
	AbortOnInterrupt bool `help:"Abort the run at Ctrl-C. Default: it goes on, and how to follow it is printed."`
}

// check refuses what needs no service to be refused, and reads the input.
func (f aCall) check() (query url.Values, input []byte, err error) {
	if query, err = f.runFlags.query(); err != nil {
		return nil, nil, err
	}
	if _, err := f.itemsFlags.query(); err != nil {
		return nil, nil, err
	}
	input, err = f.read()
	return query, input, err
}

type actorsCallCmd struct {
	onPrograms
	aCall
	Actor  string `arg:"" help:"Actor, else task, by name or id."`
	Task   bool   `help:"It is a task, where an Actor has the same name."`
	NoWait bool   `help:"Print the id of the run and do not wait for its end."`
}

// Run prints the log on standard error as it comes, and the output, so that this can be
// piped.
func (cmd actorsCallCmd) Run(ctx context.Context, c console) error {
	if cmd.NoWait && cmd.Data != "" {
		return errtypes.Field("--no-wait", "needs a service: with --data this process executes the run")
	}
	query, input, err := cmd.check()
	if err != nil {
		return err
	}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		run, err := api.start(ctx, cmd.Actor, cmd.Task, query, input)
		if err != nil {
			return err
		}
		announceRun(c, run)
		if cmd.NoWait {
			fmt.Fprintln(c.stdout, run.ID)
			return nil
		}
		return cmd.finish(ctx, c, api, run, cmd.place, cmd.JSON)
	})
}

func announceRun(c console, run jobState) {
	fmt.Fprintf(c.stderr, "Run %s of build %s; dataset %s, key-value store %s, request queue %s\n", run.ID, run.BuildNumber, run.Dataset, run.KeyValueStore, run.RequestQueue)
}

// start starts a run of an Actor, or of a task where there is none.
func (a *apiClient) start(ctx context.Context, ref string, task bool, query url.Values, input []byte) (run jobState, err error) {
	below := []string{"/v2/actors", "/v2/actor-tasks"}
	if task {
		below = below[1:]
	}
	for _, path := range below {
		for _, at := range references(ref) {
			err = a.post(ctx, "POST", path+"/"+at+"/runs?"+query.Encode(), "application/json", input, &run)
			if !isMissing(err) {
				return run, hinted(err)
			}
		}
	}
	what := "Actor and no task"
	if task {
		what = "task"
	}
	return run, errtypes.New(errtypes.NotFound, `there is no %s %q; "drover actors list" names the Actors, "drover actors push" makes one`, what, ref)
}

// finish follows the run to its end and prints what it has made.
func (f aCall) finish(ctx context.Context, c console, api *apiClient, run jobState, at place, asJSON bool) error {
	end, err := api.watchJob(ctx, runKind, run.ID, c.stderr)
	switch {
	case ctx.Err() != nil:
		return f.interrupted(ctx, api, run, at)
	case err != nil:
		return err
	}
	fmt.Fprintf(c.stderr, "Run %s %s after %v\n", end.ID, end.Status, end.took())
	if asJSON {
		if err := printValue(c.stdout, end); err != nil {
			return err
		}
		return end.failure("run")
	}
	if err := end.failure("run"); err != nil {
		return err
	}
	return f.print(ctx, c, api, end)
}

// print prints the record, or the items. A run that has stored no record has nothing to
// say, which is no failure.
func (f aCall) print(ctx context.Context, c console, api *apiClient, run jobState) error {
	if f.Dataset {
		query, err := f.itemsFlags.query()
		if err != nil {
			return err
		}
		return api.saveContent(ctx, c, datasetKind.path+"/"+url.PathEscape(run.Dataset)+"/items?"+query, f.toFile)
	}
	err := api.saveContent(ctx, c, keyValueKind.path+"/"+url.PathEscape(run.KeyValueStore)+"/records/"+url.PathEscape(f.Record), f.toFile)
	if isMissing(err) {
		fmt.Fprintf(c.stderr, "The run has stored no record %s; \"drover records get %s\" prints its items\n", oneLine(f.Record), run.Dataset)
		return nil
	}
	return err
}

// interrupted says what becomes of a run that is not followed any more.
func (f aCall) interrupted(ctx context.Context, api *apiClient, run jobState, at place) error {
	switch {
	case f.AbortOnInterrupt || at.Data == drover.InMemory: // nobody could go on with that
		if err := api.abort(ctx, runKind, run.ID); err != nil {
			return fmt.Errorf("the run could not be aborted: %w", err)
		}
		return &interrupted{"run " + run.ID + " is aborted"}
	case at.Data != "":
		return &interrupted{"run " + run.ID + " ends with this process; where the data stays, it goes on when it is served again"}
	}
	return &interrupted{fmt.Sprintf(`run %s goes on: "drover actors log -f %s" follows it, "drover actors abort %s" aborts it`, run.ID, run.ID, run.ID)}
}

// abortTime is how long it may take to abort what nobody waits for any more.
const abortTime = 5 * time.Second

// abort ends a run or a build of a command that is broken off.
func (a *apiClient) abort(ctx context.Context, k jobKind, id string) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
	defer done()
	return a.ask(ctx, "POST", k.of(id, "/abort"), nil, nil)
}
