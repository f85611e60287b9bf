package runs

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

func TestACallThatFailedTwiceTheSameWayIsRefused(t *testing.T) {
	ok, bad, worse := model.TextOutput("fine"), model.ErrorOutput("covered by a banner\nadvice"), model.ErrorOutput("stale")
	a := model.Call("1", "click", map[string]any{"ref": "e1", "force": true})
	other := model.Call("3", "click", map[string]string{"ref": "e2"})
	look := model.Call("4", "snapshot", nil)
	done := model.Call("5", "done", map[string]bool{"success": true})
	type step struct {
		call model.Part
		out  model.Output
	}
	for name, c := range map[string]struct {
		steps   []step
		call    model.Part
		refused bool
	}{
		"never":                      {nil, a, false},
		"once":                       {[]step{{a, bad}}, a, false},
		"twice":                      {[]step{{a, bad}, {a, bad}}, a, true},
		"written otherwise":          {[]step{{a, bad}, {model.Part{ToolName: "click", Input: []byte(`{ "ref":"e1", "force":true }`)}, bad}}, a, true},
		"in two ways":                {[]step{{a, bad}, {a, worse}}, a, false},
		"another call":               {[]step{{a, bad}, {a, bad}}, other, false},
		"something else was done":    {[]step{{a, bad}, {a, bad}, {other, ok}}, a, false},
		"something else failed, too": {[]step{{a, bad}, {a, bad}, {other, bad}}, a, true},
		"it was only looked at":      {[]step{{a, bad}, {a, bad}, {look, ok}}, a, true},
		"the end":                    {[]step{{done, bad}, {done, bad}}, done, false},
	} {
		var r repeats
		for _, s := range c.steps {
			r.note(s.call, s.out)
		}
		why := r.refuse(c.call)
		if (why != "") != c.refused || c.refused && !strings.Contains(why, "covered by a banner") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

func TestStepsInCirclesAreTold(t *testing.T) {
	var r repeats
	call := []model.Part{model.Call("1", "click", map[string]string{"ref": "e1"})}
	result := func(text string) []model.Part { return []model.Part{model.Result(call[0], model.TextOutput(text))} }
	told := 0
	for n := range 10 {
		if r.step(call, result("Clicked.\n- button [e1]\n- *new")) != "" {
			told++
		}
		if n%3 == 0 && r.step(call, result(strings.Repeat("x", n))) != "" {
			t.Error("a step that differs is told")
		}
	}
	if told != 3 {
		t.Errorf("told %d times", told)
	}
	for range 100 {
		r.step(call, result("y"))
	}
	if len(r.steps) > loopWindow {
		t.Errorf("%d steps are kept", len(r.steps))
	}
}

func TestAnAgentInCirclesIsTold(t *testing.T) {
	t.Parallel()
	look := scripted.Call("snapshot", nil)
	m := scripted.New(look, look, look, done(true, "", ""))
	w := quick(t, setup{model: m, limits: Limits{MaxSteps: 8}})
	if r := w.do(t, Create{Task: "x"}); r.Status != Completed {
		t.Fatalf("%+v", r.Cause)
	}
	if hint := lastHint(m.Requests()[3]); !strings.Contains(hint, "the same calls 3 times") {
		t.Errorf("%q", hint)
	}
	if hint := lastHint(m.Requests()[2]); hint != "" {
		t.Errorf("%q", hint)
	}
}

// lastHint is what the loop itself said last to a model.
func lastHint(r model.Request) string {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == model.User {
		return r.Messages[n-1].Content[0].Text
	}
	return ""
}

func TestAnAgentIsRemindedOfItsSteps(t *testing.T) {
	t.Parallel()
	var turns []scripted.Turn
	for i := range 8 {
		turns = append(turns, scripted.Call("snapshot", map[string]int{"offset": i}))
	}
	m := scripted.New(turns...)
	w := quick(t, setup{model: m, limits: Limits{MaxSteps: 8}})
	r := w.do(t, Create{Task: "x"})
	if r.Status != Failed || r.Cause.Code != CauseStepLimit {
		t.Fatalf("%s %+v", r.Status, r.Cause)
	}
	for i, asked := range m.Requests() {
		hint := lastHint(asked)
		if (hint == "6 of 8 steps are used. Come to an end: note_answer keeps what you have found, and done ends the run.") != (i == 6) {
			t.Errorf("step %d: %q", i+1, hint)
		}
		if last := i == 7; (asked.Force == "done") != last || (len(asked.Tools) == 1) != last {
			t.Errorf("step %d: force %q, %d tools", i+1, asked.Force, len(asked.Tools))
		}
	}
}
