package runs

import (
	"bytes"
	"encoding/json"
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
