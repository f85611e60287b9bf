package openai

import (
	"encoding/json"
	"slices"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/fenced"
)

// A question is a request as it is sent: made anew for every try, by what is known
// of the server by then.
type question struct {
	model.Request // without tools and images where the model has none
	caps          model.Caps
	given         []model.Tool // those of the caller
	tools         dialect.Tools
	texts         bool   // tools stand in the prompt, calls in the text
	named         bool   // the forced tool is named
	forced        bool   // a tool is forced
	limit         int    // of the answer, in tokens; 0 for the server's
	context       int    // num_ctx of an Ollama
	replays       []any  // what was kept of answers, and is sent back
	body          []byte // as it is sent
	sent          []string
}

// optional are the fields that an answer is possible without.
var optional = []string{
	"max_completion_tokens", "max_tokens", "max_output_tokens", "temperature", "tool_choice", "stream_options", "parallel_tool_calls",
	"prompt_cache_key", "include", "store", "think", "truncate", "shift",
}

// Features that a server may refuse, beside fields.
const (
	featureTools  = "tools"               // calls by the protocol
	featureImages = "images"              // in the conversation
	featureAuto   = "tool_choice auto"    // leaving the choice to the model
	featureNamed  = "tool_choice by name" // forcing by name
)

func (m *Model) question(w wire, r model.Request) (_ *question, err error) {
	q := &question{Request: r, caps: m.Caps(), given: r.Tools}
	q.limit = m.limit(q)
	if !q.caps.Images {
		q.Messages = withoutFiles(q.Messages)
	}
	if !q.caps.Tools && len(r.Tools) > 0 {
		q.Request, q.texts = fenced.Request(q.Request), true
	}
	if q.tools, err = m.ladder.Tools(q.Tools); err != nil {
		return nil, err
	}
	m.force(q)
	fields, err := w.fields(q)
	if err != nil {
		return nil, err
	}
	for _, name := range optional {
		if _, ok := fields[name]; !ok {
			continue
		}
		if !m.refused.Takes(name) {
			delete(fields, name)
			continue
		}
		q.sent = append(q.sent, name)
	}
	if q.body, err = json.Marshal(fields); err != nil {
		return nil, model.Errorf("the conversation cannot be sent").WithCause(err)
	}
	return q, nil
}

// limit is that of the answer: doubled where it was too short.
func (m *Model) limit(q *question) int {
	limit := m.opts.MaxOutput
	if q.MoreOutput {
		if limit *= 2; limit == 0 {
			limit = 16_384
			if q.caps.OutputTokens > 0 {
				limit = q.caps.OutputTokens
			}
		}
	}
	if most := q.caps.OutputTokens; most > 0 {
		limit = min(limit, most)
	}
	return limit
}

// force notes how the one tool is asked for that has to be called: by name, else
// as the only one there is.
func (m *Model) force(q *question) {
	i := slices.IndexFunc(q.tools.Sent, func(t dialect.Tool) bool { return t.Name == q.Force })
	if q.Force == "" || i < 0 || !q.caps.ForcedTool {
		return
	}
	q.forced, q.named = true, m.refused.Takes(featureNamed) && !m.server.mistral
	if !q.named {
		q.tools.Sent = q.tools.Sent[i : i+1]
	}
}

// choice is what is said of tools, in the form in which a dialect names one.
func (m *Model) choice(q *question, named any) (any, bool) {
	word := "required"
	if m.server.mistral {
		word = "any"
	}
	switch {
	case len(q.tools.Sent) == 0:
		return nil, false
	case q.named:
		return named, true
	case q.forced, !m.refused.Takes(featureAuto):
		return word, true
	}
	return nil, false
}

// size is how many bytes there are to read, an image counted as 4,000.
func (q *question) size() int { return q.without(len(q.body)) }

// without takes the images out of n bytes.
func (q *question) without(n int) int {
	for _, msg := range q.Messages {
		for _, p := range msg.Content {
			if p.Type == model.FilePart {
				n -= len(p.Data) - 4000
			}
		}
	}
	return max(n, 0)
}

func withoutFiles(all []model.Message) []model.Message {
	out := slices.Clone(all)
	for i := range out {
		if !slices.ContainsFunc(out[i].Content, isFile) {
			continue
		}
		out[i].Content = slices.DeleteFunc(slices.Clone(out[i].Content), isFile)
	}
	return slices.DeleteFunc(out, func(m model.Message) bool { return len(m.Content) == 0 && m.Role == model.User })
}

func isFile(p model.Part) bool { return p.Type == model.FilePart }
