package v1json

import (
	"encoding/json"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs"
)

// Run is a run of an agent.
type Run struct {
	RunID        string          `json:"runId"`
	AgentID      string          `json:"agentId,omitempty"`
	Task         string          `json:"task"`
	Status       runs.Status     `json:"status"`
	SessionID    string          `json:"sessionId,omitempty"`
	ResultSchema json.RawMessage `json:"resultSchema,omitempty"`
	Result       json.RawMessage `json:"result,omitempty"`
	Cause        *Cause          `json:"cause,omitempty"`
	Model        string          `json:"model,omitempty"`
	Usage        *RunUsage       `json:"usage,omitempty"`
	Pause        *Pause          `json:"pause,omitempty"`
	CreatedAt    api.Time        `json:"createdAt"`
	UpdatedAt    api.Time        `json:"updatedAt"`
	StartedAt    *api.Time       `json:"startedAt,omitempty"`
	EndedAt      *api.Time       `json:"endedAt,omitempty"`
}

// RunOf returns a run as JSON has it.
func RunOf(r runs.Run) Run {
	out := Run{
		RunID: r.ID, AgentID: r.AgentID, Task: r.Task, Status: r.Status, SessionID: r.SessionID,
		ResultSchema: r.ResultSchema, Result: r.Result, Model: r.Model, Usage: usageOf(r.Usage), Pause: pauseOf(r.Pause),
		CreatedAt: api.Time(r.CreatedAt), UpdatedAt: api.Time(r.UpdatedAt),
		StartedAt: api.OptionalTime(r.StartedAt), EndedAt: api.OptionalTime(r.EndedAt),
	}
	if r.Cause != nil {
		out.Cause = &Cause{r.Cause.Code, r.Cause.Message}
	}
	return out
}

// RunUsage is what a run has used of language models.
type RunUsage struct {
	InputTokens          int64 `json:"inputTokens"`
	CacheReadTokens      int64 `json:"cacheReadTokens"`
	CacheWriteTokens     int64 `json:"cacheWriteTokens"`
	CacheWriteLongTokens int64 `json:"cacheWriteLongTokens"`
	OutputTokens         int64 `json:"outputTokens"`
	// ReasoningTokens are a part of OutputTokens.
	ReasoningTokens int64 `json:"reasoningTokens"`
	Estimated       bool  `json:"estimated,omitempty"`
	Questions       int   `json:"questions"`
	// Cost is absent where nothing has a price.
	Cost         json.Number `json:"cost,omitempty"`
	CostComplete bool        `json:"costComplete"`
	// Fallback is the model that went on where the one before had failed for good.
	Fallback string `json:"fallback,omitempty"`
}

// usageOf is nil for a run that has used nothing.
func usageOf(u runs.Usage) *RunUsage {
	if u == (runs.Usage{}) {
		return nil
	}
	t := u.Tokens
	out := &RunUsage{
		InputTokens: t.Input, CacheReadTokens: t.CacheRead, CacheWriteTokens: t.CacheWrite, CacheWriteLongTokens: t.CacheWriteLong,
		OutputTokens: t.Output, ReasoningTokens: t.Reasoning, Estimated: t.Estimated, Questions: u.Questions, CostComplete: !u.Unpriced, Fallback: u.Fallback,
	}
	if u.Cost > 0 || !u.Unpriced {
		out.Cost = json.Number(runs.Money(u.Cost))
	}
	return out
}

// Pause is that a person has a run, or will have it soon.
type Pause struct {
	Requested bool   `json:"requested"`
	Question  string `json:"question,omitempty"`
}

func pauseOf(p *runs.Pause) *Pause {
	if p == nil {
		return nil
	}
	return &Pause{p.Requested, p.Question}
}
