package gemini

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/model"
)

// usage is what the provider says an answer takes, in sums.
type usage struct {
	Prompt     int64 `json:"promptTokenCount"`
	ToolPrompt int64 `json:"toolUsePromptTokenCount"`
	Cached     int64 `json:"cachedContentTokenCount"`
	Candidates int64 `json:"candidatesTokenCount"`
	Thoughts   int64 `json:"thoughtsTokenCount"`
}

// takeUsage reads a count; the last one stands.
func (s *said) takeUsage(raw json.RawMessage) {
	var u *usage
	if len(raw) > 0 && json.Unmarshal(raw, &u) == nil && u != nil {
		s.usage = u
	}
}

// spent is what the answer took; an estimate where nothing was told, or nothing of
// the output of an answer that broke off.
func (s *said) spent(sent, received int, whole bool) model.Usage {
	if s.usage == nil {
		guess := model.Estimate(sent, received)
		if !whole {
			guess.Output = int64(s.size+3) / 4
		}
		return guess
	}
	u := *s.usage
	in := max(u.Prompt, 0) + max(u.ToolPrompt, 0)
	out := model.Usage{CacheRead: min(max(u.Cached, 0), in), Reasoning: max(u.Thoughts, 0)}
	out.Input = in - out.CacheRead
	out.Output = max(u.Candidates, 0) + out.Reasoning
	if said := int64(s.size+3) / 4; !whole && said > out.Output {
		out.Output, out.Estimated = said, true
	}
	return out
}
