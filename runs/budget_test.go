package runs

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// using is a turn that has used tokens.
func using(t scripted.Turn, input, output int64) scripted.Turn {
	t.Usage = model.Usage{Input: input, Output: output}
	return t
}

func noteAnswer(answer string) scripted.Turn {
	return scripted.Call("note_answer", map[string]any{"answer": json.RawMessage(answer)})
}

func priced(m model.Model, o setup) setup {
	o.models = map[string]ModelConfig{"m": {Model: m}}
	o.standard = "m"
	o.prices = model.Prices{{Model: "m", Input: 1, Output: 10}}
	return o
}

func TestWhatARunUsesIsKept(t *testing.T) {
	t.Parallel()
	cut := &model.Error{Kind: model.ErrorAuth, Message: "no"}
	m := scripted.New(using(click("e1"), 1000, 10), using(scripted.Turn{Err: cut}, 5, 0))
	w := quick(t, priced(m, setup{}))
	r := w.do(t, Create{Task: "x"})
	want := Usage{Tokens: model.Usage{Input: 1005, Output: 10}, Cost: 1105, Questions: 2}
	if r.Usage != want || r.Model != "" {
		t.Errorf("%+v", r.Usage)
	}
	free := quick(t, setup{model: scripted.New(using(done(true, "", ""), 7, 1))})
	if r := free.do(t, Create{Task: "x"}); r.Usage != (Usage{Tokens: model.Usage{Input: 7, Output: 1}, Unpriced: true, Questions: 1}) {
		t.Errorf("without a price: %+v", r.Usage)
	}
	none := quick(t, setup{model: scripted.New(done(true, "", ""))})
	if r := none.do(t, Create{Task: "x"}); r.Usage != (Usage{}) {
		t.Errorf("without tokens: %+v", r.Usage)
	}
}

func TestARunThatSpendsItsBudgetEndsWithWhatItHas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		service, own Budget
		asked        int
		message      string
	}{
		"its tokens":           {Budget{}, Budget{Tokens: 2000}, 2, "the run has used 2020 tokens of the 2000 that it may"},
		"its money":            {Budget{}, Budget{Cost: 3000}, 3, "the run has spent 0.003300 of the 0.003000 that it may"},
		"the service's tokens": {Budget{Tokens: 1}, Budget{}, 1, "the run has used 1010 tokens of the 1 that it may"},
	} {
		m := scripted.New(using(noteAnswer(`{"found":1}`), 1000, 10), using(click("e1"), 1000, 10), using(click("e1"), 1000, 10), using(click("e1"), 1000, 10))
		w := quick(t, priced(m, setup{limits: Limits{Budget: c.service}}))
		r := w.do(t, Create{Task: "x", Limits: RunLimits{Budget: c.own}})
		if r.Status != Failed || r.Cause.Code != CauseBudget || r.Cause.Message != c.message || string(r.Result) != `{"found":1}` {
			t.Errorf("%s: %s %+v %s", name, r.Status, r.Cause, r.Result)
		}
		if len(m.Requests()) != c.asked {
			t.Errorf("%s: %d questions", name, len(m.Requests()))
		}
	}
}

func TestTheBudgetOfAProjectIsThatOfADay(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	one := using(done(true, "", ""), 600, 0)
	m := scripted.New(one, one, one)
	w := quick(t, priced(m, setup{clock: c, limits: Limits{ProjectBudget: Budget{Tokens: 1000}}}))
	for i, want := range []Status{Completed, Completed, Failed} {
		r := w.do(t, Create{Task: "x"})
		if r.Status != want {
			t.Fatalf("run %d: %s %+v", i, r.Status, r.Cause)
		}
		if want == Failed && (r.Cause.Code != CauseBudget || r.Cause.Message != "the project today has used 1200 tokens of the 1000 that it may") {
			t.Errorf("%+v", r.Cause)
		}
	}
	c.Advance(12 * time.Hour)
	if r := w.do(t, Create{Task: "x"}); r.Status != Completed {
		t.Errorf("on the next day: %+v", r.Cause)
	}
	c.Advance(500 * day)
	if n, err := w.deleteUsage(t.Context(), w.now().Add(-usageKept)); n != 2 || err != nil {
		t.Errorf("%d days deleted, %v", n, err)
	}
	if n, err := w.deleteUsage(t.Context(), w.now().Add(-usageKept)); n != 0 || err != nil {
		t.Errorf("%d days deleted again, %v", n, err)
	}
}

