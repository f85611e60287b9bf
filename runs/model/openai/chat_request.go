package openai

import (
	"maps"
	"slices"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/provider"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

// chatWire speaks chat completions.
type chatWire struct{ m *Model }

func (w chatWire) route() (*provider.Client, string) { return w.m.client, "chat/completions" }

func (w chatWire) reader() reader { return &chatReader{from: w.m.from()} }

type object = map[string]any

func (w chatWire) fields(q *question) (map[string]any, error) {
	m := w.m
	out := object{"model": m.opts.Model, "stream": true, "stream_options": object{"include_usage": true}, "messages": w.conversation(q)}
	if tools := chatTools(q.tools.Sent); tools != nil {
		out["tools"] = tools
		if !q.caps.ParallelTools {
			out["parallel_tool_calls"] = false
		}
	}
	if choice, ok := m.choice(q, object{"type": "function", "function": object{"name": q.Force}}); ok {
		out["tool_choice"] = choice
	}
	if q.caps.Temperature && m.opts.Temperature != nil {
		out["temperature"] = *m.opts.Temperature
	}
	if name := m.limitField(q); name != "" && q.limit > 0 {
		out[name] = q.limit
	}
	if m.server.openai {
		out["prompt_cache_key"] = cacheKey(q.Request)
	}
	return out, nil
}

func chatTools(sent []dialect.Tool) (all []object) {
	for _, t := range sent {
		f := object{"name": t.Name, "description": t.Description, "parameters": t.Schema}
		if t.Strict {
			f["strict"] = true
		}
		all = append(all, object{"type": "function", "function": f})
	}
	return all
}

// limitField is how the server calls the limit of an answer; empty if it takes
// none. Reasoning models refuse the old name, other servers know only that one.
func (m *Model) limitField(q *question) string {
	names := []string{"max_tokens", "max_completion_tokens"}
	if m.server.openai || q.caps.Reasoning && q.caps.OutputTokens > 0 {
		names = []string{"max_completion_tokens", "max_tokens"}
	}
	for _, name := range names {
		if m.refused.Takes(name) {
			return name
		}
	}
	return ""
}

// conversation is all that is said, the system first. What does not change from
// one step to the next comes first, so that servers find it in their caches.
func (w chatWire) conversation(q *question) []object {
	all := []object{{"role": "system", "content": q.System}}
	for _, t := range turns.Of(q.Request, q.caps) {
		if t.Said != nil {
			all = append(all, w.assistant(q, *t.Said))
			continue
		}
		for _, r := range t.Results {
			all = append(all, object{"role": "tool", "tool_call_id": w.m.wireID(r.Call.ToolCallID), "content": outputText(r.Output)})
		}
		if parts := behind(t); len(parts) > 0 {
			all = append(all, chatUser(parts))
		}
	}
	return all
}

func chatUser(parts []model.Part) object {
	if !slices.ContainsFunc(parts, isFile) {
		return object{"role": "user", "content": texts(parts)}
	}
	var all []object
	for _, p := range parts {
		if isFile(p) {
			all = append(all, object{"type": "image_url", "image_url": object{"url": dataURL(p)}})
		} else {
			all = append(all, object{"type": "text", "text": p.Text})
		}
	}
	return object{"role": "user", "content": all}
}

// chatReplay are the fields of a message, and of each of its calls, that nobody
// here knows: servers put their reasoning and its signatures there, and some
// refuse the next request without.
type chatReplay struct {
	from   string
	fields object
	calls  []object
}

// assistant is a turn of the model. Its content is null only beside calls.
func (w chatWire) assistant(q *question, msg model.Message) object {
	out := object{"role": "assistant", "content": nil}
	kept, ok := msg.Replay.(*chatReplay)
	if ok && kept.from == w.m.from() && w.m.replays.Takes(kept) {
		q.replays = append(q.replays, kept)
	} else {
		kept = &chatReplay{}
	}
	maps.Copy(out, kept.fields)
	var calls []object
	for i, c := range msg.Calls() {
		fields := object{}
		if i < len(kept.calls) {
			maps.Copy(fields, kept.calls[i])
		}
		fields["id"], fields["type"] = w.m.wireID(c.ToolCallID), "function"
		fields["function"] = object{"name": c.ToolName, "arguments": objectText(c)}
		calls = append(calls, fields)
	}
	if calls != nil {
		out["tool_calls"] = calls
	}
	if text := texts(msg.Content); text != "" || calls == nil {
		out["content"] = text
	}
	return out
}
