package gemini

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

// A request is content that is asked for. What does not change from one step to
// the next comes first, so that the provider finds it in its cache.
type request struct {
	System     *content    `json:"systemInstruction,omitempty"`
	Tools      []tools     `json:"tools,omitempty"`
	ToolConfig *toolConfig `json:"toolConfig,omitempty"`
	Config     config      `json:"generationConfig,omitzero"`
	Contents   []content   `json:"contents"`
}

type tools struct {
	Functions []function `json:"functionDeclarations"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	JSONSchema  json.RawMessage `json:"parametersJsonSchema,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type toolConfig struct {
	Calling struct {
		Mode  string   `json:"mode"`
		Names []string `json:"allowedFunctionNames,omitempty"`
	} `json:"functionCallingConfig"`
}

type config struct {
	MaxOutput   int       `json:"maxOutputTokens,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"`
	Thinking    *thinking `json:"thinkingConfig,omitempty"`
}

type thinking struct {
	Level    string `json:"thinkingLevel,omitempty"`
	Budget   *int   `json:"thinkingBudget,omitempty"`
	Thoughts bool   `json:"includeThoughts,omitempty"`
}

// A question is a request, and what has to be known of it when it is answered or
// refused.
type question struct {
	body     request
	tools    dialect.Tools
	replays  []*replay // reasoning that is sent back
	unsigned bool      // a call is without a signature
	optional []string  // fields that are in it and that an answer is possible without
}

func (m *Model) question(r model.Request, caps model.Caps) (q question, err error) {
	if q.tools, err = m.ladder.Tools(r.Tools); err != nil {
		return q, err
	}
	if r.System != "" {
		q.body.System = &content{Parts: []*part{{Text: r.System}}}
	}
	if len(q.tools.Sent) > 0 {
		q.body.Tools = []tools{{m.functions(q.tools)}}
	}
	c := conversation{model: m, caps: caps, ids: m.learned.fields.Takes(fieldID)}
	q.body.Contents = c.contents(turns.Of(r, caps))
	q.replays, q.unsigned = c.sentBack, c.unsigned
	if c.ids {
		q.optional = append(q.optional, fieldID)
	}
	m.choose(&q, r, caps)
	m.configure(&q, r, caps)
	return q, nil
}

// functions are the tools with their schemas. One that takes nothing has none in
// the provider's own form: it refuses an object without properties.
func (m *Model) functions(all dialect.Tools) (out []function) {
	for _, t := range all.Sent {
		f := function{Name: t.Name, Description: t.Description}
		switch {
		case all.Dialect != dialect.Gemini && m.learned.fields.Takes(fieldJSONSchema):
			f.JSONSchema = t.Schema
		case all.Dialect == dialect.Gemini && string(t.Schema) != `{"type":"OBJECT"}`:
			f.Parameters = t.Schema
		}
		out = append(out, f)
	}
	return out
}

// choose says which tool has to be called.
func (m *Model) choose(q *question, r model.Request, caps model.Caps) {
	if r.Force == "" || len(r.Tools) == 0 || !caps.ForcedTool || !m.learned.fields.Takes(fieldToolConfig) {
		return
	}
	q.body.ToolConfig = &toolConfig{}
	q.body.ToolConfig.Calling.Mode, q.body.ToolConfig.Calling.Names = "ANY", []string{r.Force}
	q.optional = append(q.optional, fieldToolConfig)
}

// configure says how the model works, and how long its answer may be.
func (m *Model) configure(q *question, r model.Request, caps model.Caps) {
	c, o := &q.body.Config, m.opts
	c.MaxOutput = m.maxOutput(r, caps)
	if o.Temperature != nil && caps.Temperature && m.learned.fields.Takes(fieldTemperature) {
		c.Temperature = o.Temperature
		q.optional = append(q.optional, fieldTemperature)
	}
	if t := (thinking{o.ThinkingLevel, o.ThinkingBudget, o.Thoughts}); t != (thinking{}) && caps.Reasoning && m.learned.fields.Takes(fieldThinking) {
		c.Thinking = &t
		q.optional = append(q.optional, fieldThinking)
	}
}

// maxOutput is how many tokens the answer may have; 0 leaves it to the server.
func (m *Model) maxOutput(r model.Request, caps model.Caps) int {
	n := m.opts.MaxOutput
	if r.MoreOutput {
		if n *= 2; n == 0 {
			n = max(caps.OutputTokens, 16_384)
		}
	}
	if caps.OutputTokens > 0 {
		n = min(n, caps.OutputTokens)
	}
	return n
}
