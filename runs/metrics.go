package runs

import (
	"errors"

	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// metrics are what is counted of the steps of runs; how runs end is counted where
// all executions do.
type metrics struct {
	*telemetry.Telemetry
	steps, questions, tokens *telemetry.Counter
}

func newMetrics(t *telemetry.Telemetry) metrics {
	return metrics{
		Telemetry: t,
		steps:     t.Counter("drover_run_steps_total", "Steps of agent runs."),
		questions: t.Counter("drover_model_questions_total", "Questions to a model that have used tokens, by the name that the host has given it.", "model"),
		tokens:    t.Counter("drover_model_tokens_total", "Tokens that a model has used: input, cache_read, cache_write, output.", "model", "direction"),
	}
}

// unnamed is the label of a model without a name.
const unnamed = "unnamed"

func modelLabel(name string) string {
	if name == "" {
		return unnamed
	}
	return name
}

// spent counts what a question has used.
func (m metrics) spent(s models.Spent) {
	label := modelLabel(s.Model)
	m.questions.Inc(label)
	for _, d := range []struct {
		direction string
		tokens    int64
	}{
		{"input", s.Usage.Input}, {"cache_read", s.Usage.CacheRead}, {"cache_write", s.Usage.CacheWrite + s.Usage.CacheWriteLong}, {"output", s.Usage.Output},
	} {
		if d.tokens > 0 {
			m.tokens.Add(float64(d.tokens), label, d.direction)
		}
	}
}

// failureOf is what spans say of an end.
func failureOf(e *ending) string {
	if e == nil {
		return ""
	}
	return e.Failure()
}

func failureOfTool(r tools.Result) string {
	if r.Fatal != nil || r.Output.IsError() {
		return "the tool failed"
	}
	return ""
}

// failureOfModel is the kind of the error, which says nothing of what was asked.
func failureOfModel(err error) string {
	if known, ok := errors.AsType[*model.Error](err); ok {
		return string(known.Kind)
	}
	if err != nil {
		return "broken off"
	}
	return ""
}
