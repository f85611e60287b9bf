package runs

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/runs/model"
)

// hooked asks the host about a call: it returns the call as it is to be made, or
// why it is not.
func (x *activeRun) hooked(shown, call model.Part) (_ model.Part, denied string, end *ending) {
	hook := x.conf.Hooks.BeforeCall
	if hook == nil {
		return call, "", nil
	}
	d, err := hook(x.ctx, ToolCall{
		RunID: x.ID, ProjectID: x.projectID, Step: x.number, Tool: shown.ToolName, Input: bytes.Clone(shown.Input), URL: x.url(),
	})
	switch {
	case x.over():
		e := x.brokenOff()
		return call, notAnswered(e), &e
	case err != nil:
		x.conf.Logger.Error("runs: the host's hook failed", "run", x.ID, "error", x.clean(err.Error()))
		e := failed(CauseInternal, "the host could not decide about a call of the agent")
		return call, notAnswered(e), &e
	case d.Deny != "":
		return call, "not executed: " + x.clean(d.Deny), nil
	case d.Input != nil:
		call.Input = d.Input
	}
	return call, "", nil
}

// changedMark begins the answer to a call that the host has changed. Behind it
// stands the input that the call was made with.
const changedMark = "The host has changed the input of this call: "

// changedBy says in the answer to a call what the host has made of it.
func (x *activeRun) changedBy(call model.Part, out model.Output) model.Output {
	input := x.vault.RedactJSON(call.Input)
	text := model.TextOutput(changedMark + string(input) + "\n" + out.Text())
	if out.IsError() {
		return model.ErrorOutput(text.Text())
	}
	return text
}

// asMade is a call with the input that it was made with.
func asMade(call model.Part, out model.Output) model.Part {
	if out.Type == model.OutputJSON {
		return call
	}
	line, behind, _ := strings.Cut(out.Text(), "\n")
	if input, ok := strings.CutPrefix(line, changedMark); ok && behind != "" && json.Valid([]byte(input)) {
		call.Input = json.RawMessage(input)
	}
	return call
}

// allAsMade are messages whose calls have the input that they were made with.
func allAsMade(all []model.Message) []model.Message {
	outputs := map[string]model.Output{}
	for _, m := range all {
		for _, r := range m.Results() {
			outputs[r.ToolCallID] = *r.Output
		}
	}
	for i, m := range all {
		if m.Role != model.Assistant {
			continue
		}
		parts := slices.Clone(m.Content)
		for j, p := range parts {
			if out, ok := outputs[p.ToolCallID]; ok && p.Type == model.ToolCallPart {
				parts[j] = asMade(p, out)
			}
		}
		all[i].Content = parts
	}
	return all
}

// canonical gives the calls of an answer the input that will be read of them. What
// cannot be read the call itself refuses.
func (x *activeRun) canonical(parts []model.Part) []model.Part {
	parts = slices.Clone(parts)
	for i, p := range parts {
		if p.Type != model.ToolCallPart {
			continue
		}
		if input, err := x.tools.Canonical(p); err == nil {
			parts[i].Input = input
		}
	}
	return parts
}

// url is that of the page; empty before there is one.
func (x *activeRun) url() string {
	if x.session == nil {
		return ""
	}
	p, err := x.session.Page(x.ctx)
	if err != nil {
		return ""
	}
	return x.clean(p.URL)
}

// stepSoFar is a step that has begun.
type stepSoFar struct {
	from  int // of the transcript
	began time.Time
}

func (x *activeRun) beginStep(n int) stepSoFar {
	x.number, x.asking = n, 0
	return stepSoFar{len(x.said.turns), x.conf.Clock.Now()}
}

// endStep tells the host what a step was.
func (x *activeRun) endStep(s stepSoFar) {
	if x.conf.Hooks.AfterStep == nil {
		return
	}
	var all []model.Message
	for _, u := range x.said.turns[s.from:] {
		if u.Role != model.User {
			all = append(all, copyOf(u.Message))
		}
	}
	if len(all) == 0 { // the question was not answered: there was no step
		return
	}
	x.conf.Hooks.AfterStep(x.ctx, Step{
		RunID: x.ID, ProjectID: x.projectID, Number: x.number, Messages: all, Usage: x.usage,
		Took: x.conf.Clock.Now().Sub(s.began), Model: x.asking,
	})
}

// copyOf is a message that may be changed.
func copyOf(m model.Message) (c model.Message) {
	raw, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil { // of JSON that was read before
		return model.Message{Role: m.Role}
	}
	return c
}
