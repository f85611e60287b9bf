package runs

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// newAsker returns what asks the run's model.
func (x *activeRun) newAsker(e *models.Entry) *models.Asker {
	return e.Asker(models.AskerOptions{
		Retries: x.limits.ModelRetries, Timeout: x.limits.ModelTimeout, Allow: x.allow, Spent: x.spent,
		Clock: x.conf.Clock, Logger: x.conf.Logger.With("run", x.ID),
	})
}

// ask puts the question of a step to the model: again with less of the history
// where it cannot read so much, and again with more room where its answer was
// cut before it had called anything.
func (x *activeRun) ask(ctx context.Context, step int) (answer model.Response, err error) {
	began, before := x.conf.Clock.Now(), x.asker.Entry().Name
	ctx, span := x.metrics.Span(ctx, telemetry.Client, "ask "+modelLabel(before))
	defer func() {
		span.End(failureOfModel(err))
		x.asking = x.conf.Clock.Now().Sub(began)
		x.noteFallback(before)
	}()
	r := x.request(step)
	answer, err = x.asker.Ask(ctx, r)
	if e, ok := errors.AsType[*model.Error](err); ok && e.Kind == model.ErrorOverflow && x.tighten(step) {
		r = x.request(step)
		answer, err = x.asker.Ask(ctx, r)
	}
	if err == nil && cutShort(answer) {
		r.MoreOutput = true
		answer, err = x.asker.Ask(ctx, r)
		if err == nil && cutShort(answer) {
			err = model.Errorf("the answer of the language model reached the limit on its length before it called a tool")
		}
	}
	return answer, err
}

// cutShort reports whether an answer ended before it came to anything.
func cutShort(r model.Response) bool {
	return r.Finish == model.FinishLength && len(callsOf(r.Content)) == 0
}

// tighten shows the model less from now on, if that is possible.
func (x *activeRun) tighten(step int) bool {
	if x.whole() {
		return false
	}
	before := x.said.size()
	x.said.most = before / 2
	x.request(step) // shortens
	x.conf.Logger.Info("runs: the conversation is too long for the model; old pages are left out", "run", x.ID, "bytes", before, "now", x.said.size())
	return x.said.size() < before
}

// askFailed is the end of a run whose model does not answer.
func (x *activeRun) askFailed(err error) *ending {
	if x.over() {
		e := x.brokenOff()
		return &e
	}
	if e := budgetEnding(err); e != nil {
		return e
	}
	x.conf.Logger.Warn("runs: the model of a run failed", "run", x.ID, "error", x.clean(err.Error()))
	message := "the language model could not be asked"
	if known, ok := errors.AsType[*model.Error](err); ok {
		message = known.Message
	}
	e := failed(CauseModel, "%s", message)
	return &e
}

// request is all that the model is told.
func (x *activeRun) request(step int) model.Request {
	limit := x.limits.MaxSteps
	last := step >= limit || x.final
	r := model.Request{
		System: cmp.Or(x.system, systemText(x.row)), Instructions: x.systemPrompt, Task: x.Task, Variables: x.variables,
		Messages: x.messages(), Tools: x.tools.Definitions(last), ResultSchema: x.schema(),
		Step: step, MaxSteps: limit,
	}
	if last {
		r.Force = tools.DoneName
	}
	return r
}

// whole reports whether the model has to see all that was said, as it was.
func (x *activeRun) whole() bool { return x.asker.Entry().Caps().WholeTranscript }

// messages are what has been said, as the model is to see it.
func (x *activeRun) messages() []model.Message {
	if x.whole() {
		all := x.said.whole()
		for i := range all {
			all[i] = x.withoutFiles(all[i])
		}
		return all
	}
	all := x.said.view(x.viewLimit(), x.shorten)
	for i := range all {
		all[i] = x.withoutFiles(x.fenced(all[i]))
	}
	return all
}

// withoutFiles leaves out files in which a value of a variable could be seen: no
// net finds one in a picture.
func (x *activeRun) withoutFiles(m model.Message) model.Message {
	shows := func(p model.Part) bool { return p.Type == model.FilePart && !p.Masked }
	if x.vault.Knows() && slices.ContainsFunc(m.Content, shows) {
		x.conf.Logger.Warn("runs: a file is kept from the model, because values of variables could be seen in it", "run", x.ID)
		m.Content = slices.DeleteFunc(slices.Clone(m.Content), shows)
	}
	return m
}

// viewLimit is how long the view of the conversation gets before it is shortened,
// in bytes: at most half of what the model can read.
func (x *activeRun) viewLimit() int {
	limit := x.limits.MaxConversation
	if tokens := x.asker.Entry().Caps().ContextTokens; tokens > 0 {
		limit = min(limit, tokens*2) // a token is about four bytes
	}
	return limit
}

// shorten leaves of an old message what still matters.
func (x *activeRun) shorten(m model.Message) model.Message {
	if m.Role == model.Assistant {
		return shortTurn(m)
	}
	short := model.Message{Role: m.Role}
	for _, p := range m.Content {
		switch {
		case p.Type == model.FilePart:
			continue
		case p.Output != nil:
			out := x.tools.Shorten(*p.Output)
			p.Output = &out
		}
		short.Content = append(short.Content, p)
	}
	return short
}

// keptOfTurn is what is left of a long text of the model itself, in bytes.
const keptOfTurn = 500

// shortTurn is a turn of the model without what it said at length. What a provider
// wants back of it would be that, too.
func shortTurn(m model.Message) model.Message {
	for i, p := range m.Content {
		if len(p.Text) <= 2*keptOfTurn {
			continue
		}
		m.Replay = nil
		m.Content = slices.Clone(m.Content)
		m.Content[i].Text = cutNoted(p.Text, keptOfTurn)
	}
	return m
}

// fenced marks data that come from a page as such.
func (x *activeRun) fenced(m model.Message) model.Message {
	if m.Role != model.ToolRole {
		return m
	}
	parts := make([]model.Part, len(m.Content))
	for i, p := range m.Content {
		if p.Output != nil {
			out := x.tools.Fence(*p.Output, 0)
			p.Output = &out
		}
		parts[i] = p
	}
	m.Content = parts
	return m
}
