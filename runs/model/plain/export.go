package plain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// Transcript is what was said in a run that has come to a good end, whatever model
// it had.
type Transcript struct {
	Messages []model.Message
	// Result of the run; nil for none.
	Result json.RawMessage
	// ResultSchema is the one that it had; nil for none.
	ResultSchema json.RawMessage
}

// Exported is a run as a task that this model follows.
type Exported struct {
	// Task has one step a line. What cannot be said stands in it as a line that this
	// model refuses, so that nothing is done of a task that has a gap.
	Task string
	// ResultSchema is for the run that follows the task: that of the transcript, or
	// one made of its result. Nil for none.
	ResultSchema json.RawMessage
	// Unsaid is what cannot be said as a step, in order.
	Unsaid []Unsaid
}

// Unsaid is a call of a run that no step can say.
type Unsaid struct {
	// Call counts the calls of the run from 1; 0 stands for its result.
	Call int
	// Tool that was called; empty for the result.
	Tool string
	// Why it cannot be said.
	Why string
}

// String returns it in words.
func (u Unsaid) String() string {
	if u.Call == 0 {
		return "the result: " + u.Why
	}
	return fmt.Sprintf("call %d (%s): %s", u.Call, u.Tool, u.Why)
}

// Export writes a run as a task. Each element is named as this model would find
// it on the page that the run saw then: where the name alone does not do, by its
// kind, the row it is in, the part of the page, or its number, in that order. Calls
// that failed are left out.
func Export(t Transcript) Exported {
	e := &exporter{states: []string{""}}
	for i, m := range t.Messages {
		answer := t.Messages[min(i+1, len(t.Messages)-1)]
		for _, call := range m.Calls() {
			e.take(call, answer.Results())
		}
	}
	schema := e.result(t)
	return Exported{Task: strings.Join(e.lines, "\n"), ResultSchema: schema, Unsaid: e.unsaid}
}

// exporter goes through a run and writes its steps. What this model would know of
// the page at each of them is in the machine.
type exporter struct {
	machine
	found  *outline.View // the part of the page that was searched for, or looked at by itself
	lines  []string
	states []string // what was seen before the first line, and after each
	unsaid []Unsaid
	number int // of calls so far
	call   model.Part
}

// take writes the step of a call, and looks at the page that came of it.
func (e *exporter) take(call model.Part, results []model.Part) {
	e.number++
	e.call = call
	i := slices.IndexFunc(results, func(p model.Part) bool { return p.ToolCallID == call.ToolCallID && p.Output != nil })
	if i < 0 {
		e.cannot("its answer is not known")
		return
	}
	a, out := action{tool: call.ToolName}, *results[i].Output
	if json.Unmarshal(call.Input, &a.input) != nil || a.input == nil {
		a.input = inputs{}
	}
	switch {
	case out.IsError() && strings.Contains(firstLine(out), mayHaveHappened):
		e.cannot("it is not known whether it took effect")
	case out.IsError() || slices.Contains(spelled()["looks"], a.tool):
	case a.tool == "fill_form":
		e.sayForm(a)
	default:
		e.say(a)
	}
	e.look(a, out)
}

// cannot notes that a call has no step.
func (e *exporter) cannot(why string) {
	u := Unsaid{Call: e.number, Tool: e.call.ToolName, Why: why}
	e.unsaid = append(e.unsaid, u)
	e.write(unsaidLine + excerpt(u.String(), 300))
}

// unsaidLine begins the line of what cannot be said: no step begins so.
const unsaidLine = "TODO: "

func (e *exporter) write(line string) {
	e.lines = append(e.lines, line)
	e.states = append(e.states, "")
}

// look takes in what a tool has answered.
func (e *exporter) look(a action, out model.Output) {
	text := out.Text()
	e.states[len(e.states)-1] += text + "\n"
	v, ok := outline.Parse(text)
	switch {
	case !ok:
	case a.input["find"] != nil, v.First > 0 && !e.goesOn(v):
		e.found = &v
	default:
		if a.tool != "snapshot" {
			e.found = nil
		}
		e.see(a, v)
	}
}

// element is where the run saw an element; -1 if it did not. The page is opened
// first that a run in a session of somebody else's found.
func (e *exporter) element(ref string) (v outline.View, at int) {
	for _, v := range []*outline.View{e.view, e.found} {
		if v == nil {
			continue
		}
		if at := indexOfRef(*v, ref); at >= 0 {
			if len(e.lines) == 0 && strings.HasPrefix(v.Page.URL, "http") {
				e.say(call("navigate", "url", v.Page.URL))
			}
			return *v, at
		}
	}
	return v, -1
}

func indexOfRef(v outline.View, ref string) int {
	ref = strings.Trim(ref, "[]")
	return slices.IndexFunc(v.Lines, func(l outline.Line) bool { return string(l.Ref) == ref && ref != "" })
}
