package runs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// loop asks the model, does what it says, tells it what came of that, and so
// on until the run ends.
func (x *activeRun) loop() ending {
	x.asks = x.may == nil
	if err := x.prepare(); err != nil {
		return *x.prepareFailed(err)
	}
	if e := x.holdContext(); e != nil {
		return *e
	}
	limit := x.limits.MaxSteps
	for n := 1; n <= limit || x.final && n == limit+1; n++ { // the last question may come behind the last step
		if e := x.breathe(); e != nil {
			return *e
		}
		x.remind(n)
		step := x.beginStep(n)
		e := x.step(n)
		x.endStep(step)
		if e != nil {
			return *e
		}
	}
	return failed(CauseStepLimit, "the run took more than %d steps", limit)
}

func (x *activeRun) prepareFailed(err error) *ending {
	x.conf.Logger.Error("runs: a run cannot be prepared", "run", x.ID, "error", err)
	e := failed(CauseInternal, "the run could not be prepared")
	return &e
}

// remind tells a model that its steps come to an end, once.
func (x *activeRun) remind(step int) {
	limit := x.limits.MaxSteps
	if at := limit - limit/4; limit < 4 || step != at+1 {
		return
	}
	x.said.hint(fmt.Sprintf("%d of %d steps are used. Come to an end: %s keeps what you have found, and %s ends the run.",
		step-1, limit, tools.NoteAnswerName, tools.DoneName))
}

// step is one question to the model and what follows from the answer. It
// returns the end of the run, or nil.
func (x *activeRun) step(n int) (end *ending) {
	x.refusedNow = false
	x.metrics.steps.Inc()
	ctx, span := x.metrics.Span(x.ctx, telemetry.Internal, "step")
	span.SetInt("drover.step", int64(n))
	defer func() { span.End(failureOf(end)) }()
	answer, err := x.ask(ctx, n)
	if err != nil {
		return x.askFailed(err)
	}
	answer.Content = x.canonical(answer.Content)
	said := x.assistant(answer)
	if err := x.say(said); err != nil {
		return x.sayFailed(err)
	}
	calls := said.Calls()
	if len(calls) == 0 {
		return x.noCall(answer, said)
	}
	x.idle, x.seen = 0, nil
	results, end := x.act(ctx, calls, answer.Content)
	if err := x.sayWith(model.Message{Role: model.ToolRole, Content: results}, x.seen); err != nil && end == nil {
		end = x.sayFailed(err)
	}
	if end != nil {
		return end
	}
	if notice := x.repeats.step(calls, results); notice != "" {
		x.said.hint(notice)
	}
	return x.judge(results)
}

func (x *activeRun) over() bool { return x.ctx.Err() != nil }

func (x *activeRun) sayFailed(err error) *ending {
	e := x.brokenOff()
	if !x.over() {
		x.conf.Logger.Error("runs: a message cannot be stored", "run", x.ID, "error", x.clean(err.Error()))
		e = failed(CauseInternal, "the messages of the run could not be stored")
	}
	return &e
}

// act executes the calls of one answer in order. Every call gets a result.
func (x *activeRun) act(ctx context.Context, calls, asked []model.Part) (results []model.Part, end *ending) {
	inputs := callsOf(asked)
	skip := ""
	for i, call := range calls {
		if skip == "" && i >= x.limits.MaxCalls {
			skip = fmt.Sprintf("not executed: at most %d calls are executed in one step", x.limits.MaxCalls)
		}
		if x.over() {
			e := x.brokenOff()
			skip, end = notAnswered(e), &e
		}
		if skip != "" {
			results = append(results, model.Result(call, model.ErrorOutput(skip)))
			continue
		}
		var out model.Output
		out, skip, end = x.call(ctx, call, inputs[i])
		clean := x.cleanOutput(out)
		x.record(asMade(call, clean), clean)
		results = append(results, model.Result(call, clean))
	}
	return results, end
}

func callsOf(parts []model.Part) []model.Part { return model.Message{Content: parts}.Calls() }

