package runs

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// hanging is a turn that tells it was asked, and answers nothing until it is
// broken off.
func hanging(asked chan<- struct{}) scripted.Turn {
	return scripted.Turn{Do: func(ctx context.Context, _ model.Request) (model.Response, error) {
		asked <- struct{}{}
		<-ctx.Done()
		return model.Response{}, ctx.Err()
	}}
}

func TestTheHostRulesWhatToolsDo(t *testing.T) {
	t.Parallel()
	var seen []ToolCall
	var steps []Step
	b := &quickBrowser{}
	w := quick(t, setup{
		browser: b,
		model:   scripted.New(click("e1"), click("e9"), scripted.Call("navigate", map[string]string{"url": "https://buy.example"}), done(true, "", `{"a":1}`)),
		hooks: Hooks{
			BeforeCall: func(_ context.Context, c ToolCall) (Decision, error) {
				seen = append(seen, c)
				switch {
				case c.Tool == "navigate":
					return Deny("nothing is bought here"), nil
				case strings.Contains(string(c.Input), "e9"):
					return Change(json.RawMessage(`{"ref":"e1"}`)), nil
				}
				return Allow(), nil
			},
			AfterStep: func(_ context.Context, s Step) { steps = append(steps, s) },
		},
	})
	r := w.do(t, Create{Task: "x"})
	if r.Status != Completed {
		t.Fatalf("%+v", r.Cause)
	}
	got := lines(w.conversation(t, r.ID))
	want := []string{
		`tool-call click {"ref":"e1"}`,
		`tool-result click text: Clicked [e1].`,
		`tool-call click {"ref":"e9"}`,
		`tool-result click text: Clicked button "Go" [e1].`,
		`tool-call navigate {"url":"https://buy.example"}`,
		`tool-result navigate error-text: not executed: nothing is bought here`,
		`tool-call done {"result":{"a":1},"success":true,"reason":""}`,
		`tool-result done text: The run ends.`,
	}
	want[6] = got[6]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(seen) != 4 || seen[0].URL != "" || seen[1].URL != "https://a.example/" || seen[2].Step != 3 || seen[3].Tool != "done" || seen[0].RunID != r.ID {
		t.Errorf("%+v", seen)
	}
	if len(steps) != 4 || steps[2].Number != 3 || len(steps[2].Messages) != 2 || steps[3].ProjectID == "" {
		t.Errorf("%+v", steps)
	}
}

func TestHooksThatFail(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]func(context.Context, ToolCall) (Decision, error){
		"error": func(context.Context, ToolCall) (Decision, error) {
			return Decision{}, errors.New("the host's own trouble")
		},
		"panic": func(context.Context, ToolCall) (Decision, error) { panic("boom") },
	} {
		w := quick(t, setup{model: scripted.New(click("e1")), hooks: Hooks{BeforeCall: hook}})
		r := w.do(t, Create{Task: "x"})
		if r.Status != Failed || r.Cause.Code != CauseInternal || strings.Contains(r.Cause.Message, "trouble") {
			t.Errorf("%s: %s %+v", name, r.Status, r.Cause)
		}
	}
}

func TestAStopWhileTheHostDecides(t *testing.T) {
	t.Parallel()
	deciding := make(chan struct{})
	w := quick(t, setup{model: scripted.New(click("e1")), hooks: Hooks{BeforeCall: func(ctx context.Context, _ ToolCall) (Decision, error) {
		close(deciding)
		<-ctx.Done()
		return Decision{}, ctx.Err()
	}}})
	r := w.create(t, Create{Task: "x"})
	<-deciding
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.wait(t, r.ID); got.Status != Stopped {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
	if got := lines(w.conversation(t, r.ID)); got[1] != "tool-result click error-text: stopped" {
		t.Error(got)
	}
}
