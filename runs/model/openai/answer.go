package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/model"
)

// said is what has come of an answer.
type said struct {
	any       bool // a choice has come
	done      bool // the mark of the stream's end has
	text      strings.Builder
	reasoning strings.Builder
	refusal   strings.Builder
	calls     []*call
	finish    string
	usage     *usage
}

// A call as it comes, in pieces.
type call struct {
	index     *int
	id, name  string
	arguments strings.Builder
	object    json.RawMessage // arguments of a server that sends no text
	extra     map[string]any
}

type usage struct {
	Prompt        int64 `json:"prompt_tokens"`
	Completion    int64 `json:"completion_tokens"`
	PromptDetails *struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails *struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// take reads a chunk of a stream, or a whole answer: that has the message where
// a chunk has what is new of it.
func (s *said) take(raw []byte) error {
	var c struct {
		Choices []struct {
			Index   int              `json:"index"`
			Delta   *json.RawMessage `json:"delta"`
			Message *json.RawMessage `json:"message"`
			Finish  any              `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	var u *usage
	if json.Unmarshal(c.Usage, &u) == nil && u != nil {
		s.usage = u // the last counts
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		s.any, s.done = true, s.done || choice.Message != nil
		for _, part := range []*json.RawMessage{choice.Delta, choice.Message} {
			if part != nil {
				if err := s.takeDelta(*part); err != nil {
					return err
				}
			}
		}
		if f, ok := choice.Finish.(string); ok && f != "" {
			s.finish = f
		}
	}
	return nil
}

func (s *said) takeDelta(raw json.RawMessage) error {
	var d struct {
		Content, Refusal any
		ReasoningContent any               `json:"reasoning_content"`
		Reasoning        any               `json:"reasoning"`
		ToolCalls        []json.RawMessage `json:"tool_calls"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return err
	}
	s.text.WriteString(textOf(d.Content))
	s.refusal.WriteString(textOf(d.Refusal))
	if why := textOf(d.ReasoningContent); why != "" {
		s.reasoning.WriteString(why)
	} else {
		s.reasoning.WriteString(textOf(d.Reasoning))
	}
	for _, c := range d.ToolCalls {
		if err := s.takeCall(c); err != nil {
			return err
		}
	}
	return nil
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

func (s *said) takeCall(raw json.RawMessage) error {
	var piece struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	}
	if err := json.Unmarshal(raw, &piece); err != nil {
		return err
	}
	c := s.callOf(piece.Index, piece.ID, piece.Function.Name)
	c.id = first(c.id, piece.ID)
	c.name = first(c.name, piece.Function.Name)
	var text string
	switch args := bytes.TrimSpace(piece.Function.Arguments); {
	case len(args) == 0 || string(args) == "null":
	case json.Unmarshal(args, &text) == nil:
		c.arguments.WriteString(text)
	default:
		c.object = args
	}
	return c.keep(raw)
}

// keep notes the fields that nobody here knows.
func (c *call) keep(raw json.RawMessage) error {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		switch name {
		case "index", "id", "type", "function":
		default:
			if c.extra == nil {
				c.extra = map[string]any{}
			}
			c.extra[name] = value
		}
	}
	return nil
}

// callOf finds the call that a piece belongs to: that of its index; without one a
// new call where an id or a name begins one, else the last.
func (s *said) callOf(index *int, id, name string) *call {
	if index != nil {
		for _, c := range s.calls {
			if c.index != nil && *c.index == *index && (id == "" || c.id == "" || c.id == id) {
				return c
			}
		}
	} else if n := len(s.calls); n > 0 {
		last := s.calls[n-1]
		if (id == "" || id == last.id) && name == "" {
			return last
		}
	}
	c := &call{index: index}
	s.calls = append(s.calls, c)
	return c
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// response is the whole answer, once its end has come. A call in whose middle
// the limit of the output was reached is none.
func (s *said) response() model.Response {
	r := model.Response{Finish: s.finished(), Usage: s.counts()}
	if s.reasoning.Len() > 0 {
		r.Content = append(r.Content, model.Reasoning(s.reasoning.String()))
	}
	if text := s.text.String(); text != "" {
		r.Content = append(r.Content, model.Text(text))
	}
	var extras replay
	for i, c := range s.calls {
		input, whole := c.input()
		if !whole && r.Finish == model.FinishLength && i == len(s.calls)-1 {
			continue
		}
		r.Content = append(r.Content, model.Part{Type: model.ToolCallPart, ToolCallID: c.id, ToolName: c.name, Input: input})
		extras = append(extras, c.extra)
	}
	for _, extra := range extras {
		if extra != nil {
			r.Replay = extras
		}
	}
	return r
}

// refused reports whether the model, or a filter, kept the answer back, and what
// was said of it.
func (s *said) refused() (why string, ok bool) {
	if s.refusal.Len() > 0 {
		return s.refusal.String(), true
	}
	return "its content filter keeps the answer back", s.finish == "content_filter"
}

// finished goes by what has come, not by the word for it, where they differ:
// servers say "stop" with calls.
func (s *said) finished() model.Finish {
	switch {
	case s.finish == "length":
		return model.FinishLength
	case len(s.calls) > 0:
		return model.FinishCalls
	}
	return model.FinishStop
}

func (s *said) counts() model.Usage {
	if s.usage == nil {
		return model.Usage{}
	}
	u := model.Usage{Input: max(s.usage.Prompt, 0), Output: max(s.usage.Completion, 0)}
	if d := s.usage.PromptDetails; d != nil {
		u.CacheRead = min(max(d.Cached, 0), u.Input)
		u.CacheWrite = min(max(d.Written, 0), u.Input-u.CacheRead)
		u.Input -= u.CacheRead + u.CacheWrite
	}
	if d := s.usage.CompletionDetails; d != nil {
		u.Reasoning = min(max(d.Reasoning, 0), u.Output)
	}
	return u
}

// input is what the call is made with. Text behind the object is cut off, and an
// object in a text is taken out; what is no object stays a text, which no tool
// takes: its error tells the model.
func (c *call) input() (input json.RawMessage, whole bool) {
	if c.object != nil && c.object[0] == '{' {
		return c.object, true
	}
	text := strings.TrimSpace(c.arguments.String())
	if text == "" {
		return json.RawMessage(`{}`), true
	}
	for range 3 { // encoded twice, or three times
		var v json.RawMessage
		if json.NewDecoder(strings.NewReader(text)).Decode(&v) != nil {
			break
		}
		if v[0] == '{' {
			return v, true
		}
		var inner string
		if json.Unmarshal(v, &inner) != nil {
			break
		}
		text = strings.TrimSpace(inner)
	}
	raw, err := json.Marshal(c.arguments.String())
	if err != nil {
		panic(fmt.Sprintf("openai: a string does not marshal: %v", err))
	}
	return raw, false
}
