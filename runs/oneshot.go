package runs

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/runs/model"
)

// Act is one thing to do in a session: an instruction in words, or a call.
type Act struct {
	// Instruction is what to do, for a model. Either it or Call is required.
	Instruction string
	// Call is made as it is, without asking a model.
	Call *Call
	// Variables as in [Create].
	Variables map[string]Variable
	// Model as in [Create].
	Model string
	// MaxSteps is how often the model is asked, at most what Limits.MaxSteps says.
	// Default 5.
	MaxSteps int
}

// Call is a call of a tool.
type Call struct {
	// Tool is its name, Input what it is called with, a JSON object with
	// placeholders where values of variables go.
	Tool  string
	Input json.RawMessage
	// Description says what it does, in words; empty for nothing said.
	Description string
}

// Acted is what came of it.
type Acted struct {
	// Calls are those that were made and did not fail, in order.
	Calls []Call
	// Output is what the tool answered that was called last: it may have text of
	// the page in it, which is not trusted.
	Output string
	// Usage of the model.
	Usage Usage
}

const defaultActSteps = 5

// Act implements [Service].
func (s *service) Act(ctx context.Context, sessionID string, a Act) (_ Acted, err error) {
	defer errtypes.Wrap(&err, "runs.Act(%q)", sessionID)
	if (a.Instruction == "") == (a.Call == nil) {
		return Acted{}, errtypes.Field("instruction", "or call is required, and not both")
	}
	c := Create{Task: a.Instruction, Variables: a.Variables, Model: a.Model, SessionID: sessionID, Limits: RunLimits{MaxSteps: a.MaxSteps}}
	if c.Limits.MaxSteps == 0 {
		c.Limits.MaxSteps = min(defaultActSteps, s.conf.Limits.MaxSteps)
	}
	if a.Call != nil {
		c.Task = "call " + a.Call.Tool // nobody reads it
	}
	x, err := s.oneShot(ctx, c)
	if err != nil {
		return Acted{}, err
	}
	defer x.close()
	if a.Call != nil {
		return x.actCall(ctx, *a.Call)
	}
	e := x.withCleanEnding(x.loop())
	return Acted{Calls: x.made(), Output: x.lastOutput(), Usage: x.usage}, e.err(ctx)
}

// oneShot is a run that is stored nowhere and ends with the call that wanted it:
// it has a session that exists, and no messages but those in memory.
func (s *service) oneShot(ctx context.Context, c Create) (*activeRun, error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	if c.SessionID == "" {
		return nil, errtypes.Field("sessionId", "is required")
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	r, err := s.build(ctx, project, c)
	if err != nil {
		return nil, err
	}
	ctx, over := clock.WithTimeout(ctx, s.conf.Clock, s.limitsOf(r).MaxDuration, execution.ErrTimedOut)
	x := newActiveRun(ctx, s, r, s.vaultOf(c))
	x.unstored = true
	context.AfterFunc(x.ctx, over) // with the run
	if err := s.register(x); err != nil {
		x.cancel(err)
		return nil, err
	}
	return x, nil
}

// actCall makes a call that no model has asked for.
func (x *activeRun) actCall(ctx context.Context, c Call) (Acted, error) {
	if err := x.prepare(); err != nil {
		return Acted{}, err
	}
	call := model.Call("call_1", c.Tool, c.Input)
	x.said.add(model.Message{Role: model.Assistant, Content: []model.Part{call}})
	results, end := x.act(x.ctx, []model.Part{call}, []model.Part{call})
	x.said.add(model.Message{Role: model.ToolRole, Content: results})
	acted := Acted{Calls: x.made(), Output: x.lastOutput()}
	switch out := results[0].Output; {
	case end != nil && end.status != Completed:
		e := x.withCleanEnding(*end)
		return acted, e.err(ctx)
	case out.IsError():
		return acted, errtypes.New(errtypes.Conflict, "the call failed: %s", firstLine(*out))
	}
	return acted, nil
}

// made are the calls that did something and did not fail.
func (x *activeRun) made() []Call {
	all := []Call{}
	failed := map[string]bool{}
	said := allAsMade(x.said.whole())
	for _, m := range said {
		for _, r := range m.Results() {
			failed[r.ToolCallID] = r.Output.IsError()
		}
	}
	for _, m := range said {
		for _, c := range m.Calls() {
			if bad, answered := failed[c.ToolCallID]; answered && !bad && needsPage(c.ToolName) {
				all = append(all, Call{Tool: c.ToolName, Input: c.Input})
			}
		}
	}
	return all
}

// lastOutput is the newest answer of a tool in the browser.
func (x *activeRun) lastOutput() string {
	for i := len(x.said.turns) - 1; i >= 0; i-- {
		results := x.said.turns[i].Results()
		for j := len(results) - 1; j >= 0; j-- {
			if needsPage(results[j].ToolName) {
				return results[j].Output.Text()
			}
		}
	}
	return ""
}

// err is why nothing came of a one-shot; nil where something did. Error kinds:
// BadGateway for a model that fails, Unavailable for a browser that does,
// PaymentRequired for a budget, Conflict for a task that could not be done.
func (e ending) err(caller context.Context) error {
	switch {
	case e.status == Completed:
		return nil
	case caller.Err() != nil:
		return context.Cause(caller)
	}
	kind := errtypes.Conflict
	switch e.cause.Code {
	case CauseModel:
		kind = errtypes.BadGateway
	case CauseBrowser, CauseShutdown:
		kind = errtypes.Unavailable
	case CauseBudget:
		kind = errtypes.PaymentRequired
	case CauseInternal:
		kind = errtypes.Internal
	}
	return errtypes.New(kind, "%s", e.cause.Message)
}
