package actors

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks"
)

func doNothing(context.Context, *Run) error { return nil }

var nothing = Func("nothing", doNothing, FuncOptions{})

func hook(change ...func(*webhooks.Create)) webhooks.Create {
	c := webhooks.Create{Settings: webhooks.Settings{Events: []string{"ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED"}, URL: "https://receiver.example/hook"}}
	for _, f := range change {
		f(&c)
	}
	return c
}

// hooksOf are the webhooks that go with a run.
func (w *world) hooksOf(t *testing.T, run string) []webhooks.Webhook {
	t.Helper()
	return must(w.hooks.List(t.Context(), webhooks.Filter{Run: run}))(t).Items
}

func TestWebhooksGoWithTheRun(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{nothing}, idle: true})
	given := hook(func(c *webhooks.Create) {
		c.PayloadTemplate, c.Interpolate, c.IdempotencyKey = `{"a": {{resource}}}`, true, "k"
	})
	r := must(w.Start(t.Context(), "~nothing", Start{Webhooks: []webhooks.Create{hook(), given}}))(t)
	all := w.hooksOf(t, r.ID)
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for _, got := range all {
		want := hook().Settings
		if got.IdempotencyKey == given.IdempotencyKey {
			want = given.Settings
		}
		want.Protocol, want.Condition = webhooks.Platform, webhooks.Condition{Run: r.ID}
		if diff := cmp.Diff(want, got.Settings); diff != "" || !got.AdHoc {
			t.Errorf("%+v: %s", got, diff)
		}
		if sent := must(w.hooks.Dispatches(t.Context(), webhooks.Filter{Webhook: got.ID}))(t).Items; len(sent) != 1 || sent[0].Event != "ACTOR.RUN.CREATED" {
			t.Errorf("%+v", sent)
		}
	}
	// The key has been used: it makes no other one.
	other := must(w.Start(t.Context(), "~nothing", Start{Webhooks: []webhooks.Create{given, hook()}}))(t)
	if all := w.hooksOf(t, other.ID); len(all) != 1 || all[0].IdempotencyKey != "" {
		t.Errorf("%+v", all)
	}
	must(w.Abort(t.Context(), r.ID, false))(t)
	must(0, w.DeleteRun(t.Context(), r.ID))(t)
	if all := w.hooksOf(t, r.ID); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// A run is kept for longer than it would be while what goes with it is still to be sent.
func TestARunIsKeptUntilItsWebhooksAreTold(t *testing.T) {
	t.Parallel()
	now := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	w := start(t, setup{actors: []Definition{nothing}, idle: true, clock: now, retention: time.Hour})
	aborted := hook(func(c *webhooks.Create) { c.Events = []string{"ACTOR.RUN.ABORTED"} })
	told := must(w.Start(t.Context(), "~nothing", Start{}))(t)
	waits := must(w.Start(t.Context(), "~nothing", Start{Webhooks: []webhooks.Create{aborted}}))(t)
	for _, r := range []RunInfo{told, waits} {
		must(w.Abort(t.Context(), r.ID, false))(t)
	}
	now.Advance(2 * time.Hour)
	w.keeper.Do(t.Context())
	if _, err := w.Run(t.Context(), told.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("%v", err)
	}
	must(w.Run(t.Context(), waits.ID))(t)
	must(0, w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE webhook_dispatches SET status = 'SUCCEEDED', finished_at = 1 WHERE object = $1`, waits.ID)
		return err
	}))(t)
	now.Advance(2 * time.Hour)
	w.keeper.Do(t.Context())
	if _, err := w.Run(t.Context(), waits.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("%v", err)
	}
}

// Nothing is left of a run whose webhooks are refused.
func TestWebhooksThatCannotBeSent(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{nothing}, idle: true})
	many := make([]webhooks.Create, maxWebhooks+1)
	for i := range many {
		many[i] = hook()
	}
	for field, all := range map[string][]webhooks.Create{
		"webhooks":                    many,
		"webhooks[0].eventTypes":      {hook(func(h *webhooks.Create) { h.Events = nil })},
		"webhooks[1].eventTypes":      {hook(), hook(func(h *webhooks.Create) { h.Events = []string{"ACTOR.RUN"} })},
		"webhooks[0].url":             {hook(func(h *webhooks.Create) { h.URL = "ftp://receiver.example" })},
		"webhooks[0].payloadTemplate": {hook(func(h *webhooks.Create) { h.PayloadTemplate = "{{secrets}}" })},
		"webhooks[0].idempotencyKey":  {hook(func(h *webhooks.Create) { h.IdempotencyKey = strings.Repeat("k", 256) })},
	} {
		_, err := w.Start(t.Context(), "~nothing", Start{Webhooks: all, Input: input(`{}`)})
		if pub := errtypes.Public(err); err == nil || pub.Kind != errtypes.Invalid || pub.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if l := must(w.Runs(t.Context(), RunFilter{}))(t); l.Total != 0 {
		t.Errorf("%+v", l)
	}
}

// A host without webhooks takes none, rather than to send none.
func TestAHostThatSendsNoWebhooks(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{nothing}, idle: true, quiet: true})
	w.conf.Webhooks = nil
	must(w.Start(t.Context(), "~nothing", Start{}))(t)
	_, err := w.Start(t.Context(), "~nothing", Start{Webhooks: []webhooks.Create{hook()}})
	fails(t, err, errtypes.Invalid, "", "this host sends none")
}

// Rows of runs that were started when webhooks were kept with them are read.
func TestWebhooksOfFormerRuns(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{nothing}, idle: true})
	r := must(w.Start(t.Context(), "~nothing", Start{}))(t)
	must(0, w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE actor_runs SET webhooks = $2 WHERE id = $1`, r.ID,
			`[{"Events":["ACTOR.RUN.SUCCEEDED"],"RequestURL":"https://example.com/","PayloadTemplate":"{}","HeadersTemplate":"","Interpolate":true,"IdempotencyKey":"k","IgnoreTLSErrors":false,"DoNotRetry":true}]`)
		return err
	}))(t)
	want := []webhooks.Create{{IdempotencyKey: "k", AdHoc: true, Settings: webhooks.Settings{
		Protocol: webhooks.Platform, URL: "https://example.com/", Events: []string{"ACTOR.RUN.SUCCEEDED"}, PayloadTemplate: "{}", Interpolate: true, DoNotRetry: true,
	}}}
	if diff := cmp.Diff(want, must(w.Run(t.Context(), r.ID))(t).Webhooks); diff != "" {
		t.Error(diff)
	}
	if all := w.hooksOf(t, r.ID); len(all) != 0 { // the watcher's is of the project
		t.Errorf("%+v", all)
	}
	if r = must(w.Abort(t.Context(), r.ID, false))(t); r.Status != Aborted {
		t.Errorf("%+v", r)
	}
}
