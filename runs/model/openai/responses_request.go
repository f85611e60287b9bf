package openai

import (
	"encoding/json"
	"slices"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
	"github.com/drover-go/drover/runs/model/internal/turns"
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
	for _, t := range turns.Of(q.Request, q.caps) {
		if t.Said != nil {
			c.assistant(*t.Said)
			continue
		}
		c.results(t)
	}
	return c.all
}

// content is a text, or a list of texts and images.
func content(parts []model.Part) any {
	if !slices.ContainsFunc(parts, isFile) {
		return texts(parts)
	}
	var all []object
	for _, p := range parts {
		if isFile(p) {
			all = append(all, object{"type": "input_image", "image_url": dataURL(p), "detail": "auto"})
		} else {
			all = append(all, object{"type": "input_text", "text": p.Text})
		}
	}
	return all
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
	if ok && kept.from == c.wire.m.from() && c.wire.m.replays.Takes(kept) && kept.calls == len(calls) {
		c.q.replays = append(c.q.replays, kept)
		c.verbatim(kept.items, calls)
		return
	}
	if text := texts(msg.Content); text != "" {
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
		if json.Unmarshal(raw, &item) != nil || item["type"] != "function_call" || len(calls) == 0 {
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
// there, and what the user says behind them.
func (c *items) results(t turns.Turn) {
	for i, r := range t.Results {
		out := []model.Part{model.Text(outputText(r.Output))}
		if c.q.caps.ImagesInResults {
			out = append(out, r.Files...)
			t.Results[i].Files = nil
		}
		c.all = append(c.all, object{"type": "function_call_output", "call_id": c.ids[r.Call.ToolCallID], "output": content(out)})
	}
	if parts := behind(t); len(parts) > 0 {
		c.all = append(c.all, object{"role": "user", "content": content(parts)})
	}
}
