package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/suite"
)

type suiteCmd struct {
	modelFlags
	Dir       string        `arg:"" help:"Folder with a file suite.json." type:"existingdir"`
	Only      string        `help:"Only tasks whose id or one of whose tags fits; * stands for any text." placeholder:"PATTERN"`
	Repeat    int           `default:"1" help:"How often each task is tried. Default ${default}." placeholder:"N"`
	AtOnce    int           `default:"2" help:"How many tasks are tried at the same time. Default ${default}." placeholder:"N"`
	Steps     int           `help:"Most steps of an attempt. Default what the suite says." placeholder:"N"`
	Time      time.Duration `help:"Most time of an attempt. Default what the suite says." placeholder:"TIME"`
	JSON      string        `name:"json" help:"File for all that was measured, as JSON." placeholder:"FILE"`
	FailUnder float64       `help:"Exit with status 1 where a model solves a smaller share of the tasks, 0 to 1. Default 0." placeholder:"SHARE"`
}

// scriptModel is the name of the model that knows the solutions of a suite.
const scriptModel = "script"

// Run measures models on a folder of task pages and prints what each has solved.
func (cmd suiteCmd) Run(ctx context.Context, c console) (err error) {
	if err := cmd.check(); err != nil {
		return err
	}
	s, err := suite.Load(os.DirFS(cmd.Dir))
	if err != nil {
		return err
	}
	o, names, err := cmd.options(s, c.stderr)
	if err != nil {
		return err
	}
	d, err := drover.Open(ctx, o)
	if err != nil {
		return err
	}
	defer d.Close()
	report, err := suite.Run(ctx, s, suite.Options{
		Runs: d.Runs, Sessions: d.Sessions, Models: names, Only: cmd.Only, Repeat: cmd.Repeat, AtOnce: cmd.AtOnce, MaxSteps: cmd.Steps, Time: cmd.Time,
		Each: func(a suite.Attempt) { fmt.Fprintln(c.stderr, a.String()) },
	})
	if writeErr := cmd.write(c.stdout, report); err == nil {
		err = writeErr
	}
	if err == nil && report.Least() < cmd.FailUnder {
		err = fmt.Errorf("the score is %.3f, under %.3f", report.Least(), cmd.FailUnder)
	}
	return err
}

func (cmd suiteCmd) check() error {
	switch {
	case cmd.Repeat < 1:
		return errtypes.Field("--repeat", "must be at least 1")
	case cmd.AtOnce < 1 || cmd.AtOnce > 64:
		return errtypes.Field("--at-once", "must be 1 to 64")
	case cmd.Steps < 0:
		return errtypes.Field("--steps", "must not be negative")
	case cmd.Time < 0 || cmd.Time > 0 && cmd.Time < time.Second:
		return errtypes.Field("--time", "must be at least 1s")
	case !(cmd.FailUnder >= 0 && cmd.FailUnder <= 1):
		return errtypes.Field("--fail-under", "must be 0 to 1")
	}
	return nil
}

// options are those of a Drover that is there for the suite alone: it keeps
// nothing, and reaches the pages of suites.
func (cmd suiteCmd) options(s *suite.Suite, logs io.Writer) (o drover.Options, names []string, err error) {
	o = drover.Options{
		Data: drover.InMemory, AllowPrefixes: suite.Prefixes(),
		Logger: slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelError})),
		Runs:   runs.Limits{Concurrent: cmd.AtOnce, MaxDuration: time.Hour, MaxSteps: 1000},
	}
	flags, script := cmd.modelFlags, false
	flags.Model = nil
	for _, name := range cmd.Model {
		if script = script || name == scriptModel; name != scriptModel {
			flags.Model = append(flags.Model, name)
		}
	}
	if err := flags.apply(&o); err != nil {
		return o, nil, err
	}
	if script {
		o.Models[scriptModel] = runs.ModelConfig{Model: s.Script()}
	}
	if names = cmd.Model; len(names) == 0 {
		names = []string{plainModel}
	}
	o.Models[plainModel] = runs.ModelConfig{Model: plain.New()}
	o.DefaultModel = names[0]
	return o, names, nil
}

// write prints the table, and writes the file that was asked for.
func (cmd suiteCmd) write(w io.Writer, r suite.Report) error {
	if err := r.Table(w); err != nil || cmd.JSON == "" {
		return err
	}
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(cmd.JSON, append(raw, '\n'), 0o644)
}
