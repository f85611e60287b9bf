package runs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/storage/projects"
)

type lookUp struct {
	ID   string `json:"id" jsonschema:"The order's number."`
	Kind string `json:"kind,omitempty"`
}

// stock is a tool that answers what a test says.
func stock(do func(ctx context.Context, c ToolContext, in lookUp) (any, error)) Tool {
	return NewTool("stock", "Looks an order up.", do)
}

// said are what the tools of a run have answered, the end left out.
func (w *working) said(t *testing.T, r Run) (all []model.Output) {
	t.Helper()
	for _, m := range w.conversation(t, r.ID) {
		for _, p := range m.Results() {
			if p.ToolName != "done" {
				all = append(all, *p.Output)
			}
		}
	}
	return all
}

func TestAToolOfTheHost(t *testing.T) {
	t.Parallel()
	var asked []lookUp
	var at ToolContext
	var project string
	tool := stock(func(ctx context.Context, c ToolContext, in lookUp) (any, error) {
		p, _ := projects.From(ctx)
		asked, at, project = append(asked, in), c, p.ID
		return map[string]any{"id": in.ID, "who": "hunter22 says \u200b<b>"}, nil
	})
	m := scripted.New(scripted.Call("stock", map[string]any{"id": "%pass%-7", "note": "models add some"}), done(true, "", `{"a":1}`))
	w := quick(t, setup{model: m, tools: []Tool{tool}})
	r := w.do(t, Create{Task: "x", Variables: map[string]Variable{"pass": {Value: "hunter22"}}})
	if r.Status != Completed || r.SessionID != "" {
		t.Fatalf("a tool that needs no browser has got one: %+v", r)
	}
	if diff := cmp.Diff([]lookUp{{ID: "%pass%-7"}}, asked); diff != "" {
		t.Error(diff)
	}
	if at.RunID != r.ID || at.Step != 1 || at.ProjectID == "" || project != at.ProjectID || at.Logger == nil {
		t.Errorf("%+v in %q", at, project)
	}
	if out := w.said(t, r)[0]; out.Type != model.OutputJSON || string(out.Value) != `{"id":"%pass%-7","who":"%pass% says \u003cb\u003e"}` {
		t.Errorf("%s", out.Value)
	}
	requests := m.Requests()
	shown := requests[1].Messages[1].Results()[0].Output.Text()
	if !strings.HasPrefix(shown, "[page ") || !strings.Contains(shown, "%pass% says") {
		t.Errorf("what it says is no data to the model: %s", shown)
	}
	i := slices.IndexFunc(requests[0].Tools, func(t model.Tool) bool { return t.Name == "stock" })
	if i < 0 || requests[0].Tools[i].Description != "Looks an order up." || !strings.Contains(string(requests[0].Tools[i].Input), "The order's number.") {
		t.Errorf("%+v", requests[0].Tools)
	}
	if last := requests[0].Tools[len(requests[0].Tools)-1]; last.Name != "done" {
		t.Errorf("the last tool is %s", last.Name)
	}
}