// call executes one call, which is stored as shown. skip says why the others of
// the step are not executed; end is the end of the run.
func (x *activeRun) call(ctx context.Context, shown, call model.Part) (out model.Output, skip string, end *ending) {
	if why := cmp.Or(x.forbidden(shown.ToolName), x.repeats.refuse(shown)); why != "" {
		return model.ErrorOutput(why), "", nil
	}
	if _, err := x.tools.Canonical(call); err != nil {
		return model.ErrorOutput(x.clean(err.Error())), "", nil
	}
	asked := call.Input
	call, why, end := x.hooked(shown, call)
	if end != nil || why != "" {
		return model.ErrorOutput(why), whyOf(end), end
	}
	if needsPage(call.ToolName) && !x.tools.OpensItself(call.ToolName) {
		if _, err := x.open(); err != nil {
			return x.noBrowser(err, "the browser could not be started")
		}
	}
	ctx, span := x.metrics.Span(ctx, telemetry.Internal, "tool "+call.ToolName)
	r := x.tools.Call(ctx, call)
	span.End(failureOfTool(r))
	for _, f := range r.Files {
		f.ToolCallID = shown.ToolCallID
		x.seen = append(x.seen, f)
	}
	out, skip, end = x.outcome(call, r)
	x.repeats.note(shown, x.cleanOutput(out))
	if !bytes.Equal(asked, call.Input) {
		out = x.changedBy(call, out)
	}
	return out, skip, end
}

// whyOf is why calls are not executed behind an end; empty without one.
func whyOf(end *ending) string {
	if end == nil {
		return ""
	}
	return notAnswered(*end)
}

// outcome is what follows from what a tool answered.
func (x *activeRun) outcome(call model.Part, r tools.Result) (out model.Output, skip string, end *ending) {
	switch {
	case x.over():
		e := x.brokenOff()
		if r.Output.IsError() {
			r.Output = model.ErrorOutput(notAnswered(e))
		}
		return r.Output, notAnswered(e), &e
	case r.Fatal != nil:
		return x.noBrowser(r.Fatal, diedMessage)
	case r.Refused:
		return x.resultRefused(r.Output, call), "", nil
	case r.End != nil:
		e := x.ended(r.End)
		return r.Output, "not executed: the run has ended", &e
	case r.Noted != nil:
		x.noted = r.Noted
	case r.Question != "":
		out, end = x.askHuman(r.Question)
		return out, "not executed: a person has used the browser; look at the page first", end
	case r.Moved:
		skip = "not executed: the page has changed; look at it first"
	}
	return r.Output, skip, nil
}

// needsPage reports whether a tool works in the browser.
func needsPage(tool string) bool {
	return tool != tools.DoneName && tool != tools.NoteAnswerName && tool != tools.AskHumanName
}

func (x *activeRun) noBrowser(err error, instead string) (model.Output, string, *ending) {
	x.conf.Logger.Warn("runs: the browser of a run failed", "run", x.ID, "error", x.clean(err.Error()))
	e := x.browserFailed(err, instead)
	if x.over() {
		e = x.brokenOff()
	}
	return model.ErrorOutput(notAnswered(e)), notAnswered(e), &e
}

// browserFailed is the end of a run whose session cannot be opened, or is gone.
func (x *activeRun) browserFailed(err error, instead string) ending {
	code := CauseBrowser
	if x.settings.Context != nil && x.session == nil && errtypes.Is(err, errtypes.Conflict) {
		code = CauseContextInUse
	}
	return failed(code, "%s", publicText(err, instead))
}

// holdContext opens the session at once where it is to save a context: if
// another one holds that, nothing else has been done for the run.
func (x *activeRun) holdContext() *ending {
	if x.settings.Context == nil || !x.settings.Context.Persist {
		return nil
	}
	_, err := x.open()
	if err == nil {
		return nil
	}
	_, _, end := x.noBrowser(err, "the browser could not be started")
	return end
}

// notAnswered stands as the result of a call that was not brought to its end.
func notAnswered(e ending) string {
	if e.status == Stopped {
		return "stopped"
	}
	return e.cause.Message
}

// judge ends a run that gets nowhere.
func (x *activeRun) judge(results []model.Part) *ending {
	l := x.limits
	switch {
	case x.refusedNow:
		return x.judgeResult()
	case x.final:
		e := failed(CauseTaskFailed, "the model did not end the run when nothing else was left to call")
		return &e
	}
	if slices.ContainsFunc(results, func(p model.Part) bool { return !p.Output.IsError() }) {
		x.bad = 0
		return nil
	}
	if x.bad++; x.bad < l.MaxFailures {
		return nil
	}
	e := failed(CauseTaskFailed, "%d steps in a row failed; the last one: %s", x.bad, firstLine(*results[0].Output))
	return &e
}

func firstLine(out model.Output) string {
	line, _, _ := strings.Cut(out.Text(), "\n")
	return line
}
