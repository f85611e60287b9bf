package v1

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs"
)

// Money is in millionths in the library, and in units on the wire.
const (
	unit    = 1_000_000
	maxCost = 1_000_000_000 // units
)

// limitsIn are the limits of one run.
func limitsIn(l *runs.RunLimits) strictjson.Value {
	var seconds, tokens int
	var cost float64
	return strictjson.Closed(strictjson.Fields{
		"maxSteps": strictjson.Int(&l.MaxSteps, 1, math.MaxInt32),
		"maxDurationSeconds": strictjson.Then(strictjson.Int(&seconds, 1, math.MaxInt32), func() {
			l.MaxDuration = time.Duration(seconds) * time.Second
		}),
		"budget": strictjson.Closed(strictjson.Fields{
			"tokens": strictjson.Then(strictjson.Int(&tokens, 1, maxOffset), func() { l.Budget.Tokens = int64(tokens) }),
			"cost": strictjson.Then(strictjson.Number(&cost, 1.0/unit, maxCost), func() {
				l.Budget.Cost = int64(math.Round(cost * unit))
			}),
		}),
	})
}

// asWired gives what the service says of a limit the name and the unit that it has
// on the wire.
func asWired(err error) error {
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok {
		return err
	}
	switch e.Field {
	case "limits.maxDuration":
		return errtypes.Field("limits.maxDurationSeconds", "%s", strings.TrimPrefix(e.Message, e.Field+" "))
	case "limits.budget.cost":
		if !strings.Contains(e.Message, "must be at most") { // which says it in millionths
			return err
		}
		return errtypes.Field(e.Field, "is more than a run may spend here")
	}
	return err
}

// runUsageJSON is what a run has used of language models.
type runUsageJSON struct {
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

// usageOut is nil for a run that has used nothing.
func usageOut(u runs.Usage) *runUsageJSON {
	if u == (runs.Usage{}) {
		return nil
	}
	t := u.Tokens
	out := &runUsageJSON{
		InputTokens: t.Input, CacheReadTokens: t.CacheRead, CacheWriteTokens: t.CacheWrite, CacheWriteLongTokens: t.CacheWriteLong,
		OutputTokens: t.Output, ReasoningTokens: t.Reasoning, Estimated: t.Estimated, Questions: u.Questions, CostComplete: !u.Unpriced, Fallback: u.Fallback,
	}
	if u.Cost > 0 || !u.Unpriced {
		out.Cost = json.Number(runs.Money(u.Cost))
	}
	return out
}

// pauseJSON is a run that a person has, or will have soon.
type pauseJSON struct {
	Requested bool   `json:"requested"`
	Question  string `json:"question,omitempty"`
}

func pauseOut(p *runs.Pause) *pauseJSON {
	if p == nil {
		return nil
	}
	return &pauseJSON{p.Requested, p.Question}
}
