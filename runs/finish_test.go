package runs

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

func TestTheLastStepCanOnlyEndTheRun(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	bad, good, talk := done(true, "", `{"n":"x"}`), done(true, "", `{"n":1}`), calls(model.Text("It is 1."))
	for name, c := range map[string]struct {
		turns  []scripted.Turn
		schema json.RawMessage
		asked  int
		end    string
	}{
		"it acts":                        {[]scripted.Turn{click("e1"), click("e1")}, nil, 2, "FAILED STEP_LIMIT_EXCEEDED"},
		"a result that does not fit":     {[]scripted.Turn{click("e1"), bad, good}, schema, 3, `COMPLETED {"n":1}`},
		"two of them":                    {[]scripted.Turn{click("e1"), bad, bad}, schema, 3, "FAILED RESULT_INVALID"},
		"words where anything will do":   {[]scripted.Turn{click("e1"), talk}, nil, 2, `COMPLETED {"text":"It is 1."}`},
		"words where a result is to fit": {[]scripted.Turn{click("e1"), talk}, schema, 2, "FAILED STEP_LIMIT_EXCEEDED"},
	} {
		m := scripted.New(c.turns...)
		w := quick(t, setup{model: m, limits: Limits{MaxSteps: 2}})
		r := w.do(t, Create{Task: "x", ResultSchema: c.schema})
		got := fmt.Sprint(r.Status, " ", string(r.Result))
		if r.Cause != nil {
			got = fmt.Sprint(r.Status, " ", r.Cause.Code)
		}
		if got != c.end || len(m.Requests()) != c.asked {
			t.Errorf("%s: %s after %d questions", name, got, len(m.Requests()))
		}
		if b := lines(w.conversation(t, r.ID)); name == "it acts" && b[3] != "tool-result click error-text: not executed: nothing but done can be called any more" {
			t.Errorf("%q", b)
		}
	}
}

func TestAModelThatActsWhenOnlyTheEndIsLeft(t *testing.T) {
	t.Parallel()
	talk := calls(model.Text("I think."))
	w := quick(t, setup{model: scripted.New(talk, talk, talk, click("e1"))})
	if r := w.do(t, Create{Task: "x"}); r.Status != Failed || !strings.Contains(r.Cause.Message, "nothing else was left to call") {
		t.Errorf("%s %+v", r.Status, r.Cause)
	}
}

func TestFailuresCountBehindARefusedResult(t *testing.T) {
	t.Parallel()
	bad := func(ref string) scripted.Turn { return scripted.Call("click", map[string]any{"ref": 1, "no": ref}) }
	m := scripted.New(done(true, "", `{"n":"x"}`), bad("a"), bad("b"), bad("c"))
	w := quick(t, setup{model: m})
	r := w.do(t, Create{Task: "x", ResultSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)})
	if r.Status != Failed || len(m.Requests()) != 4 || !strings.Contains(r.Cause.Message, "3 steps in a row failed") {
		t.Errorf("%s %+v after %d questions", r.Status, r.Cause, len(m.Requests()))
	}
}

func TestARefusalOfARepeatedCallLasts(t *testing.T) {
	t.Parallel()
	b := &quickBrowser{}
	look := scripted.Call("snapshot", nil)
	w := quick(t, setup{browser: b, model: scripted.New(click(""), look, click(""), look, click(""), look, click(""), done(true, "", ""))})
	r := w.do(t, Create{Task: "x"})
	got := lines(w.conversation(t, r.ID))
	for _, i := range []int{9, 13} {
		if !strings.Contains(got[i], "not executed: the same call has failed 2 times") {
			t.Errorf("%q", got[i])
		}
	}
}

func TestAStopBesideAnAnswerWithManyCalls(t *testing.T) {
	t.Parallel()
	var many []model.Part
	for i := range 1000 {
		many = append(many, model.Call(fmt.Sprint("c", i), "click", map[string]string{"ref": "e1", "why": strings.Repeat("x", 500)}))
	}
	w := quick(t, setup{model: scripted.New(calls(many...), done(true, "", ""))})
	r := w.do(t, Create{Task: "x"})
	all := w.conversation(t, r.ID)
	raw, _ := json.Marshal(all[0])
	if n := len(all[0].Calls()); r.Status != Completed || n != maxKept || len(raw) > 64<<10 {
		t.Errorf("%s %+v: %d calls, %d bytes", r.Status, r.Cause, n, len(raw))
	}
}
