package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// slotState is a row of the ledger.
type slotState struct {
	ActionID   string    `json:"actionId"`
	Type       string    `json:"type"`
	Target     string    `json:"target"`
	At         time.Time `json:"at"`
	Until      time.Time `json:"until"`
	Count      int       `json:"count"`
	Outcome    string    `json:"outcome"`
	Reason     string    `json:"reason,omitempty"`
	Message    string    `json:"message,omitempty"`
	RunID      string    `json:"runId,omitempty"`
	LateMillis int64     `json:"lateMillis"`
	CaughtUp   bool      `json:"caughtUp,omitempty"`
	Manual     bool      `json:"manual,omitempty"`
	RecordedAt time.Time `json:"recordedAt"`
}

// noteworthyLate is from when on it is said how late a slot was started.
const noteworthyLate = time.Second

// text is a line for people, of any length: it says why something failed.
func (s slotState) text() string {
	parts := []string{zoned(s.At), s.Outcome, targetText(s.Type, s.Target)}
	if s.RunID != "" {
		parts = append(parts, "run "+s.RunID)
	}
	if why := cmp.Or(s.Message, s.Reason); why != "" {
		parts = append(parts, "("+why+")")
	}
	if s.Count > 1 {
		parts = append(parts, fmt.Sprintf("%d times until %s", s.Count, zoned(s.Until)))
	}
	if late := time.Duration(s.LateMillis) * time.Millisecond; s.Outcome == "started" && late >= noteworthyLate {
		parts = append(parts, fmt.Sprintf("%v late", late.Round(time.Millisecond)))
	}
	if s.Manual {
		parts = append(parts, "invoked")
	}
	if s.CaughtUp && s.Outcome == "started" {
		parts = append(parts, "caught up")
	}
	return strings.Map(printable, strings.Join(strings.Fields(strings.Join(parts, " ")), " "))
}

// slotKey is what a row is known by.
type slotKey struct {
	action string
	at     int64
	manual bool
}

func (s slotState) key() slotKey { return slotKey{s.ActionID, s.At.UnixMilli(), s.Manual} }

type schedulesLogCmd struct {
	oneSchedule
	Follow bool `short:"f" help:"Go on with what is recorded, until Ctrl-C."`
	Limit  int  `default:"50" help:"So many of the last rows; 0 for all. Default ${default}."`
}

// Validate refuses a number below 0.
func (cmd schedulesLogCmd) Validate() error {
	if cmd.Limit < 0 {
		return fmt.Errorf("--limit must not be below 0")
	}
	return nil
}

// Run prints the last rows, the oldest first.
func (cmd schedulesLogCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, c, func(ctx context.Context, api *apiClient, s scheduleState) error {
		most := cmd.Limit
		if most > 0 && cmd.Follow {
			most = max(most, windowSize)
		}
		rows, err := api.slots(ctx, s, most)
		if err != nil {
			return err
		}
		last := rows
		if cmd.Limit > 0 {
			last = rows[max(0, len(rows)-cmd.Limit):]
		}
		if cmd.JSON && !cmd.Follow {
			return printValue(c.stdout, last)
		}
		if err := cmd.print(c, last); err != nil || !cmd.Follow {
			return err
		}
		err = cmd.follow(ctx, c, api, s, rows)
		if ctx.Err() != nil {
			return nil // whoever follows has seen enough
		}
		return err
	})
}

// print prints a line a row; in JSON where that is asked for.
func (cmd schedulesLogCmd) print(c console, rows []slotState) error {
	for _, r := range rows {
		if cmd.JSON {
			if err := json.NewEncoder(c.stdout).Encode(r); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintln(c.stdout, r.text()); err != nil {
			return err
		}
	}
	return nil
}

// A ledger that is followed is read so often, and so many of its last rows, which are
// more than a schedule has in that time.
const (
	betweenLooks = time.Second
	windowSize   = 1000
)

// follow prints the rows that are new. Not all of them are the last: what was due earlier
// may be recorded later.
func (cmd schedulesLogCmd) follow(ctx context.Context, c console, api *apiClient, s scheduleState, rows []slotState) error {
	known := map[slotKey]bool{}
	for {
		for _, r := range rows {
			known[r.key()] = true
		}
		select {
		case <-time.After(betweenLooks):
		case <-ctx.Done():
			return nil
		}
		last, err := api.slots(ctx, s, windowSize)
		if err != nil {
			return err
		}
		rows = slices.DeleteFunc(last, func(r slotState) bool { return known[r.key()] })
		if err := cmd.print(c, rows); err != nil {
			return err
		}
	}
}

// slots are the last rows of a ledger up to a number, 0 for all, the oldest first.
func (a *apiClient) slots(ctx context.Context, s scheduleState, most int) ([]slotState, error) {
	rows := []slotState{}
	err := pages(ctx, a, s.path("/slots"), url.Values{"desc": {"1"}}, most, func(page []slotState) error {
		rows = append(rows, page...)
		return nil
	})
	slices.Reverse(rows)
	return rows, err
}

type schedulesInvokeCmd struct{ oneSchedule }

// Run prints what became of each action.
func (cmd schedulesInvokeCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, c, func(ctx context.Context, api *apiClient, s scheduleState) error {
		if len(s.all()) == 0 {
			fmt.Fprintf(c.stderr, "The %s starts nothing\n", s.label())
		}
		if err := api.ask(ctx, "POST", s.path("/invoke"), nil, nil); err != nil {
			return err
		}
		rows, err := api.invoked(ctx, s)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, rows)
		}
		if cmd.Data != "" {
			fmt.Fprintln(c.stderr, "Runs are executed once a service runs on the data")
		}
		return schedulesLogCmd{}.print(c, rows)
	})
}

// invoked are the rows of the last time that somebody has invoked the schedule.
func (a *apiClient) invoked(ctx context.Context, s scheduleState) ([]slotState, error) {
	const most = 100 // more than a schedule has actions
	rows, err := a.slots(ctx, s, most)
	rows = slices.DeleteFunc(rows, func(r slotState) bool { return !r.Manual })
	if len(rows) == 0 {
		return rows, err
	}
	last := rows[len(rows)-1].At
	return slices.DeleteFunc(rows, func(r slotState) bool { return !r.At.Equal(last) }), err
}
