package openai

import (
	"encoding/json"
	"maps"

	"github.com/drover-go/drover/runs/model"
)

// A request is a chat completion that is asked for.
type request struct {
	Model         string         `json:"model"`
	Messages      []message      `json:"messages"`
	Tools         []tool         `json:"tools,omitempty"`
	ToolChoice    string         `json:"tool_choice,omitempty"`
	Stream        bool           `json:"stream"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
	MaxCompletion int            `json:"max_completion_tokens,omitempty"`
	MaxTokens     int            `json:"max_tokens,omitempty"`
	Temperature   *float64       `json:"temperature,omitempty"`
}

// optional are the fields that were sent and that an answer is possible without.
func (r request) optional() (names []string) {
	for name, sent := range map[string]bool{
		"max_completion_tokens": r.MaxCompletion != 0, "max_tokens": r.MaxTokens != 0, "temperature": r.Temperature != nil,
		"tool_choice": r.ToolChoice != "", "stream_options": r.StreamOptions != nil,
	} {
		if sent {
			names = append(names, name)
		}
	}
	return names
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role string `json:"role"`
	// Content is null only where there are calls.
	Content    *string           `json:"content"`
	ToolCalls  []json.RawMessage `json:"tool_calls,omitempty"`
	ToolCallID string            `json:"tool_call_id,omitempty"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

func (m *Model) request(r model.Request) request {
	out := request{Model: m.opts.Model, Stream: true, Messages: conversation(r)}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool{"function", function{t.Name, t.Description, t.Input}})
	}
	if len(out.Tools) == 1 && m.takes("tool_choice") {
		out.ToolChoice = "required" // the last step: only the end is left
	}
	if m.takes("stream_options") {
		out.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if m.takes("temperature") {
		out.Temperature = m.opts.Temperature
	}
	switch {
	case m.takes("max_completion_tokens"):
		out.MaxCompletion = m.opts.MaxOutput
	case m.takes("max_tokens"):
		out.MaxTokens = m.opts.MaxOutput
	}
	return out
}

// conversation is all that is said, the system first. What does not change from
// one step to the next comes first, so that servers find it in their caches.
func conversation(r model.Request) []message {
	all := []message{{Role: "system", Content: &r.System}, {Role: "user", Content: &r.Task}}
	for _, msg := range r.Messages {
		switch msg.Role {
		case model.Assistant:
			all = append(all, assistant(msg))
		case model.ToolRole:
			for _, p := range msg.Results() {
				text := p.Output.Text()
				if p.Output.IsError() {
					text = "Error: " + text
				}
				all = append(all, message{Role: "tool", ToolCallID: p.ToolCallID, Content: &text})
			}
		default:
			text := texts(msg)
			all = append(all, message{Role: "user", Content: &text})
		}
	}
	return all
}

func texts(msg model.Message) (all string) {
	for _, p := range msg.Content {
		if p.Type == model.TextPart {
			if all != "" {
				all += "\n"
			}
			all += p.Text
		}
	}
	return all
}

// assistant is a turn of the model. Reasoning is not sent back: no server of this
// kind takes it.
func assistant(msg model.Message) message {
	out := message{Role: "assistant"}
	extras, _ := msg.Replay.(replay)
	for i, call := range msg.Calls() {
		fields := map[string]any{}
		if i < len(extras) {
			maps.Copy(fields, extras[i])
		}
		fields["id"], fields["type"] = call.ToolCallID, "function"
		fields["function"] = map[string]string{"name": call.ToolName, "arguments": string(call.Input)}
		raw, err := json.Marshal(fields)
		if err != nil {
			continue // of raw JSON that was read before: it is none only if somebody else made it
		}
		out.ToolCalls = append(out.ToolCalls, raw)
	}
	if text := texts(msg); text != "" || len(out.ToolCalls) == 0 {
		out.Content = &text
	}
	return out
}

// replay are the fields of each call that nobody here knows: some servers put a
// signature of their reasoning there, and refuse the next request without.
type replay []map[string]any
