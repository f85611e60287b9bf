package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"text/tabwriter"
	"time"
)

// dueState is a time at which a schedule is due.
type dueState struct {
	At    time.Time `json:"at"`
	Local string    `json:"localTime"`
	Note  string    `json:"note,omitempty"`
}

type schedulesNextCmd struct {
	oneSchedule
	Count int `short:"n" default:"10" help:"So many times, at most 1000. Default ${default}." placeholder:"N"`
}

// Run prints one line a time: as the clocks of its zone show it, with how far these are
// from UTC; in UTC; and what is particular about it.
func (cmd schedulesNextCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, c, func(ctx context.Context, api *apiClient, s scheduleState) error {
		var all []dueState
		query := url.Values{"n": {strconv.Itoa(cmd.Count)}}
		if err := api.ask(ctx, "GET", s.path("/next?"+query.Encode()), nil, &all); err != nil {
			return err
		}
		if !s.Enabled {
			fmt.Fprintf(c.stderr, "The %s is paused: it starts nothing at these times\n", s.label())
		}
		if cmd.JSON {
			return printValue(c.stdout, all)
		}
		if s.Timezone == "UTC" {
			return printUTC(c, all)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "%s\tUTC\tNOTE\n", oneLine(s.Timezone))
		for _, t := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\n", oneLine(t.Local), zoned(t.At), oneLine(t.Note))
		}
		return w.Flush()
	})
}

// printUTC prints times whose zone is UTC: there is nothing to convert or to note.
func printUTC(c console, all []dueState) error {
	fmt.Fprintln(c.stdout, "UTC")
	for _, t := range all {
		fmt.Fprintln(c.stdout, zoned(t.At))
	}
	return nil
}