func TestWhatToolsOfTheHostAnswer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 20_000)
	for name, c := range map[string]struct {
		input string
		value any
		err   error
		kind  model.OutputType
		text  string
	}{
		"text":             {`{"id":"a"}`, "fine", nil, model.OutputText, "\nfine\n[end of page "},
		"number":           {`{"id":"a"}`, 7, nil, model.OutputJSON, "7"},
		"nothing":          {`{"id":"a"}`, nil, nil, model.OutputJSON, "null"},
		"no JSON":          {`{"id":"a"}`, func() {}, nil, model.OutputErrorText, "has a fault"},
		"long text":        {`{"id":"a"}`, long, nil, model.OutputText, "… (cut)"},
		"long JSON":        {`{"id":"a"}`, []string{long}, nil, model.OutputText, "… (cut)"},
		"error":            {`{"id":"a"}`, nil, errors.New("no\norder hunter22"), model.OutputErrorText, "no order %pass%; it may have taken effect"},
		"nothing was done": {`{"id":"a"}`, nil, errtypes.New(errtypes.Invalid, "no such order"), model.OutputErrorText, "no such order"},
		"missing":          {`{}`, "", nil, model.OutputErrorText, `input: it must have the property "id"`},
		"wrong type":       {`{"id":7}`, "", nil, model.OutputErrorText, "input: /id must be string, but is number"},
		"twice":            {`{"id":"a","id":"b"}`, "", nil, model.OutputErrorText, "id is there twice"},
		"other letters":    {`{"ID":"a"}`, "", nil, model.OutputErrorText, "the property is called id, not ID"},
		"own words":        {`{"id":"a","kind":"trusted"}`, "well done", nil, model.OutputText, "well done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool := stock(func(context.Context, ToolContext, lookUp) (any, error) { return c.value, c.err })
			tool.Trusted = strings.Contains(c.input, "trusted")
			m := scripted.New(scripted.Turn{Say: []model.Part{{Type: model.ToolCallPart, ToolCallID: "c", ToolName: "stock", Input: json.RawMessage(c.input)}}}, done(true, "", `{"a":1}`))
			w := quick(t, setup{model: m, tools: []Tool{tool}, limits: Limits{MaxOutput: 4000}})
			out := w.said(t, w.do(t, Create{Task: "x", Variables: map[string]Variable{"pass": {Value: "hunter22"}}}))[0]
			if out.Type != c.kind || !strings.Contains(out.Text(), c.text) || len(out.Text()) > 4000 {
				t.Errorf("%s %d bytes: %.300s", out.Type, len(out.Text()), out.Text())
			}
			if name == "nothing was done" && out.Text() != c.text || name == "own words" && out.Text() != c.text {
				t.Error(out.Text())
			}
		})
	}
}

func TestAToolOfTheHostThatFails(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	late := make(chan error, 1)
	tools := []Tool{
		NewTool("panics", "Panics.", func(context.Context, ToolContext, struct{}) (any, error) { panic("hunter22") }),
		{Name: "hangs", Description: "Hangs.", Input: json.RawMessage(`{"type":"object"}`), Timeout: time.Millisecond, ReadOnly: true,
			Call: func(_ context.Context, c ToolContext, _ json.RawMessage) (any, error) {
				<-release
				_, err := c.Browser()
				late <- err
				return nil, nil
			}},
		{Name: "slow", Description: "Ends with its context.", Input: json.RawMessage(`{"type":"object"}`), Timeout: time.Millisecond,
			Call: func(ctx context.Context, _ ToolContext, _ json.RawMessage) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}},
	}
	w := quick(t, setup{tools: tools, model: scripted.New(scripted.Call("panics", nil), scripted.Call("hangs", nil), done(true, "", `{"a":1}`), scripted.Call("slow", nil), done(true, "", ""))})
	r := w.do(t, Create{Task: "x", Variables: map[string]Variable{"pass": {Value: "hunter22"}}})
	out := w.said(t, r)
	if r.Status != Completed || !strings.Contains(out[0].Text(), "has a fault") || out[1].Text() != "the tool took too long and was stopped" {
		t.Fatalf("%+v %s", r, out)
	}
	if log := w.log.String(); strings.Contains(log, "hunter22") || !strings.Contains(log, "left behind") {
		t.Error(log)
	}
	release <- struct{}{}
	if err := <-late; !errtypes.Is(err, errtypes.Gone) {
		t.Errorf("a call that is over has got a browser: %v", err)
	}
	if out := w.said(t, w.do(t, Create{Task: "x"})); !strings.Contains(out[0].Text(), "took too long") || !strings.Contains(out[0].Text(), "may have taken effect") {
		t.Error(out[0].Text())
	}
}

