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
		`tool-result click text: The host has changed the input of this call: {"ref":"e1"}`,
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

// A hook decides about what is done: a property that stands twice, or in other
// letters, is refused before anybody is asked.
func TestAHookSeesWhatIsDone(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]string{
		"other letters": `{"url":"https://ok.example/","URL":"https://evil.example/"}`,
		"twice":         `{"url":"https://ok.example/","url":"https://evil.example/"}`,
	} {
		var seen []string
		bad := scripted.Turn{Do: func(context.Context, model.Request) (model.Response, error) {
			return model.Response{Content: []model.Part{{Type: model.ToolCallPart, ToolCallID: "c", ToolName: "navigate", Input: json.RawMessage(input)}}}, nil
		}}
		more := scripted.Call("navigate", map[string]any{"url": "https://a.example", "confirmed": true})
		w := quick(t, setup{model: scripted.New(bad, more, done(true, "", "")), hooks: Hooks{BeforeCall: func(_ context.Context, c ToolCall) (Decision, error) {
			seen = append(seen, c.Tool+" "+string(c.Input))
			return Allow(), nil
		}}})
		r := w.do(t, Create{Task: "x"})
		if r.Status != Completed || len(seen) != 2 || seen[0] != `navigate {"url":"https://a.example"}` {
			t.Errorf("%s: %s %+v, %q", name, r.Status, r.Cause, seen)
		}
		if got := lines(w.conversation(t, r.ID))[1]; !strings.HasPrefix(got, "tool-result navigate error-text: input: ") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestADenialIsOfOneCallAndEachTime(t *testing.T) {
	t.Parallel()
	asked := 0
	again := calls(model.Call("", "navigate", map[string]string{"url": "https://a.example"}), model.Call("", "snapshot", nil))
	w := quick(t, setup{model: scripted.New(again, again, again, done(true, "", "")), hooks: Hooks{BeforeCall: func(_ context.Context, c ToolCall) (Decision, error) {
		if c.Tool != "navigate" {
			return Allow(), nil
		}
		if asked++; asked < 3 {
			return Deny("not yet"), nil
		}
		return Allow(), nil
	}}})
	r := w.do(t, Create{Task: "x"})
	got := lines(w.conversation(t, r.ID))
	if r.Status != Completed || asked != 3 || strings.Contains(got[3], "not yet") || !strings.HasPrefix(got[10], "tool-result navigate text: Opened") {
		t.Errorf("%s %+v, asked %d times: %q", r.Status, r.Cause, asked, got)
	}
}

func TestAPanicLeavesNoCallWithoutAResult(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{model: scripted.New(click("e1")), hooks: Hooks{BeforeCall: func(context.Context, ToolCall) (Decision, error) { panic("boom") }}})
	r := w.do(t, Create{Task: "x"})
	if got := lines(w.conversation(t, r.ID)); len(got) != 2 {
		t.Errorf("%q", got)
	}
}
