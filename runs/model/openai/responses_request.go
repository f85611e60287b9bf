package openai

import (
	"encoding/json"
	"slices"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// responsesWire speaks OpenAI's Responses. Nothing is stored at the server: what
// it wants back of an answer is sent back, reasoning in encrypted form.
type responsesWire struct{ m *Model }

func (w responsesWire) route() (*provider.Client, string) { return w.m.client, "responses" }

func (w responsesWire) reader() reader { return &responsesReader{from: w.m.from()} }

func (w responsesWire) fields(q *question) (map[string]any, error) {
	m := w.m
	out := object{
		"model": m.opts.Model, "instructions": q.System, "input": w.input(q), "stream": true, "store": false,
		"prompt_cache_key": cacheKey(q.Request),
	}
	if q.caps.Reasoning || q.caps.ContextTokens == 0 { // or nothing is known of it
		out["include"] = []string{"reasoning.encrypted_content"}
	}
	var tools []object
	for _, t := range q.tools.Sent {
		tools = append(tools, object{"type": "function", "name": t.Name, "description": t.Description, "parameters": t.Schema, "strict": t.Strict})
	}
	if tools != nil {
		out["tools"] = tools
		if !q.caps.ParallelTools {
			out["parallel_tool_calls"] = false
		}
	}
	if choice, ok := m.choice(q, object{"type": "function", "name": q.Force}); ok {
		out["tool_choice"] = choice
	}
	if q.caps.Temperature && m.opts.Temperature != nil {
		out["temperature"] = *m.opts.Temperature
	}
	if q.limit > 0 {
		out["max_output_tokens"] = q.limit
	}
	return out, nil
}

// items are a conversation as it is written.
type items struct {
	wire responsesWire
	q    *question
	all  []any
	ids  map[string]string // of the server, by those of the run
	used map[string]bool   // ids of the server
}

func (w responsesWire) input(q *question) []any {
	c := &items{wire: w, q: q, ids: map[string]string{}, used: map[string]bool{}}
	c.user(q.Task, nil)
	for _, msg := range q.Messages {
		switch msg.Role {
		case model.Assistant:
			c.assistant(msg)
		case model.ToolRole:
			c.results(msg)
		default:
			c.user(texts(msg), files(msg))
		}
	}
	return c.all
}

func (c *items) user(text string, images []model.Part) {
	if len(images) == 0 {
		c.all = append(c.all, object{"role": "user", "content": text})
		return
	}
	c.all = append(c.all, object{"role": "user", "content": withImages(text, images)})
}

func withImages(text string, images []model.Part) (parts []object) {
	if text != "" {
		parts = append(parts, object{"type": "input_text", "text": text})
	}
	for _, p := range images {
		parts = append(parts, object{"type": "input_image", "image_url": dataURL(p), "detail": "auto"})
	}
	return parts
}

// responsesReplay are the items of an answer as they came.
type responsesReplay struct {
	from  string
	items []json.RawMessage
	calls int // how many of them are calls
}

// assistant is a turn of the model: as it came, if that is kept, else in the form
// of every model.
func (c *items) assistant(msg model.Message) {
	calls := msg.Calls()
	kept, ok := msg.Replay.(*responsesReplay)
	if ok && kept.from == c.wire.m.from() && c.q.replay && kept.calls == len(calls) {
		c.q.replayed = true
		c.verbatim(kept.items, calls)
		return
	}
	if text := texts(msg); text != "" {
		c.all = append(c.all, object{"role": "assistant", "content": text})
	}
	for _, call := range calls {
		id := c.id(call.ToolCallID, "")
		c.all = append(c.all, object{"type": "function_call", "call_id": id, "name": call.ToolName, "arguments": objectText(call)})
	}
}

// verbatim writes items as they came, but for ids of calls that no result could
// be told by.
func (c *items) verbatim(kept []json.RawMessage, calls []model.Part) {
	for _, raw := range kept {
		var item object
		if json.Unmarshal(raw, &item) != nil || item["type"] != "function_call" {
			c.all = append(c.all, raw)
			continue
		}
		theirs := textOf(item["call_id"])
		id := c.id(calls[0].ToolCallID, theirs)
		calls = calls[1:]
		if id == theirs {
			c.all = append(c.all, raw)
			continue
		}
		item["call_id"] = id
		c.all = append(c.all, item)
	}
}

// id is that of the server for a call of the run: its own, if it is fit for it.
func (c *items) id(ours, theirs string) string {
	id := theirs
	if !validID(theirs, 64) || c.used[theirs] {
		id = c.wire.m.wireID(ours)
	}
	c.ids[ours], c.used[id] = id, true
	return id
}

// results are those of tools, with their images where the server takes them
// there.
func (c *items) results(msg model.Message) {
	left := files(msg)
	for _, p := range msg.Results() {
		id, ok := c.ids[p.ToolCallID]
		if !ok {
			id = c.wire.m.wireID(p.ToolCallID)
		}
		var own []model.Part
		if c.q.caps.ImagesInResults {
			left, own = apart(left, p.ToolCallID)
		}
		out := object{"type": "function_call_output", "call_id": id, "output": resultText(p)}
		if len(own) > 0 {
			out["output"] = withImages(resultText(p), own)
		}
		c.all = append(c.all, out)
	}
	if len(left) > 0 {
		c.user("Images of the results above:", left)
	}
}

// apart parts files from those of one call.
func apart(all []model.Part, id string) (others, own []model.Part) {
	for _, p := range all {
		if p.ToolCallID == id {
			own = append(own, p)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(p model.Part) bool { return p.ToolCallID == id }), own
}
