package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// chatReader reads a chat completion, streamed or not.
type chatReader struct {
	from   string
	calls  []*chatCall
	fields object // of the message, to be sent back
	back   bool   // its reasoning, too
	finish string
}

// A chatCall is a call as it comes, in pieces.
type chatCall struct {
	index     *int
	id, name  string
	arguments strings.Builder
	extra     object
}

type chatUsage struct {
	Prompt        int64 `json:"prompt_tokens"`
	Completion    int64 `json:"completion_tokens"`
	PromptDetails struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	CacheHit int64 `json:"prompt_cache_hit_tokens"` // DeepSeek's
}

// take reads a chunk of a stream, or a whole answer: that has the message where
// a chunk has what is new of it.
func (r *chatReader) take(raw []byte, s *said) error {
	if string(raw) == "[DONE]" {
		s.done = true
		return nil
	}
	var c struct {
		ID      any `json:"id"`
		Choices []struct {
			Index   int             `json:"index"`
			Delta   json.RawMessage `json:"delta"`
			Message json.RawMessage `json:"message"`
			Finish  any             `json:"finish_reason"`
			Error   json.RawMessage `json:"error"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return unreadable(err)
	}
	if id, ok := c.ID.(string); ok && s.id == "" {
		s.id = id
	}
	r.takeUsage(c.Usage, s)
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if f, ok := provider.ReadFault([]byte(`{"error":` + string(choice.Error) + `}`)); ok {
			return f
		}
		s.any = true
		for _, part := range []json.RawMessage{choice.Delta, choice.Message} {
			if err := r.takeDelta(part, s); err != nil {
				return err
			}
		}
		if f, ok := choice.Finish.(string); ok && f != "" {
			r.finish, s.finished = f, true
		}
		if choice.Message != nil {
			s.done = true
		}
	}
	return nil
}

// takeUsage keeps the last that was told.
func (r *chatReader) takeUsage(raw json.RawMessage, s *said) {
	var u *chatUsage
	if json.Unmarshal(raw, &u) != nil || u == nil {
		return
	}
	s.usage = counts(u.Prompt, max(u.PromptDetails.Cached, u.CacheHit), u.PromptDetails.Written, u.Completion, u.CompletionDetails.Reasoning)
}

// counts makes disjoint counts of those of OpenAI, where one holds another.
func counts(input, cached, written, output, reasoning int64) *model.Usage {
	u := model.Usage{Input: max(input, 0), Output: max(output, 0)}
	u.CacheRead = min(max(cached, 0), u.Input)
	u.CacheWrite = min(max(written, 0), u.Input-u.CacheRead)
	u.Input -= u.CacheRead + u.CacheWrite
	u.Reasoning = min(max(reasoning, 0), u.Output)
	return &u
}

func (r *chatReader) takeDelta(raw json.RawMessage, s *said) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var d struct {
		Content          any `json:"content"`
		Refusal          any `json:"refusal"`
		ReasoningContent any `json:"reasoning_content"`
		Reasoning        any `json:"reasoning"`
		Details          any `json:"reasoning_details"`
		ToolCalls        any `json:"tool_calls"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return unreadable(err)
	}
	s.text.WriteString(textOf(d.Content))
	s.refusal.WriteString(textOf(d.Refusal))
	r.takeReasoning(textOf(d.ReasoningContent), textOf(d.Reasoning), d.Details, s)
	if _, ok := d.ToolCalls.([]any); !ok {
		return nil
	}
	var calls struct {
		ToolCalls []json.RawMessage `json:"tool_calls"`
	}
	if err := json.Unmarshal(raw, &calls); err != nil {
		return unreadable(err)
	}
	for _, c := range calls.ToolCalls {
		if err := r.takeCall(c); err != nil {
			return err
		}
	}
	return nil
}

// takeReasoning reads thoughts, and keeps them in the form in which servers want
// them back.
func (r *chatReader) takeReasoning(content, reasoning string, details any, s *said) {
	if r.fields == nil {
		r.fields = object{}
	}
	if content != "" {
		r.back = true
		s.reasoning.WriteString(content)
	} else {
		s.reasoning.WriteString(reasoning)
	}
	if list, ok := details.([]any); ok && len(list) > 0 {
		before, _ := r.fields["reasoning_details"].([]any)
		r.fields["reasoning_details"] = append(before, list...)
	}
}

// textOf is a text, or the texts of a list of parts; empty for anything else.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var all strings.Builder
		for _, part := range v {
			if p, ok := part.(map[string]any); ok {
				all.WriteString(textOf(p["text"]))
			}
		}
		return all.String()
	}
	return ""
}

func (r *chatReader) takeCall(raw json.RawMessage) error {
	var piece struct {
		Index    *int `json:"index"`
		ID       any  `json:"id"`
		Function struct {
			Name      any             `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	}
	if err := json.Unmarshal(raw, &piece); err != nil {
		return unreadable(err)
	}
	id, name := textOf(piece.ID), textOf(piece.Function.Name)
	c := r.callOf(piece.Index, id, name)
	if c == nil {
		return unreadable(errCalls)
	}
	if c.id == "" {
		c.id = id
	}
	if c.name == "" {
		c.name = name
	}
	var text string
	switch args := bytes.TrimSpace(piece.Function.Arguments); {
	case len(args) == 0 || string(args) == "null":
	case json.Unmarshal(args, &text) == nil:
		c.arguments.WriteString(text)
	default: // an object, of a server that sends no text
		c.arguments.Write(args)
	}
	return c.keep(raw)
}

// keep notes the fields that nobody here knows.
func (c *chatCall) keep(raw json.RawMessage) error {
	var fields object
	if err := json.Unmarshal(raw, &fields); err != nil {
		return unreadable(err)
	}
	for name, value := range fields {
		switch name {
		case "index", "id", "type", "function":
		default:
			if c.extra == nil {
				c.extra = object{}
			}
			c.extra[name] = value
		}
	}
	return nil
}

// callOf finds the call that a piece belongs to: that of its index; without one a
// new call where an id or a name begins one, else the last; nil if there are too
// many.
func (r *chatReader) callOf(index *int, id, name string) *chatCall {
	if index != nil {
		for _, c := range r.calls {
			if c.index != nil && *c.index == *index && (id == "" || c.id == "" || c.id == id) {
				return c
			}
		}
	} else if n := len(r.calls); n > 0 {
		last := r.calls[n-1]
		if (id == "" || id == last.id) && name == "" {
			return last
		}
	}
	if len(r.calls) == maxItems {
		return nil
	}
	c := &chatCall{index: index}
	r.calls = append(r.calls, c)
	return c
}

// end puts the pieces together.
func (r *chatReader) end(s *said) {
	s.length = r.finish == "length"
	s.filtered = r.finish == "content_filter"
	s.done = s.any && (s.done || r.finish != "")
	if r.back {
		r.fields["reasoning_content"] = s.reasoning.String()
	}
	kept := &chatReplay{from: r.from, fields: r.fields}
	extra := len(r.fields) > 0
	for _, c := range r.calls {
		s.calls = append(s.calls, call{c.id, c.name, c.arguments.String()})
		kept.calls = append(kept.calls, c.extra)
		extra = extra || len(c.extra) > 0
	}
	if extra {
		s.replay = kept
	}
}
