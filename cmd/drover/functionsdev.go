package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

type functionsDevCmd struct {
	onPrograms
	aProgram
	functionInput
	Invoke string `help:"Function to invoke with --params after each publish." placeholder:"NAME"`
}

// Run goes on until it is interrupted: what fails, a change may mend.
func (cmd functionsDevCmd) Run(ctx context.Context, c console) error {
	if err := cmd.check(); err != nil {
		return err
	}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		for {
			seen, err := cmd.fingerprint()
			if err != nil {
				return err
			}
			if err := cmd.round(ctx, c, api); ctx.Err() != nil {
				return nil // Ctrl-C is how it ends
			} else if err != nil {
				fmt.Fprintln(c.stderr, "drover:", diagnose(err))
			}
			fmt.Fprintf(c.stderr, "Waiting for a change in %s\n", cmd.Dir)
			if err := cmd.changed(ctx, seen); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return nil
			}
		}
	})
}

// round publishes the program once, and invokes what is to be invoked.
func (cmd functionsDevCmd) round(ctx context.Context, c console, api *apiClient) error {
	b, err := api.publish(ctx, cmd.aProgram, c.stderr)
	if err != nil {
		return err
	}
	printBuilt(c.stdout, b)
	if err := b.failure(); err != nil || cmd.Invoke == "" {
		return err
	}
	i, err := api.invoke(ctx, cmd.Invoke, cmd.functionInput)
	if err == nil {
		i, err = api.watch(ctx, i.ID, c.stderr)
	}
	if err = errors.Join(err, i.failure()); err != nil {
		return err
	}
	return printJSON(c.stdout, i.Results)
}

// betweenChanges is how often the files are looked at.
const betweenChanges = 300 * time.Millisecond

// changed waits until the files are others than they were, and stay as they are for
// a while: an editor writes several.
func (cmd functionsDevCmd) changed(ctx context.Context, was string) error {
	ticker := time.NewTicker(betweenChanges)
	defer ticker.Stop()
	for last := was; ; {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
		now, err := cmd.fingerprint()
		if err != nil {
			return err
		}
		if now != was && now == last {
			return nil
		}
		last = now
	}
}

// fingerprint tells whether a file has changed, by its time and its size.
func (p aProgram) fingerprint() (string, error) {
	var all strings.Builder
	err := p.files(func(name string, info fs.FileInfo) error {
		fmt.Fprintf(&all, "%q %d %d %v\n", name, info.Size(), info.ModTime().UnixNano(), info.Mode())
		return nil
	})
	return all.String(), err
}
