package runs

import (
	"fmt"

	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/tools"
)

// follows reports whether the run's model is the built-in one, which follows
// written steps and judges nothing.
func (x *activeRun) follows() (bool, error) {
	entry, err := x.models.Find(x.Model)
	if err != nil {
		return false, err
	}
	_, is := entry.Model().(*plain.Model)
	return is, nil
}

// answer asks a language model one question about what it is shown: the answer of
// a call that it has not made. All that it can call is the end of the run, with a
// result; the loop's rules hold for results that do not fit, and for words.
func (x *activeRun) answer(system string, call model.Part, shown model.Output) ending {
	x.system = system
	x.may = func(tool string) bool { return tool == tools.DoneName }
	x.said.add(model.Message{Role: model.Assistant, Content: []model.Part{call}})
	x.said.add(model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, shown)}})
	for {
		if x.over() {
			return x.brokenOff()
		}
		if end := x.step(x.limits.MaxSteps); end != nil {
			return *end
		}
	}
}

// forbidden says why a call is not made: in the last step, which can only end the
// run, and in a one-shot that only looks.
func (x *activeRun) forbidden(tool string) string {
	last := x.final || x.number >= x.limits.MaxSteps
	switch {
	case last && tool != tools.DoneName && tool != tools.NoteAnswerName:
		return "not executed: nothing but " + tools.DoneName + " can be called any more"
	case x.may == nil || x.may(tool):
		return ""
	}
	return fmt.Sprintf("not executed: %q cannot be called here", shorten.Characters(tool, maxToolName))
}
