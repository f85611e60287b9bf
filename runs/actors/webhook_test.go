package actors

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
)

func doNothing(context.Context, *Run) error { return nil }

func hook(change func(*Webhook)) Webhook {
	w := Webhook{Events: []string{"ACTOR.RUN.SUCCEEDED"}, RequestURL: "https://example.com/hook"}
	change(&w)
	return w
}

func TestWebhooksAreKeptWithTheRun(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{Func("nothing", doNothing, FuncOptions{})}})
	all := []Webhook{
		hook(func(*Webhook) {}),
		hook(func(h *Webhook) {
			h.PayloadTemplate, h.IdempotencyKey, h.Interpolate = `{"a": {{resource}}}`, "k", true
		}),
	}
	r, err := w.Start(t.Context(), "~nothing", Start{Webhooks: all})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := w.Run(t.Context(), r.ID)
	if diff := cmp.Diff(all, stored.Webhooks); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestWebhooksThatCannotBeSent(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{Func("nothing", doNothing, FuncOptions{})}})
	many := make([]Webhook, maxWebhooks+1)
	for i := range many {
		many[i] = hook(func(*Webhook) {})
	}
	for field, all := range map[string][]Webhook{
		"webhooks":                   many,
		"webhooks[0].eventTypes":     {hook(func(h *Webhook) { h.Events = nil })},
		"webhooks[1].eventTypes":     {hook(func(*Webhook) {}), hook(func(h *Webhook) { h.Events = []string{"ACTOR.RUN"} })},
		"webhooks[0].requestUrl":     {hook(func(h *Webhook) { h.RequestURL = "ftp://example.com" })},
		"webhooks[0].idempotencyKey": {hook(func(h *Webhook) { h.IdempotencyKey = strings.Repeat("k", 256) })},
	} {
		_, err := w.Start(t.Context(), "~nothing", Start{Webhooks: all})
		if pub := errtypes.Public(err); err == nil || pub.Kind != errtypes.Invalid || pub.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	large := []Webhook{hook(func(h *Webhook) { h.PayloadTemplate = strings.Repeat("x", maxKept) })}
	if _, err := w.Start(t.Context(), "~nothing", Start{Webhooks: large}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("too large: %v", err)
	}
}
