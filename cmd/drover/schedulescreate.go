package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/drover-go/drover/errtypes"
)

type schedulesCreateCmd struct {
	onService
	Name string `arg:"" help:"Name: 3 to 63 letters of ASCII, digits and dashes."`

	Cron     string `required:"" help:"When it is due: minute, hour, day of the month, month, day of the week, such as \"30 8 * * 1-5\"; with seconds before them, if need be; or @hourly, @daily, @weekly, @monthly, @yearly." placeholder:"CRON"`
	Timezone string `default:"UTC" help:"Time zone whose clocks are meant, such as Europe/Prague. Default ${default}." placeholder:"ZONE"`

	Actor     string `xor:"what" help:"Start this Actor, by name or id." placeholder:"ACTOR"`
	Task      string `xor:"what" help:"Start this saved task of an Actor, by name or id." placeholder:"TASK"`
	AgentTask string `xor:"what" help:"Let an agent do this task: in plain steps, or in free words where the service has a language model (--model)." placeholder:"TEXT"`
	Function  string `xor:"what" help:"Invoke this function, by name or id, with --input as its parameters." placeholder:"FUNCTION"`
	Agent     string `help:"With --agent-task: the saved agent, by id. Default none." placeholder:"AGENT"`
	actorInput
	runFlags

	Exclusive bool   `xor:"overlap" help:"Skip a start while the run that was started before goes on. This is the default."`
	Parallel  bool   `xor:"overlap" help:"Start it all the same."`
	CatchUp   string `enum:"last,all,none" default:"last" help:"What is started of several times that nobody was there for: last, all or none. Default ${default}." placeholder:"last|all|none"`
	Title     string `help:"Title. Default made of the name." placeholder:"TEXT"`
	Describe  string `name:"description" help:"Description." placeholder:"TEXT"`
	Paused    bool   `help:"Start nothing until it is resumed."`
}

// Validate refuses flags that are about something else.
func (cmd schedulesCreateCmd) Validate() error {
	given := cmd.Input != "" || cmd.InputFile != ""
	switch {
	case cmd.Actor == "" && cmd.Task == "" && cmd.AgentTask == "" && cmd.Function == "":
		return fmt.Errorf("what is to be started? Exactly one of --actor, --task, --agent-task and --function says so")
	case cmd.Agent != "" && cmd.AgentTask == "":
		return fmt.Errorf("--agent needs --agent-task: what the agent is to do")
	case cmd.AgentTask != "" && (given || cmd.runFlags.some()):
		return fmt.Errorf("--agent-task goes with none of --input, --input-file, --build, --memory, --timeout, --max-items and --restart-on-error: these are for Actors")
	}
	return nil
}

// some reports whether any of the flags was given.
func (f runFlags) some() bool { return f != (runFlags{Timeout: -1}) }

// options are the flags as a schedule has them; nil for none.
func (f runFlags) options() (map[string]any, error) {
	if _, err := f.query(); err != nil || !f.some() {
		return nil, err
	}
	o := map[string]any{}
	for name, value := range map[string]struct {
		is    any
		given bool
	}{
		"build": {f.Build, f.Build != ""}, "memoryMbytes": {f.Memory, f.Memory != 0}, "timeoutSecs": {int64(f.Timeout / time.Second), f.Timeout >= 0},
		"maxItems": {f.MaxItems, f.MaxItems != 0}, "restartOnError": {true, f.RestartOnError},
	} {
		if value.given {
			o[name] = value.is
		}
	}
	return o, nil
}

// Run makes the schedule, which is enabled unless it is to be paused.
func (cmd schedulesCreateCmd) Run(ctx context.Context, c console) error {
	input, err := cmd.read()
	if err != nil {
		return err
	}
	options, err := cmd.options()
	if err != nil {
		return err
	}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		list, action, err := cmd.action(ctx, api, input)
		if err != nil {
			return err
		}
		if options != nil {
			action["runOptions"] = options
		}
		s, err := api.schedule(ctx, cmd.body(list, action))
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, s)
		}
		names, err := api.targetNames(ctx, s)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Made %s of %s, due next: %s.\n", s.label(), s.targets(names), s.due())
		return nil
	})
}

// schedule makes a schedule.
func (a *apiClient) schedule(ctx context.Context, body map[string]any) (s scheduleState, err error) {
	return s, a.ask(ctx, "POST", schedulesPath, body, &s)
}

func (cmd schedulesCreateCmd) body(list string, action map[string]any) map[string]any {
	body := map[string]any{
		"name": cmd.Name, "cronExpression": cmd.Cron, "timezone": cmd.Timezone, "isEnabled": !cmd.Paused, "isExclusive": !cmd.Parallel,
		"catchUp": cmd.CatchUp, list: []any{action},
	}
	for name, text := range map[string]string{"title": cmd.Title, "description": cmd.Describe} {
		if text != "" {
			body[name] = text
		}
	}
	return body
}

// action is what is started, and the list that it stands in.
func (cmd schedulesCreateCmd) action(ctx context.Context, api *apiClient, input []byte) (list string, action map[string]any, err error) {
	switch {
	case cmd.Actor != "":
		a, err := api.actor(ctx, cmd.Actor)
		action := map[string]any{"type": runActor, "actorId": a.ID}
		if input != nil {
			action["runInput"] = map[string]string{"body": string(input)}
		}
		return "actions", action, err
	case cmd.Task != "":
		id, err := api.task(ctx, cmd.Task)
		return "actions", withObject(map[string]any{"type": runTask, "actorTaskId": id}, "input", input), err
	case cmd.Function != "":
		return "otherActions", withObject(map[string]any{"type": invokeFunction, "function": cmd.Function}, "params", input), nil
	default:
		action := map[string]any{"type": runAgent, "task": cmd.AgentTask}
		if cmd.Agent != "" {
			action["agentId"] = cmd.Agent
		}
		return "otherActions", action, nil
	}
}

// withObject adds an input, if there is one.
func withObject(action map[string]any, name string, input []byte) map[string]any {
	if input != nil {
		action[name] = json.RawMessage(input)
	}
	return action
}

// task finds the id of a saved task by its name or id.
func (a *apiClient) task(ctx context.Context, ref string) (string, error) {
	var t struct{ ID string }
	there, err := a.find(ctx, "/v2/actor-tasks", ref, &t)
	if err == nil && !there {
		err = errtypes.New(errtypes.NotFound, "there is no task %q", ref)
	}
	return t.ID, err
}
