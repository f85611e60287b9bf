package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
)

type runCmd struct {
	store
	network
	modelFlags
	searchFlag
	Task   string            `arg:"" help:"What to do."`
	Schema string            `help:"File with the JSON Schema of the result." type:"existingfile" placeholder:"FILE"`
	Var    map[string]string `help:"Value of a placeholder %name% in the task; may be given several times. \"@NAME\" takes the environment variable NAME." placeholder:"NAME=VALUE"`
}

// Run does the task in this process, shows the steps on standard error and
// prints the result.
func (cmd runCmd) Run(ctx context.Context, c console) error {
	create, err := cmd.create()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	o := drover.Options{Data: cmd.Data, Logger: log}
	cmd.network.apply(&o)
	giveMasterKeys(&o)
	if err := cmd.searchFlag.apply(&o); err != nil {
		return err
	}
	if err := cmd.modelFlags.apply(&o); err != nil {
		return err
	}
	d, err := drover.Open(ctx, o)
	if err != nil {
		return err
	}
	defer d.Close()
	run, err := d.Runs.Create(ctx, create)
	if err != nil {
		return err
	}
	var asked *person
	if cmd.AskHuman {
		asked = &person{runs: d.Runs, in: os.Stdin, out: c.stderr}
	}
	if run, err = watchOrStop(ctx, d.Runs, run.ID, c.stderr, asked); err != nil {
		return err
	}
	if line := usageLine(run.Usage); line != "" {
		fmt.Fprintln(c.stderr, line)
	}
	return printResult(c.stdout, run)
}

// watchOrStop shows the steps of a run until it ends, and has a person answer what it
// asks. A run that is no longer waited for is stopped.
func watchOrStop(ctx context.Context, s runs.Service, id string, steps io.Writer, asked *person) (runs.Run, error) {
	for m, err := range s.Messages(ctx, id) {
		if err != nil {
			break // Wait says why, too
		}
		printSteps(steps, m.Message)
		if err := asked.hear(ctx, id, m.Message); err != nil {
			break
		}
	}
	run, err := s.Wait(ctx, id)
	if ctx.Err() == nil {
		return run, err
	}
	after := context.WithoutCancel(ctx)
	if _, err := s.Stop(after, id); err != nil && !errtypes.Is(err, errtypes.Conflict) { // it may have ended just now
		return runs.Run{}, err
	}
	return s.Wait(after, id)
}

func (cmd runCmd) create() (runs.Create, error) {
	create := runs.Create{Task: cmd.Task, Variables: map[string]runs.Variable{}}
	if cmd.Schema != "" {
		raw, err := os.ReadFile(cmd.Schema)
		if err != nil {
			return create, err
		}
		create.ResultSchema = raw
	}
	for name, value := range cmd.Var {
		if env, ok := cutEnv(value); ok {
			value = os.Getenv(env)
			if value == "" {
				return create, errtypes.Field("--var "+name, "names the environment variable %s, which is not set", env)
			}
		}
		create.Variables[name] = runs.Variable{Value: value}
	}
	return create, nil
}

// cutEnv tells "@NAME" from a value.
func cutEnv(value string) (name string, ok bool) {
	if len(value) > 1 && value[0] == '@' {
		return value[1:], true
	}
	return "", false
}

// printResult prints what a run has found, also one that ended before it was done:
// its error comes after it.
func printResult(w io.Writer, run runs.Run) error {
	if run.Status == runs.Completed {
		return printJSON(w, run.Result)
	}
	if len(run.Result) > 0 {
		if err := printJSON(w, run.Result); err != nil {
			return err
		}
	}
	if run.Cause == nil {
		return fmt.Errorf("the run is %s", run.Status)
	}
	return fmt.Errorf("the run is %s: %s", run.Status, run.Cause)
}

// printValue prints what JSON can hold.
func printValue(w io.Writer, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return printJSON(w, raw)
}

func printJSON(w io.Writer, raw json.RawMessage) error {
	if len(raw) == 0 {
		raw = json.RawMessage("null")
	}
	out, err := json.MarshalIndent(raw, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", out)
	return err
}
