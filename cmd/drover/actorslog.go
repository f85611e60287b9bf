package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// watchJob prints what a run or a build logs until it has ended, and returns its end.
func (a *apiClient) watchJob(ctx context.Context, k jobKind, id string, log io.Writer) (j jobState, err error) {
	live := newLiveLog(log, k.name+" "+id)
	defer live.done()
	lines := &shown{to: live}
	for {
		if err := a.copyLog(ctx, id, lines, true); err != nil {
			return j, err
		}
		// The log has ended, or the service has broken it off, for it closes.
		if err := a.ask(ctx, "GET", k.of(id, "?waitForFinish=10"), nil, &j); err != nil || j.ended() {
			return j, errors.Join(err, lines.end())
		}
		lines.again()
	}
}

// copyLog copies a log, as it is or as it comes.
func (a *apiClient) copyLog(ctx context.Context, id string, to io.Writer, follow bool) (err error) {
	path := "/v2/logs/" + url.PathEscape(id)
	if follow {
		path += "?stream=1"
	}
	resp, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if _, err := io.Copy(to, resp.Body); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return fmt.Errorf("the log was broken off: %w", err)
	}
	return nil
}

type actorsLogCmd struct {
	place
	ID     string `arg:"" help:"Id of a run or a build; or an Actor, by name or id, for its last run."`
	Follow bool   `short:"f" help:"Go on until it has ended."`
}

// Run prints the lines that there are, or all until the end.
func (cmd actorsLogCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		k, j, err := api.jobOrLast(ctx, cmd.ID)
		if err != nil {
			return err
		}
		lines := &shown{to: c.stdout}
		if !cmd.Follow {
			return errors.Join(api.copyLog(ctx, j.ID, lines, false), lines.end())
		}
		j, err = api.watchJob(ctx, k, j.ID, c.stdout)
		if ctx.Err() != nil {
			return nil // whoever follows has seen enough
		}
		if err == nil {
			fmt.Fprintf(c.stderr, "%s %s %s after %v\n", k.name, j.ID, j.Status, j.took())
		}
		return err
	})
}

// jobOrLast is a run or a build, or the last run of an Actor.
func (a *apiClient) jobOrLast(ctx context.Context, ref string) (jobKind, jobState, error) {
	k, j, notThere := a.job(ctx, ref)
	if notThere == nil || ctx.Err() != nil {
		return k, j, notThere
	}
	var actor actorState
	if there, err := a.find(ctx, "/v2/actors", ref, &actor); err != nil || !there {
		return k, j, notThere
	}
	last, err := a.lastRun(ctx, actor.ID)
	if err == nil && last == nil {
		err = missing("run of Actor", actor.Name, "drover actors list --runs")
	}
	if err != nil {
		return k, j, err
	}
	return runKind, *last, nil
}

// lastRun is the last run of an Actor; nil for none.
func (a *apiClient) lastRun(ctx context.Context, actor string) (last *jobState, err error) {
	err = pages(ctx, a, "/v2/actors/"+url.PathEscape(actor)+"/runs", url.Values{"desc": {"1"}}, 1, func(page []jobState) error {
		for _, j := range page {
			last = &j
		}
		return nil
	})
	return last, err
}

type actorsAbortCmd struct {
	onService
	ID         string `arg:"" help:"Id of the run or the build."`
	Gracefully bool   `help:"Tell the run, and give it its time to end by itself."`
}

// Run returns at once: an end that takes time can be followed.
func (cmd actorsAbortCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		k, _, err := api.job(ctx, cmd.ID)
		if err != nil {
			return err
		}
		below := "/abort"
		if cmd.Gracefully {
			below += "?gracefully=1"
		}
		var j jobState
		if err := api.ask(ctx, "POST", k.of(cmd.ID, below), nil, &j); err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, j)
		}
		fmt.Fprintf(c.stdout, "%s %s %s\n", k.name, j.ID, j.Status)
		return nil
	})
}