func TestWhatWasNotedIsTheResultOfARunThatRunsOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		turns  []scripted.Turn
		limits Limits
		status Status
		result string
	}{
		"of steps":           {[]scripted.Turn{noteAnswer(`[1]`), noteAnswer(`[1,2]`), click("e1")}, Limits{MaxSteps: 3}, Failed, `{"result":[1,2]}`},
		"of sense":           {[]scripted.Turn{noteAnswer(`1`), done(false, "no more", "")}, Limits{}, Failed, ``},
		"it ends by itself":  {[]scripted.Turn{noteAnswer(`1`), done(true, "", `{"a":2}`)}, Limits{}, Completed, `{"a":2}`},
		"nothing to be kept": {[]scripted.Turn{noteAnswer(`null`), noteAnswer(`"` + string(make([]byte, 0)) + `"`), click("e1")}, Limits{MaxSteps: 3}, Failed, `{"result":""}`},
	} {
		w := quick(t, setup{model: scripted.New(c.turns...), limits: c.limits})
		if r := w.do(t, Create{Task: "x"}); r.Status != c.status || string(r.Result) != c.result {
			t.Errorf("%s: %s %+v %s", name, r.Status, r.Cause, r.Result)
		}
	}
}

func TestATimedOutRunReturnsWhatWasNoted(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	asked := make(chan struct{})
	m := scripted.New(noteAnswer(`{"half":true}`), hanging(asked))
	w := quick(t, setup{model: m, clock: c})
	r := w.create(t, Create{Task: "x", Limits: RunLimits{MaxDuration: time.Minute}})
	<-asked
	c.Advance(time.Minute)
	if got := w.wait(t, r.ID); got.Status != TimedOut || string(got.Result) != `{"half":true}` {
		t.Errorf("%s %+v %s", got.Status, got.Cause, got.Result)
	}
}

func TestLimitsOfARunAreWithinThoseOfTheService(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{idle: true, limits: Limits{MaxSteps: 10, Budget: Budget{Tokens: 100}}})
	for want, l := range map[string]RunLimits{
		"limits.maxSteps must be 1 to 10":                               {MaxSteps: 11},
		"limits.maxDuration must be 1s to 20m0s":                        {MaxDuration: time.Hour},
		"limits.budget.tokens must be at most 100":                      {Budget: Budget{Tokens: 101}},
		"limits.budget.cost must not be negative":                       {Budget: Budget{Cost: -1}},
		"model is none that this service offers: \"x\"; there is plain": {},
	} {
		create := Create{Task: "x", Limits: l}
		if l == (RunLimits{}) {
			create.Model = "x"
		}
		if _, err := w.Create(t.Context(), create); publicText(err, "") != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}

// An amount of money that nothing counts against would bound nothing.
func TestABudgetOfMoneyNeedsPrices(t *testing.T) {
	t.Parallel()
	free, dear := scripted.New(done(true, "", "")), scripted.New()
	models := map[string]ModelConfig{"dear": {Model: dear, Fallback: "free"}, "free": {Model: free}, "other": {Model: scripted.New()}}
	prices := model.Prices{{Model: "dear", Input: 1, Output: 10}, {Model: "free"}, {Model: "other", Above: 1000, Input: 1}}
	w := quick(t, setup{models: models, standard: "dear", prices: prices, idle: true})
	for want, c := range map[string]Create{
		"": {Model: "dear"}, "none": {Model: "plain"},
		`limits.budget.cost needs a price of the model "other", which may be 0: without one it would bound nothing`: {Model: "other"},
	} {
		c.Task, c.Limits.Budget.Cost = "x", 5
		if _, err := w.Create(t.Context(), c); publicText(err, "") != want && !(want == "none" && err == nil) {
			t.Errorf("%v instead of %s", err, want)
		}
	}
	for want, l := range map[string]Limits{
		"Limits.Budget.Cost needs a price of the model \"other\"":        {Budget: Budget{Cost: 1}},
		"Limits.ProjectBudget.Cost needs a price of the model \"other\"": {ProjectBudget: Budget{Cost: 1}},
	} {
		config := w.conf
		config.Limits = l
		s, err := New(t.Context(), config)
		if s != nil || !errtypes.Is(err, errtypes.Invalid) || !strings.HasPrefix(publicText(err, ""), want) {
			t.Errorf("%v instead of %s", err, want)
		}
	}
	unpriced := quick(t, setup{models: models, standard: "dear", prices: prices[:1], idle: true})
	if _, err := unpriced.Create(t.Context(), Create{Task: "x", Limits: RunLimits{Budget: Budget{Cost: 5}}}); !strings.Contains(publicText(err, ""), `the model "free"`) {
		t.Errorf("a fallback without a price: %v", err)
	}
}

func TestAFallbackIsToldInTheUsage(t *testing.T) {
	t.Parallel()
	cut := scripted.Turn{Err: &model.Error{Kind: model.ErrorAuth, Message: "no"}}
	for name, usage := range map[string]model.Usage{"with tokens": {Input: 7, Output: 1}, "without": {}} {
		w := quick(t, setup{standard: "a", models: map[string]ModelConfig{
			"a": {Model: scripted.New(cut), Fallback: "b"}, "b": {Model: scripted.New(using(click("e1"), usage.Input, usage.Output), done(true, "", ""))},
		}})
		r := w.do(t, Create{Task: "x"})
		if got, err := w.Get(t.Context(), r.ID); err != nil || got.Status != Completed || got.Usage.Fallback != "b" || got.Usage.Tokens != usage {
			t.Errorf("%s: %+v %+v, %v", name, got.Usage, got.Cause, err)
		}
	}
}