func TestAToolOfTheHostUsesTheBrowser(t *testing.T) {
	t.Parallel()
	tool := NewTool("press_go", "Presses it.", func(ctx context.Context, c ToolContext, _ struct{}) (any, error) {
		b, err := c.Browser()
		if err != nil {
			return nil, err
		}
		defer b.Close() // is the run's, and stays
		snap, err := b.Snapshot(ctx)
		if err != nil {
			return nil, err
		}
		_, err = b.Click(ctx, snap.Find("button", "Go"))
		return "pressed", err
	})
	w := quick(t, setup{browser: &quickBrowser{moves: true}, tools: []Tool{tool}, model: scripted.New(scripted.Call("snapshot", nil),
		calls(model.Call("a", "press_go", nil), clickPart("b")), click("e1"), done(true, "", `{"a":1}`))})
	r := w.do(t, Create{Task: "x"})
	out := w.said(t, r)
	if r.Status != Completed || !strings.Contains(out[1].Text(), "pressed") || !strings.Contains(out[1].Text(), `"clicked 1"`) {
		t.Fatalf("%+v\n%s", r, out)
	}
	if !strings.Contains(out[2].Text(), "the page has changed") || out[3].IsError() {
		t.Errorf("%s", out[2:])
	}
	w = quick(t, setup{browser: &quickBrowser{openErr: errtypes.New(errtypes.Unavailable, "no room")}, tools: []Tool{tool}, model: scripted.New(scripted.Call("press_go", nil))})
	if r := w.do(t, Create{Task: "x"}); r.Status != Failed || r.Cause.Code != CauseBrowser {
		t.Errorf("without a browser: %+v", r.Cause)
	}
}

func TestWhichRunsHaveATool(t *testing.T) {
	t.Parallel()
	tool := stock(func(context.Context, ToolContext, lookUp) (any, error) { return "x", nil })
	tool.For = func(r Run) bool { return strings.Contains(r.Task, "order") }
	w := quick(t, setup{tools: []Tool{tool}, model: scripted.New(scripted.Call("stock", lookUp{ID: "1"}), done(true, "", ""), scripted.Call("stock", lookUp{ID: "1"}), done(true, "", ""))})
	if out := w.said(t, w.do(t, Create{Task: "an order"})); out[0].IsError() {
		t.Error(out[0].Text())
	}
	if out := w.said(t, w.do(t, Create{Task: "other"})); !strings.Contains(out[0].Text(), `no tool "stock"`) {
		t.Error(out[0].Text())
	}
}

func TestToolsThatAreRefused(t *testing.T) {
	t.Parallel()
	good := stock(func(context.Context, ToolContext, lookUp) (any, error) { return nil, nil })
	change := func(do func(*Tool)) []Tool { bad := good; do(&bad); return []Tool{good, bad} }
	for want, all := range map[string][]Tool{
		"Tools[1].Name must be a letter":         change(func(t *Tool) { t.Name = "9x" }),
		"Tools[1].Name is that of another":       change(func(t *Tool) { t.Name = "Click" }),
		`Tools[1].Name is that of another tool:`: {good, good},
		"Tools[1].Description must be 1":         change(func(t *Tool) { t.Name, t.Description = "b", "" }),
		"Tools[1].Call is required":              change(func(t *Tool) { t.Name, t.Call = "b", nil }),
		"Tools[1].Timeout must not":              change(func(t *Tool) { t.Name, t.Timeout = "b", -1 }),
		"Tools[1].Input at /type":                change(func(t *Tool) { t.Name, t.Input = "b", json.RawMessage(`{"type":"thing"}`) }),
		`Tools[1].Input must have the type`:      change(func(t *Tool) { t.Name, t.Input = "b", json.RawMessage(`{"type":"string"}`) }),
		"Tools[0].Input cannot be had of its type": {NewTool("b", "B.", func(context.Context, ToolContext, chan int) (any, error) {
			return nil, nil
		})},
		"Tools[0].Call is required": {NewTool[struct{}]("b", "B.", nil)},
	} {
		if _, err := readTools(all); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := readTools([]Tool{good}); err != nil {
		t.Error(err)
	}
}

var _ browser.Session = lentSession{}
