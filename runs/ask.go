package runs

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// errModelTimeout is the cause with which the context of one call ends.
var errModelTimeout = errors.New("runs: the model did not answer in time")

// The pauses before a model is asked again: the first, which doubles, and the
// longest that a provider may ask for.
const (
	modelPause    = time.Second
	maxModelPause = 30 * time.Second
)

// ask puts one question to the model, again if it fails for a passing reason.
func (x *activeRun) ask(step int) (model.Response, error) {
	request := x.request(step)
	for try := 0; ; try++ {
		answer, err := x.askOnce(request)
		if err == nil {
			x.usage = x.usage.Add(answer.Usage)
			return answer, nil
		}
		pause, again := x.again(err, try)
		if !again {
			return model.Response{}, err
		}
		x.conf.Logger.Info("runs: the model is asked again", "run", x.ID, "step", step, "in", pause, "error", x.clean(err.Error()))
		if err := clock.Sleep(x.ctx, x.conf.Clock, pause); err != nil {
			return model.Response{}, err
		}
	}
}

func (x *activeRun) askOnce(r model.Request) (model.Response, error) {
	ctx, cancel := clock.WithTimeout(x.ctx, x.conf.Clock, x.conf.Limits.ModelTimeout, errModelTimeout)
	defer cancel()
	answer, err := x.conf.Model.Generate(ctx, r)
	if err != nil && errors.Is(context.Cause(ctx), errModelTimeout) {
		err = model.Temporaryf("the model did not answer within %v", x.conf.Limits.ModelTimeout).WithCause(err)
	}
	return answer, err
}

// again decides whether a failed question is put again, and when.
func (x *activeRun) again(err error, tries int) (pause time.Duration, ok bool) {
	var e *model.Error
	if x.over() || tries >= x.conf.Limits.ModelRetries || !errors.As(err, &e) || !e.Temporary {
		return 0, false
	}
	return min(max(e.RetryAfter, modelPause<<min(tries, 10)), maxModelPause), true
}

// askFailed is the end of a run whose model does not answer.
func (x *activeRun) askFailed(err error) *ending {
	if x.over() {
		e := x.brokenOff()
		return &e
	}
	x.conf.Logger.Warn("runs: the model of a run failed", "run", x.ID, "error", x.clean(err.Error()))
	message := "the language model could not be asked"
	var known *model.Error
	if errors.As(err, &known) {
		message = known.Message
	}
	e := failed(CauseModel, "%s", message)
	return &e
}

// request is all that the model is told.
func (x *activeRun) request(step int) model.Request {
	limit := x.conf.Limits.MaxSteps
	return model.Request{
		System: systemText(x.row), Instructions: x.systemPrompt, Task: x.Task, Variables: x.variables,
		Messages: x.said, Tools: x.tools.Definitions(step == limit), ResultSchema: x.schema(),
		Step: step, MaxSteps: limit,
	}
}
