// Package plain is the model that is built in: it follows tasks that are
// written as plain steps, with no language model at all.
//
// It sees what any model sees, the outline of the page and the answers of the
// tools, and does what any model does: it calls tools. What it cannot do is
// judge. It does exactly what the words of a task say, or it refuses: a task
// with a word that it does not understand fails before anything is done, with
// the sentence and the word, and where the page leaves open which element, row
// or table is meant it fails with what to write instead.
//
// What is returned is shaped by the result schema: an array of objects is
// filled from a table or a list, an object from labelled values, headings or
// the one row of a table. Without a schema it is what the task names.
// docs/plain-tasks.md has all that can be said.
package plain

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/model"
)

// Model follows plain steps. It is safe for concurrent use and keeps nothing.
type Model struct{}

// New returns the model.
func New() *Model { return &Model{} }

// Caps says that the whole transcript is needed: where it is in a task the model
// tells from it.
func (*Model) Caps() model.Caps { return model.Caps{Tools: true, WholeTranscript: true} }

// Generate returns the next call of a tool. It fails, for good, with a
// [model.Error] for a task that is not written as plain steps.
func (*Model) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	if ctx.Err() != nil {
		return model.Response{}, context.Cause(ctx)
	}
	m, err := newMachine(r)
	if err != nil {
		return model.Response{}, model.Errorf("%s", err.Error())
	}
	turn := m.replay(r.Messages)
	a := m.decide()
	content := []model.Part{}
	if turn == 0 && r.Instructions != "" {
		content = append(content, model.Text("No language model is configured: the steps of the task are followed, the agent's instructions are not."))
	}
	content = append(content, model.Reasoning(a.why), model.Call(fmt.Sprintf("call_%d", turn+1), a.tool, a.input))
	return model.Response{Content: content, Finish: model.FinishCalls}, nil
}

func newMachine(r model.Request) (*machine, error) {
	steps, err := parse(r.Task)
	if err == nil {
		err = unknownVariable(steps, r.Variables)
	}
	if len(r.ResultSchema) > 0 && !slices.ContainsFunc(steps, step.reads) {
		steps = append(steps, step{verb: returnVerb, sentence: "return the result"})
	}
	return &machine{request: r, steps: steps}, err
}

// replay goes through what has happened and returns how many turns that were.
func (m *machine) replay(messages []model.Message) (turns int) {
	for i, msg := range messages {
		if msg.Role != model.Assistant {
			continue
		}
		turns++
		a := m.decide()
		results := messages[min(i+1, len(messages)-1)].Results()
		if len(results) > 0 && results[0].Output != nil {
			m.observe(a, *results[0].Output)
		}
	}
	return turns
}

// finish ends the run: with the result, or with why there is none.
func (m *machine) finish() action {
	result, missing := m.result()
	switch {
	case m.failure != "":
		return giveUp(m.failure)
	case strings.Contains(m.refusal, "input: result has") && strings.Contains(m.refusal, "bytes; at most"):
		return giveUp("the result that is asked for is too large: " + strings.TrimPrefix(m.refusal, "input: ") + "; ask for fewer values, or for one row")
	case missing != "" && (m.refused > 0 || len(m.request.ResultSchema) == 0):
		return giveUp(missing)
	case missing == "" && m.refused > 0:
		return giveUp("the page does not have what the result needs: " + m.refusal)
	}
	a := call("done", "success", true)
	if a.why = "Every step is done."; missing != "" { // without a result: that is refused, so that the run ends as one without a fitting result
		a.why = missing + "."
	} else if len(result) > 0 {
		a.input["result"] = result
	}
	return a
}

func giveUp(reason string) action {
	a := call("done", "success", false, "reason", reason)
	a.why = "It cannot be done: " + reason
	return a
}

// result is what is returned; missing says what could not be found.
func (m *machine) result() (result json.RawMessage, missing string) {
	if len(m.request.ResultSchema) == 0 {
		return m.unshaped(nil)
	}
	_, top := outlineOf(m.request.ResultSchema)
	if top == nil {
		return nil, "the result schema cannot be read"
	}
	if s := shapeOf(top); s.isFree() {
		return m.unshaped(s.Additional)
	}
	if why := m.unrelated(top); why != "" {
		return nil, why
	}
	result, why := shaped(m.request.ResultSchema, m.reads)
	switch {
	case result != nil:
		return result, ""
	case why != "":
		return nil, "nothing on the page fits the result schema: " + why
	}
	return nil, "nothing on the page fits the result schema"
}
