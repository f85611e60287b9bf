package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"
)

// schedulesCmd are about schedules, of a running service or of the data of one that does
// not run.
type schedulesCmd struct {
	Create schedulesCreateCmd `cmd:"" help:"Schedule an Actor, a task, an agent or a function: exactly one of --actor, --task, --agent-task and --function."`
	List   schedulesListCmd   `cmd:"" help:"List schedules, the oldest first."`
	Show   schedulesShowCmd   `cmd:"" help:"Show a schedule with what it starts."`
	Log    schedulesLogCmd    `cmd:"" help:"Print or follow the ledger: what became of each time at which a schedule was due."`
	Next   schedulesNextCmd   `cmd:"" help:"Print the times at which a schedule is due next."`
	Pause  schedulesPauseCmd  `cmd:"" help:"Have a schedule start nothing until it is resumed."`
	Resume schedulesResumeCmd `cmd:"" help:"Have a schedule start its actions again."`
	Invoke schedulesInvokeCmd `cmd:"" help:"Start the actions of a schedule now."`
	Delete schedulesDeleteCmd `cmd:"" help:"Delete a schedule with its ledger."`
}

const schedulesPath = "/v2/schedules"

// scheduleState is what matters of a schedule.
type scheduleState struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Title        string        `json:"title,omitempty"`
	Description  string        `json:"description,omitempty"`
	Cron         string        `json:"cronExpression"`
	Timezone     string        `json:"timezone"`
	Enabled      bool          `json:"isEnabled"`
	Exclusive    bool          `json:"isExclusive"`
	CatchUp      string        `json:"catchUp,omitempty"`
	Next         *time.Time    `json:"nextRunAt"`
	Last         *time.Time    `json:"lastRunAt"`
	Actions      []actionState `json:"actions"`
	OtherActions []actionState `json:"otherActions,omitempty"`
}

