package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

// ollamaWire speaks Ollama's own route: by its chat completions the length of the
// context cannot be set, and what is longer is cut without a word.
type ollamaWire struct{ m *Model }

func (w ollamaWire) route() (*provider.Client, string) { return w.m.ollama.client, "api/chat" }

func (w ollamaWire) reader() reader { return &ollamaReader{} }

func (w ollamaWire) fields(q *question) (map[string]any, error) {
	m := w.m
	messages, tools := w.conversation(q), chatTools(q.tools.Sent)
	text, err := json.Marshal([]any{messages, tools})
	if err != nil {
		return nil, model.Errorf("the conversation cannot be sent").WithCause(err)
	}
	if q.context, err = m.contextFor(q, q.without(len(text))); err != nil {
		return nil, err
	}
	options := object{"num_ctx": q.context}
	if q.limit > 0 {
		options["num_predict"] = q.limit
	}
	if q.caps.Temperature && m.opts.Temperature != nil {
		options["temperature"] = *m.opts.Temperature
	}
	out := object{"model": m.opts.Model, "messages": messages, "stream": true, "truncate": false, "shift": false, "options": options}
	if tools != nil {
		out["tools"] = tools
	}
	return out, nil
}

// contextFor is the length of the context for a conversation of n bytes. It only
// grows, and doubles: the server loads the model anew for another. A server that
// would refuse what is too long is asked for what probably fits; one that drops
// messages instead, for what surely does, since no token is shorter than a byte.
func (m *Model) contextFor(q *question, n int) (int, error) {
	most := q.caps.ContextTokens
	if most == 0 {
		most = mostContext
	}
	answer := q.limit
	if answer == 0 {
		answer = 4096
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.ollama
	need := n/3 + answer
	if o.drops {
		if need = n + answer; need > most {
			return 0, &model.Error{Kind: model.ErrorOverflow, Message: fmt.Sprintf(
				"the conversation may be longer than the %d tokens that the model %s reads, and Ollama %s drops what is too long without a word: update it to 0.13 or later", most, m.opts.Model, o.version)}
		}
	}
	for o.context < need && o.context < most {
		o.context *= 2
	}
	return min(o.context, most), nil
}

// ollamaGrows raises the context after a conversation was refused as too long,
// and reports whether it could.
func (m *Model) ollamaGrows(q *question) bool {
	if q.context == 0 {
		return false
	}
	most := q.caps.ContextTokens
	if most == 0 {
		most = mostContext
	}
	if q.context >= most {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ollama.context = max(m.ollama.context, 2*q.context)
	return true
}

func (w ollamaWire) conversation(q *question) []object {
	all := []object{{"role": "system", "content": q.System}}
	for _, t := range turns.Of(q.Request, q.caps) {
		if t.Said != nil {
			all = append(all, w.assistant(*t.Said))
			continue
		}
		for _, r := range t.Results {
			all = append(all, object{"role": "tool", "tool_name": r.Call.ToolName, "tool_call_id": w.m.wireID(r.Call.ToolCallID), "content": outputText(r.Output)})
		}
		if parts := behind(t); len(parts) > 0 {
			all = append(all, ollamaUser(parts))
		}
	}
	return all
}

func ollamaUser(parts []model.Part) object {
	out := object{"role": "user", "content": texts(parts)}
	var data []string
	for _, p := range parts {
		if isFile(p) {
			data = append(data, p.Data)
		}
	}
	if data != nil {
		out["images"] = data
	}
	return out
}

// assistant is a turn of the model, its thoughts too: templates of models that
// think while they use tools want them.
func (w ollamaWire) assistant(msg model.Message) object {
	out := object{"role": "assistant", "content": texts(msg.Content)}
	var calls []object
	var thoughts []string
	for _, p := range msg.Content {
		switch p.Type {
		case model.ReasoningPart:
			thoughts = append(thoughts, p.Text)
		case model.ToolCallPart:
			calls = append(calls, object{"id": w.m.wireID(p.ToolCallID), "function": object{"name": p.ToolName, "arguments": json.RawMessage(objectText(p))}})
		}
	}
	if calls != nil {
		out["tool_calls"] = calls
	}
	if thoughts != nil {
		out["thinking"] = strings.Join(thoughts, "\n")
	}
	return out
}

// ollamaReader reads the lines of an answer.
type ollamaReader struct{}

func (*ollamaReader) take(raw []byte, s *said) error {
	var c struct {
		Message *struct {
			Content  any `json:"content"`
			Thinking any `json:"thinking"`
			Calls    []struct {
				ID       any `json:"id"`
				Function struct {
					Name      any `json:"name"`
					Arguments any `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
		Done   bool   `json:"done"`
		Reason string `json:"done_reason"`
		Input  int64  `json:"prompt_eval_count"`
		Output int64  `json:"eval_count"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return unreadable(err)
	}
	if c.Message == nil && !c.Done {
		return nil
	}
	s.any = true
	if msg := c.Message; msg != nil {
		s.text.WriteString(textOf(msg.Content))
		s.reasoning.WriteString(textOf(msg.Thinking))
		for _, call := range msg.Calls {
			if err := s.addCall(textOf(call.ID), textOf(call.Function.Name), argumentsText(call.Function.Arguments)); err != nil {
				return err
			}
		}
	}
	if c.Done {
		s.done, s.length = true, c.Reason == "length"
		if c.Input > 0 || c.Output > 0 {
			s.usage = counts(c.Input, 0, 0, c.Output, 0)
		}
	}
	return nil
}

func (*ollamaReader) end(*said) {}

var errCalls = errors.New("openai: an answer of too many calls")

func (s *said) addCall(id, name, arguments string) error {
	if len(s.calls) == maxItems {
		return unreadable(errCalls)
	}
	s.calls = append(s.calls, call{id, name, arguments})
	return nil
}
