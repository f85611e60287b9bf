package scripted

import (
	"fmt"

	"github.com/drover-go/drover/runs/model"
)

// withIDs copies the parts, because the loop keeps what it is given, and names
// the calls that have no name: call_2_1 is the first of the second turn.
func withIDs(parts []model.Part, turn int) []model.Part {
	out := append([]model.Part(nil), parts...)
	for i := range out {
		if out[i].Type == model.ToolCallPart && out[i].ToolCallID == "" {
			out[i].ToolCallID = fmt.Sprintf("call_%d_%d", turn, i+1)
		}
	}
	return out
}

func finish(parts []model.Part) model.Finish {
	for _, p := range parts {
		if p.Type == model.ToolCallPart {
			return model.FinishCalls
		}
	}
	return model.FinishStop
}
