package anthropic

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

// A request is a message that is asked for.
type request struct {
	Model        string      `json:"model"`
	MaxTokens    int         `json:"max_tokens"`
	System       []*block    `json:"system,omitempty"`
	Tools        []tool      `json:"tools,omitempty"`
	ToolChoice   *toolChoice `json:"tool_choice,omitempty"`
	Thinking     *thinking   `json:"thinking,omitempty"`
	OutputConfig *config     `json:"output_config,omitempty"`
	Temperature  *float64    `json:"temperature,omitempty"`
	Stream       bool        `json:"stream"`
	Messages     []message   `json:"messages"`
}

// A tool is one of ours, or a toolset, which has no name.
type tool struct {
	Type        string                  `json:"type,omitempty"`
	Configs     map[string]memberConfig `json:"configs,omitempty"`
	Name        string                  `json:"name,omitempty"`
	Description string                  `json:"description,omitempty"`
	InputSchema json.RawMessage         `json:"input_schema,omitempty"`
	Strict      bool                    `json:"strict,omitempty"`
	Cache       *cache                  `json:"cache_control,omitempty"`
}

type toolChoice struct {
	Type       string `json:"type"`
	Name       string `json:"name,omitempty"`
	NoParallel bool   `json:"disable_parallel_tool_use,omitempty"`
}

type thinking struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens,omitempty"`
}

type config struct {
	Effort string `json:"effort,omitempty"`
}

type cache struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

// A question is a request, and what has to be known of it when it is answered or
// refused.
type question struct {
	body     request
	tools    dialect.Tools
	toolset  *toolset // nil for none
	ladder   *dialect.Ladder
	replays  []*replay // reasoning that is sent back
	optional []string  // fields that are in it and that an answer is possible without
}

func (m *Model) question(r model.Request, caps model.Caps) (question, error) {
	q := question{ladder: m.loose}
	if caps.StrictTools {
		q.ladder = m.ladder
	}
	own := r.Tools
	if q.toolset = m.toolset(r, caps); q.toolset != nil {
		own = q.toolset.others(own)
	}
	var err error
	if q.tools, err = q.ladder.Tools(own); err != nil {
		return q, err
	}
	q.body = request{Model: m.opts.Model, Stream: true}
	if r.System != "" {
		q.body.System = []*block{{Type: "text", Text: r.System}}
	}
	if q.toolset != nil {
		q.may(fieldToolset)
		q.body.System = append(q.body.System, &block{Type: "text", Text: toolsetNote})
		q.body.Tools = append(q.body.Tools, q.toolset.entry())
	}
	for _, t := range q.tools.Sent {
		q.body.Tools = append(q.body.Tools, tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema, Strict: t.Strict && caps.StrictTools})
	}
	c := conversation{model: m, caps: caps}
	q.body.Messages = c.messages(turns.Of(r, caps))
	q.replays = c.sentBack
	m.choose(&q, r, caps)
	m.think(&q, r, caps, c)
	q.body.MaxTokens = m.maxTokens(r, caps, q.body.Thinking)
	m.mark(&q, caps)
	return q, nil
}

// toolset is the provider's own for a request; nil where it is not wanted, or refused.
func (m *Model) toolset(r model.Request, caps model.Caps) *toolset {
	if !m.opts.BrowserToolset || !caps.Tools || !m.learned.fields.Takes(fieldToolset) {
		return nil
	}
	return newToolset(r, m.opts.Model)
}

func (q *question) may(field string) { q.optional = append(q.optional, field) }

// choose says which tools may be called.
func (m *Model) choose(q *question, r model.Request, caps model.Caps) {
	if len(r.Tools) == 0 {
		return
	}
	choice := toolChoice{Type: "auto", NoParallel: !caps.ParallelTools}
	if r.Force != "" && caps.ForcedTool {
		choice = toolChoice{Type: "tool", Name: r.Force, NoParallel: !caps.ParallelTools}
	}
	if choice != (toolChoice{Type: "auto"}) && m.learned.fields.Takes(fieldToolChoice) {
		q.body.ToolChoice = &choice
		q.may(fieldToolChoice)
	}
}

// think says how the model works. A model that must call a tool does not think,
// and one that thinks takes no temperature.
func (m *Model) think(q *question, r model.Request, caps model.Caps, c conversation) {
	fields := &m.learned.fields
	forced := q.body.ToolChoice != nil && q.body.ToolChoice.Type == "tool"
	if caps.Reasoning && fields.Takes(fieldThinking) {
		switch {
		case m.opts.Thinking == ThinkingOff:
			q.body.Thinking = &thinking{Type: string(ThinkingOff)}
		case forced:
		case m.opts.Thinking == ThinkingAdaptive:
			q.body.Thinking = &thinking{Type: string(ThinkingAdaptive)}
		case m.opts.ThinkingBudget > 0 && c.goesOn:
			q.body.Thinking = &thinking{Type: "enabled", Budget: m.opts.ThinkingBudget}
		}
	}
	if q.body.Thinking != nil {
		q.may(fieldThinking)
	}
	if m.opts.Effort != "" && fields.Takes(fieldEffort) {
		q.body.OutputConfig = &config{m.opts.Effort}
		q.may(fieldEffort)
	}
	thinks := q.body.Thinking != nil && q.body.Thinking.Type != string(ThinkingOff)
	if m.opts.Temperature != nil && caps.Temperature && !thinks {
		q.body.Temperature = m.opts.Temperature
		q.may(fieldTemperature)
	}
}

// maxTokens is how long the answer may be, its reasoning included.
func (m *Model) maxTokens(r model.Request, caps model.Caps, t *thinking) int {
	n := m.opts.MaxOutput
	if n == 0 {
		n = DefaultMaxOutput
	}
	if r.MoreOutput {
		n *= 2
	}
	if t != nil {
		n += t.Budget
	}
	if caps.OutputTokens > 0 {
		n = min(n, caps.OutputTokens)
	}
	return n
}

// mark says what is to be cached, in four places at most: the tools, the system
// prompt, all that is said so far, and what was all at the question before: the
// provider looks back from a mark over 20 blocks only, and a turn with many calls
// has more.
func (m *Model) mark(q *question, caps model.Caps) {
	if !caps.CacheMarks {
		return
	}
	mark := &cache{Type: "ephemeral"}
	if m.opts.LongCache {
		mark.TTL = "1h"
	}
	if n := len(q.body.Tools); n > 0 {
		q.body.Tools[n-1].Cache = mark
	}
	if n := len(q.body.System); n > 0 {
		q.body.System[n-1].Cache = mark
	}
	left := 2
	for i := len(q.body.Messages) - 1; i >= 0 && left > 0; i-- {
		if said := q.body.Messages[i]; said.Role == "user" {
			said.Content[len(said.Content)-1].Cache = mark
			left--
		}
	}
	q.may(fieldCache)
}
