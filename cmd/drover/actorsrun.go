package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
)

type actorsRunCmd struct {
	programFlags
	actorDir
	aCall
	Data                 string `default:":memory:" help:"Data directory that keeps the run and its stores; \":memory:\" keeps nothing. Default ${default}." placeholder:"DIR"`
	Project              string `default:"default" help:"Project of the data, by name or id. Default ${default}."`
	AllowPrivateNetworks bool   `help:"Let what Drover fetches reach private and loopback addresses."`
	JSON                 bool   `name:"json" help:"Print the run in JSON, in the place of its output."`
}

// Run builds the Actor and runs the build, in this process and its children alone.
func (cmd actorsRunCmd) Run(ctx context.Context, c console) error {
	s, err := cmd.load()
	if err != nil {
		return err
	}
	if err := cmd.localInput(c); err != nil {
		return err
	}
	query, input, err := cmd.check()
	if err != nil {
		return err
	}
	if err := cmd.node(ctx); err != nil {
		return err
	}
	at := place{Data: cmd.Data, Project: cmd.Project}
	here := onPrograms{onService{at, cmd.JSON}, cmd.programFlags, cmd.AllowPrivateNetworks}
	return here.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		actor, build, err := api.push(ctx, c, s, false)
		if err == nil {
			err = build.failure("build")
		}
		if err != nil {
			return err
		}
		if cmd.Build == "" {
			query.Set("build", build.BuildNumber)
		}
		run, err := api.start(ctx, actor.ID, false, query, input)
		if err != nil {
			return err
		}
		announceRun(c, run)
		return cmd.finish(ctx, c, api, run, at, cmd.JSON)
	})
}

// inputFile is where Actors that run at their author's have their input.
var inputFile = filepath.Join("storage", "key_value_stores", "default", "INPUT.json")

// localInput takes the input of the directory where no other is given.
func (cmd *actorsRunCmd) localInput(c console) error {
	at := filepath.Join(cmd.Dir, inputFile)
	if cmd.Input != "" || cmd.InputFile != "" {
		return nil
	}
	if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	fmt.Fprintln(c.stderr, "Input is", at)
	cmd.InputFile = at
	return nil
}

// node refuses a machine that cannot build.
func (cmd actorsRunCmd) node(ctx context.Context) error {
	var o functions.ProgramOptions
	cmd.programFlags.apply(&o)
	if _, _, err := functions.NodeFound(ctx, o); err != nil {
		return errtypes.New(errtypes.Unavailable, "%s; install Node.js 20 or later, with npm", errtypes.Public(err).Message)
	}
	return nil
}
