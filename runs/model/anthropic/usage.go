package anthropic

import (
	"cmp"
	"encoding/json"

	"github.com/drover-go/drover/runs/model"
)

// usage is what the provider says an answer takes. It says it at the start and at
// the end, in sums; the last count of each kind stands.
type usage struct {
	Input     *int64 `json:"input_tokens"`
	Read      *int64 `json:"cache_read_input_tokens"`
	Written   *int64 `json:"cache_creation_input_tokens"`
	Creations *struct {
		Short int64 `json:"ephemeral_5m_input_tokens"`
		Long  int64 `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
	Output  *int64 `json:"output_tokens"`
	Details *struct {
		Thinking  int64 `json:"thinking_tokens"`
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func (u *usage) take(raw json.RawMessage) {
	var next usage
	if len(raw) == 0 || json.Unmarshal(raw, &next) != nil {
		return
	}
	*u = usage{
		Input: cmp.Or(next.Input, u.Input), Read: cmp.Or(next.Read, u.Read), Written: cmp.Or(next.Written, u.Written),
		Creations: cmp.Or(next.Creations, u.Creations), Output: cmp.Or(next.Output, u.Output), Details: cmp.Or(next.Details, u.Details),
	}
}

func count(n *int64) int64 {
	if n == nil {
		return 0
	}
	return max(*n, 0)
}

// spent is what the answer took; an estimate where nothing was told, or nothing of
// the output of an answer that broke off.
func (s *said) spent(sent, received int, whole bool) model.Usage {
	u := s.usage
	guess := model.Estimate(sent, received)
	if u.Input == nil && u.Output == nil {
		if !whole {
			guess.Output = int64(s.size+3) / 4
		}
		return guess
	}
	out := model.Usage{Input: count(u.Input), CacheRead: count(u.Read), Output: count(u.Output)}
	switch {
	case u.Creations != nil:
		out.CacheWrite, out.CacheWriteLong = max(u.Creations.Short, 0), max(u.Creations.Long, 0)
	case s.longCache:
		out.CacheWriteLong = count(u.Written)
	default:
		out.CacheWrite = count(u.Written)
	}
	if u.Details != nil {
		out.Reasoning = min(max(u.Details.Thinking, u.Details.Reasoning, 0), out.Output)
	}
	if said := int64(s.size+3) / 4; !whole && said > out.Output {
		out.Output, out.Estimated = said, true
	}
	return out
}
