package runs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/sessions"
)

func inputs(calls []Call) (all []string) {
	for _, c := range calls {
		all = append(all, c.Tool+" "+string(c.Input)+" "+c.Description)
	}
	return all
}

func chosen(json string) scripted.Turn { return done(true, "", `{"calls":`+json+`}`) }

const (
	goCall   = `click {"ref":"e1"} click button "Go"`
	nameCall = `type {"ref":"e2","text":""} type into textbox "Name"`
)

func TestWhatCanBeDoneIsObserved(t *testing.T) {
	t.Parallel()
	asked := model.Usage{Input: 7}
	for name, c := range map[string]struct {
		model   model.Model
		observe Observe
		calls   []string
		more    bool
		usage   model.Usage
		kind    errtypes.Kind
	}{
		"everything, by written steps":      {plain.New(), Observe{}, []string{goCall, nameCall}, false, model.Usage{}, 0},
		"everything, with no model asked":   {scripted.New(), Observe{}, []string{goCall, nameCall}, false, model.Usage{}, 0},
		"by words":                          {plain.New(), Observe{Instruction: "where do I type my name?"}, []string{nameCall}, false, model.Usage{}, 0},
		"nothing of those words":            {plain.New(), Observe{Instruction: "pay"}, nil, false, model.Usage{}, 0},
		"as many as wanted":                 {plain.New(), Observe{Limit: 1}, []string{goCall}, true, model.Usage{}, 0},
		"a variable for a field":            {plain.New(), Observe{Variables: map[string]Variable{"name": {Value: "secret"}}}, []string{goCall, strings.Replace(nameCall, `""`, `"%name%"`, 1)}, false, model.Usage{}, 0},
		"by a language model, in its order": {scripted.New(chosen(`[{"ref":"[e2]","text":"Ada"},{"ref":"e1","text":"x"}]`)), Observe{Instruction: "x"}, []string{strings.Replace(nameCall, `""`, `"Ada"`, 1), goCall}, false, model.Usage{}, 0},
		"what is invented is dropped":       {scripted.New(chosen(`[{"ref":"e9"},{"ref":"e2","text":"%nothing%"},{"ref":"e1"}]`)), Observe{Instruction: "x"}, []string{goCall}, false, model.Usage{}, 0},
		"none fits":                         {scripted.New(chosen(`[]`)), Observe{Instruction: "x"}, nil, false, model.Usage{}, 0},
		"nothing is done":                   {scripted.New(click("e1"), chosen(`[{"ref":"e1"}]`)), Observe{Instruction: "x"}, []string{goCall}, false, model.Usage{}, 0},
		"again where it does not fit":       {scripted.New(chosen(`[{}]`), chosen(`[{"ref":"e1"}]`)), Observe{Instruction: "x"}, []string{goCall}, false, model.Usage{}, 0},
		"what it costs":                     {scripted.New(scripted.Turn{Say: chosen(`[]`).Say, Usage: asked}), Observe{Instruction: "x"}, nil, false, asked, 0},
		"it never fits":                     {scripted.New(chosen(`1`), chosen(`1`), chosen(`1`), chosen(`1`)), Observe{Instruction: "x"}, nil, false, model.Usage{}, errtypes.Conflict},
		"the model fails":                   {scripted.New(), Observe{Instruction: "x"}, nil, false, model.Usage{}, errtypes.BadGateway},
		"too many":                          {plain.New(), Observe{Limit: 1001}, nil, false, model.Usage{}, errtypes.Invalid},
		"no such model":                     {plain.New(), Observe{Model: "none"}, nil, false, model.Usage{}, errtypes.Invalid},
	} {
		clicks := 0
		w := quick(t, setup{model: c.model, browser: &quickBrowser{clicked: &clicks}})
		got, err := w.Observe(t.Context(), w.session(t, sessions.Settings{NoRecording: true}), c.observe)
		if (err != nil) != (c.kind != 0) || err != nil && !errtypes.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.calls, inputs(got.Calls)); diff != "" || got.More != c.more || got.Usage.Tokens != c.usage {
			t.Errorf("%s: %+v %s", name, got, diff)
		}
		if rows := w.rows(t); rows != 0 || clicks != 0 {
			t.Errorf("%s: %d rows, %d clicks", name, rows, clicks)
		}
		if c.kind == 0 && got.Calls == nil {
			t.Errorf("%s: no list of calls", name)
		}
	}
}

func TestALanguageModelSeesThePageInItsFence(t *testing.T) {
	t.Parallel()
	m := scripted.New(chosen(`[]`))
	w := quick(t, setup{model: m})
	_, err := w.Observe(t.Context(), w.session(t, sessions.Settings{NoRecording: true}), Observe{Instruction: "go on", Variables: map[string]Variable{"v": {Value: "clicked 0"}}})
	if err != nil {
		t.Fatal(err)
	}
	r := m.Requests()[0]
	if r.Task != "go on" || r.Force != "done" || len(r.Tools) != 1 || !strings.Contains(r.System, "%v%") || strings.Contains(r.System, "Clicks") {
		t.Errorf("%+v", r)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != model.Assistant || r.Messages[1].Role != model.ToolRole {
		t.Fatalf("%+v", r.Messages)
	}
	page := r.Messages[1].Results()[0].Output.Text()
	if !strings.HasPrefix(page, "[page ") || !strings.Contains(page, "[e2]") || strings.Contains(page, "clicked") || !strings.Contains(page, `"%v%"`) {
		t.Errorf("%s", page)
	}
}

func TestObservedCallsAreMadeOrStale(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	id := w.session(t, sessions.Settings{NoRecording: true})
	act := func(c Call) (Acted, error) {
		return w.Act(t.Context(), id, Act{Call: &c, Variables: shopVariables})
	}
	if _, err := act(Call{Tool: "navigate", Input: json.RawMessage(`{"url":"` + site.URL + `/login"}`)}); err != nil {
		t.Fatal(err)
	}
	fields, err := w.Observe(t.Context(), id, Observe{Instruction: "fill in the email and the password", Variables: shopVariables})
	if err != nil || len(fields.Calls) != 2 {
		t.Fatalf("%+v, %v", fields, err)
	}
	buttons, err := w.Observe(t.Context(), id, Observe{Instruction: "the sign in button"})
	if err != nil || len(buttons.Calls) == 0 || !strings.HasPrefix(buttons.Calls[0].Description, `click button "Sign in"`) {
		t.Fatalf("%+v, %v", buttons, err)
	}
	for _, c := range append(fields.Calls, buttons.Calls[0]) {
		if _, err := act(c); err != nil {
			t.Fatalf("%s: %v", c.Description, err)
		}
	}
	_, err = act(buttons.Calls[0])
	if !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "is no longer on the page") {
		t.Errorf("a call of a page that has gone: %v", err)
	}
	lamps, err := w.Observe(t.Context(), id, Observe{Instruction: "lamps"})
	if err != nil || len(lamps.Calls) == 0 {
		t.Errorf("the calls have not signed in: %+v, %v", lamps, err)
	}
}