// actionState is what a schedule starts.
type actionState struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	ActorID     string `json:"actorId,omitempty"`
	ActorTaskID string `json:"actorTaskId,omitempty"`
	AgentID     string `json:"agentId,omitempty"`
	Function    string `json:"function,omitempty"`
	// RunInput, Input, Params and Task are what it gives to it.
	RunInput   json.RawMessage `json:"runInput,omitempty"`
	RunOptions json.RawMessage `json:"runOptions,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Params     json.RawMessage `json:"params,omitempty"`
	Task       string          `json:"task,omitempty"`
}

// The types of actions.
const (
	runActor       = "RUN_ACTOR"
	runTask        = "RUN_ACTOR_TASK"
	runAgent       = "RUN_AGENT"
	invokeFunction = "INVOKE_FUNCTION"
)

// targetText says what is started.
func targetText(kind, target string) string {
	what := map[string]string{runActor: "Actor", runTask: "task", runAgent: "agent", invokeFunction: "function"}[kind]
	return oneLine(strings.TrimSpace(cmp.Or(what, kind) + " " + target))
}

func (a actionState) text(names targetNames) string {
	target := cmp.Or(a.ActorID, a.ActorTaskID, a.AgentID, a.Function)
	if name := names[target]; name != "" {
		target = nameText(name) + " (" + target + ")"
	}
	return targetText(a.Type, target)
}

// given is what the action gives to what it starts; empty for nothing.
func (a actionState) given() string {
	var in struct{ Body *string }
	if json.Unmarshal(a.RunInput, &in) == nil && in.Body != nil {
		return *in.Body
	}
	for _, raw := range []json.RawMessage{a.RunInput, a.Input, a.Params} {
		if len(raw) > 0 {
			return string(raw)
		}
	}
	return a.Task
}

func (s scheduleState) all() []actionState {
	return append(s.Actions[:len(s.Actions):len(s.Actions)], s.OtherActions...)
}

// targets says all that is started.
func (s scheduleState) targets(names targetNames) string {
	var all []string
	for _, a := range s.all() {
		all = append(all, a.text(names))
	}
	return cmp.Or(strings.Join(all, ", "), "nothing")
}

// due says when it is due next.
func (s scheduleState) due() string {
	switch {
	case !s.Enabled:
		return "paused"
	case s.Next == nil:
		return "never"
	}
	return zoned(*s.Next)
}

func (s scheduleState) path(below string) string {
	return schedulesPath + "/" + url.PathEscape(s.ID) + below
}

// label is what messages call a schedule.
func (s scheduleState) label() string { return fmt.Sprintf("schedule %s (%s)", nameText(s.Name), s.ID) }

func timeText(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return zoned(*t)
}

// oneSchedule is the argument that names a schedule.
type oneSchedule struct {
	onService
	Schedule string `arg:"" help:"Schedule, by name or id."`
}

// with calls a function with the schedule.
func (o oneSchedule) with(ctx context.Context, c console, do func(context.Context, *apiClient, scheduleState) error) error {
	return o.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		var s scheduleState
		there, err := api.find(ctx, schedulesPath, o.Schedule, &s)
		if err == nil && !there {
			err = missing("schedule", o.Schedule, "drover schedules list")
		}
		if err != nil {
			return err
		}
		return do(ctx, api, s)
	})
}

type schedulesListCmd struct{ onService }

// Run prints one line a schedule.
func (cmd schedulesListCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		all := []scheduleState{}
		if err := pages(ctx, api, schedulesPath, url.Values{}, 0, func(page []scheduleState) error {
			all = append(all, page...)
			return nil
		}); err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, all)
		}
		names, err := api.targetNames(ctx, all...)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "NAME\tID\tCRON\tTIMEZONE\tNEXT\tLAST\tSTARTS")
		for _, s := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", nameText(s.Name), s.ID, oneLine(s.Cron), oneLine(s.Timezone), s.due(), timeText(s.Last), s.targets(names))
		}
		return w.Flush()
	})
}

type schedulesShowCmd struct{ oneSchedule }

// Run prints a line for each setting and each action.
func (cmd schedulesShowCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, c, func(ctx context.Context, api *apiClient, s scheduleState) error {
		if cmd.JSON {
			return printValue(c.stdout, s)
		}
		names, err := api.targetNames(ctx, s)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		for _, line := range s.lines(names) {
			if line[1] != "" {
				fmt.Fprintf(w, "%s:\t%s\n", line[0], oneLine(line[1]))
			}
		}
		return w.Flush()
	})
}

// lines are what is shown, each with its name. What is empty is not.
func (s scheduleState) lines(names targetNames) [][2]string {
	overlap := "skipped while the run before goes on"
	if !s.Exclusive {
		overlap = "started while the run before goes on"
	}
	all := [][2]string{
		{"Name", nameText(s.Name)}, {"ID", s.ID}, {"Title", s.Title}, {"Description", s.Description}, {"Cron", s.Cron}, {"Timezone", s.Timezone},
		{"Next", s.due()}, {"Last", timeText(s.Last)}, {"Overlap", overlap}, {"Catch-up", s.CatchUp},
	}
	for _, a := range s.all() {
		all = append(all, [2]string{"Starts", a.text(names)}, [2]string{"  with", a.given()}, [2]string{"  options", string(a.RunOptions)})
	}
	return all
}

type schedulesDeleteCmd struct{ oneSchedule }

// Run deletes the schedule; runs that it has started go on.
func (cmd schedulesDeleteCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, c, func(ctx context.Context, api *apiClient, s scheduleState) error {
		if err := api.ask(ctx, "DELETE", s.path(""), nil, nil); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Deleted %s.\n", s.label())
		return nil
	})
}

type schedulesPauseCmd struct{ oneSchedule }

// Run pauses the schedule; runs that it has started go on.
func (cmd schedulesPauseCmd) Run(ctx context.Context, c console) error {
	return cmd.enable(ctx, c, false)
}

type schedulesResumeCmd struct{ oneSchedule }

// Run resumes the schedule. What was due meanwhile is in the ledger as skipped.
func (cmd schedulesResumeCmd) Run(ctx context.Context, c console) error {
	return cmd.enable(ctx, c, true)
}

func (o oneSchedule) enable(ctx context.Context, c console, on bool) error {
	return o.with(ctx, c, func(ctx context.Context, api *apiClient, s scheduleState) error {
		if err := api.ask(ctx, "PUT", s.path(""), map[string]bool{"isEnabled": on}, &s); err != nil {
			return err
		}
		if o.JSON {
			return printValue(c.stdout, s)
		}
		done := "Paused " + s.label() + "."
		if on {
			done = "Resumed " + s.label() + ", due next at " + s.due() + "."
		}
		fmt.Fprintln(c.stdout, done)
		return nil
	})
}
