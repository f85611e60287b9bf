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
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o := drover.Options{Data: cmd.Data, Logger: log}
	cmd.network.apply(&o)
	d, err := drover.Open(ctx, o)
	if err != nil {
		return err
	}
	defer d.Close()
	run, err := d.Runs.Create(ctx, create)
	if err != nil {
		return err
	}
	for m, err := range d.Runs.Messages(ctx, run.ID) {
		if err != nil {
			return err
		}
		printSteps(c.stderr, m.Message)
	}
	if run, err = d.Runs.Wait(ctx, run.ID); err != nil {
		return err
	}
	return printResult(c.stdout, run)
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

func printResult(w io.Writer, run runs.Run) error {
	if run.Status != runs.Completed {
		return fmt.Errorf("the run is %s: %s: %s", run.Status, run.Cause.Code, run.Cause.Message)
	}
	return printJSON(w, run.Result)
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
