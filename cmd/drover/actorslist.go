package main

import (
	"context"
	"fmt"
	"net/url"
	"text/tabwriter"
)

type actorsListCmd struct {
	onService
	Actor  string `arg:"" optional:"" help:"Only the runs or builds of this Actor, by name or id."`
	Runs   bool   `xor:"what" help:"List runs, the newest first."`
	Builds bool   `xor:"what" help:"List builds, the newest first."`
	Limit  int    `default:"20" help:"So many runs or builds; 0 for all. Default ${default}."`
}

// Validate refuses a number below 0.
func (cmd actorsListCmd) Validate() error {
	if cmd.Limit < 0 {
		return fmt.Errorf("--limit must not be below 0")
	}
	return nil
}

// Run prints one line an Actor, a run or a build.
func (cmd actorsListCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		switch {
		case cmd.Builds:
			return cmd.jobs(ctx, c, api, buildKind, "/builds")
		case cmd.Runs || cmd.Actor != "":
			return cmd.jobs(ctx, c, api, runKind, "/runs")
		}
		return cmd.actors(ctx, c, api)
	})
}

// allActors are those of the project.
func (a *apiClient) allActors(ctx context.Context) (all []actorState, err error) {
	all = []actorState{}
	err = pages(ctx, a, "/v2/actors", url.Values{}, 0, func(page []actorState) error {
		all = append(all, page...)
		return nil
	})
	return all, err
}

func (cmd actorsListCmd) actors(ctx context.Context, c console, api *apiClient) error {
	all, err := api.allActors(ctx)
	if err != nil {
		return err
	}
	for i, a := range all {
		if all[i].LastRun, err = api.lastRun(ctx, a.ID); err != nil {
			return err
		}
	}
	if cmd.JSON {
		return printValue(c.stdout, all)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tID\tMODIFIED\tLAST RUN\tSTATUS\tSTARTED")
	for _, a := range all {
		last := "-\t-\t-"
		if a.LastRun != nil {
			last = fmt.Sprintf("%s\t%s\t%s", a.LastRun.ID, a.LastRun.Status, zoned(a.LastRun.StartedAt))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", nameText(a.Name), a.ID, zoned(a.ModifiedAt), last)
	}
	return w.Flush()
}

// jobs lists runs or builds, of one Actor or of all.
func (cmd actorsListCmd) jobs(ctx context.Context, c console, api *apiClient, k jobKind, below string) error {
	path, names := k.path, map[string]string{}
	if cmd.Actor != "" {
		a, err := api.actor(ctx, cmd.Actor)
		if err != nil {
			return err
		}
		path, names[a.ID] = "/v2/actors/"+url.PathEscape(a.ID)+below, a.Name
	} else if all, err := api.allActors(ctx); err == nil {
		for _, a := range all {
			names[a.ID] = a.Name
		}
	} else {
		return err
	}
	jobs := []jobState{}
	err := pages(ctx, api, path, url.Values{"desc": {"1"}}, cmd.Limit, func(page []jobState) error {
		jobs = append(jobs, page...)
		return nil
	})
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printValue(c.stdout, jobs)
	}
	return printJobs(c, jobs, names)
}

func printJobs(c console, jobs []jobState, names map[string]string) error {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tACTOR\tBUILD\tSTATUS\tSTARTED\tTOOK")
	for _, j := range jobs {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%v\n", j.ID, nameText(names[j.ActID]), j.BuildNumber, j.Status, zoned(j.StartedAt), j.took())
	}
	return w.Flush()
}
