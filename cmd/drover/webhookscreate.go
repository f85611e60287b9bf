package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/drover-go/drover"
)

type webhooksCreateCmd struct {
	onService
	URL string `arg:"" help:"Where events are sent: an https: address; also http: for events of Actors."`

	Events []string `name:"event" short:"e" required:"" help:"Send this event, such as functions.invocations.completed, agents.runs.failed or ACTOR.RUN.SUCCEEDED; may be given several times." placeholder:"EVENT"`
	Actor  string   `xor:"of" help:"Only of this Actor, by id." placeholder:"ACTOR"`
	Task   string   `xor:"of" help:"Only of this saved task, by id." placeholder:"TASK"`
	RunID  string   `name:"run" xor:"of" help:"Only of this run of an Actor, by id." placeholder:"RUN"`

	Payload         string `help:"Template of the body, with events of Actors: JSON with {{variables}}. Default all that there is." placeholder:"JSON"`
	Headers         string `help:"Template of further headers, with events of Actors: an object in JSON." placeholder:"JSON"`
	Interpolate     bool   `help:"Let variables be inside of strings of templates, too."`
	IgnoreTLSErrors bool   `name:"ignore-tls-errors" help:"Take any certificate of the receiver."`
	Once            bool   `help:"Do not send again what has failed."`
	Title           string `help:"Title." placeholder:"TEXT"`
	Description     string `help:"Description." placeholder:"TEXT"`

	AllowHTTP            bool `name:"allow-http" help:"With --data: take an http: address for all events."`
	AllowPrivateNetworks bool `help:"With --data: take an address in a private network."`
}

// Validate refuses flags of Actors with events of something else.
func (cmd webhooksCreateCmd) Validate() error {
	if cmd.ofActors() {
		return nil
	}
	for flag, given := range map[string]bool{
		"--actor": cmd.Actor != "", "--task": cmd.Task != "", "--run": cmd.RunID != "", "--payload": cmd.Payload != "", "--headers": cmd.Headers != "",
		"--interpolate": cmd.Interpolate, "--ignore-tls-errors": cmd.IgnoreTLSErrors, "--once": cmd.Once, "--title": cmd.Title != "", "--description": cmd.Description != "",
	} {
		if given {
			return fmt.Errorf(`%s goes with events whose names begin with "ACTOR."`, flag)
		}
	}
	return nil
}

// ofActors reports whether the events are those of the job platform.
func (cmd webhooksCreateCmd) ofActors() bool {
	for _, e := range cmd.Events {
		if !strings.HasPrefix(e, "ACTOR.") {
			return false
		}
	}
	return true
}

// Run makes the webhook, and prints the secret that it signs with.
func (cmd webhooksCreateCmd) Run(ctx context.Context, c console) error {
	network := network{AllowPrivateNetworks: cmd.AllowPrivateNetworks}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		h, err := cmd.create(ctx, api)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, h)
		}
		fmt.Fprintf(c.stdout, "Made webhook %s.\n", h.ID)
		if h.Secret != "" {
			fmt.Fprintf(c.stdout, "It signs with the secret %s, which is not shown again.\n", h.Secret)
		}
		return nil
	}, network.apply, func(o *drover.Options) { o.WebhookLimits.AllowHTTP = cmd.AllowHTTP })
}

func (cmd webhooksCreateCmd) create(ctx context.Context, api *apiClient) (h hookState, err error) {
	if !cmd.ofActors() {
		return h, api.call(ctx, "POST", firstWebhooks, map[string]any{"endpoint": cmd.URL, "eventTypes": cmd.Events}, &h)
	}
	body := map[string]any{
		"requestUrl": cmd.URL, "eventTypes": cmd.Events, "condition": condition{cmd.Actor, cmd.Task, cmd.RunID},
		"shouldInterpolateStrings": cmd.Interpolate, "ignoreSslErrors": cmd.IgnoreTLSErrors, "doNotRetry": cmd.Once,
	}
	for name, text := range map[string]string{"payloadTemplate": cmd.Payload, "headersTemplate": cmd.Headers, "title": cmd.Title, "description": cmd.Description} {
		if text != "" {
			body[name] = text
		}
	}
	return h, api.ask(ctx, "POST", platformWebhooks, body, &h)
}
