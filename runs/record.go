package runs

import (
	"encoding/json"

	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
)

// recordedStep is a step in the recording of a run's session: what the messages
// of the run say, cut short.
type recordedStep struct {
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input,omitempty"`
	Output string          `json:"output"`
	Failed bool            `json:"failed,omitempty"`
}

// Limits of a recorded step, in bytes and characters.
const (
	maxStepInput  = 4 << 10
	maxStepOutput = 500
)

// record adds a call and its result, both without values of variables, to the
// recording of the session, if that has one.
func (x *activeRun) record(call model.Part, out model.Output) {
	recorder, ok := x.session.(interface{ Step(what any) })
	if !ok {
		return
	}
	step := recordedStep{Tool: call.ToolName, Output: shorten.Characters(firstLine(out), maxStepOutput), Failed: out.IsError()}
	if len(call.Input) <= maxStepInput {
		step.Input = call.Input
	}
	recorder.Step(step)
}
