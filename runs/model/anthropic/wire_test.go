package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/anthropic"
	"github.com/drover-go/drover/runs/model/internal/providertest"
)

// obj is JSON to be.
type obj map[string]any

func (o obj) String() string {
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func event(o obj) string { return fmt.Sprintf("event: %s\ndata: %s\n\n", o["type"], o) }

var stops = map[providertest.Stop]string{
	providertest.Length: "max_tokens", providertest.Filtered: "refusal", providertest.Strange: "tired",
	providertest.SaysStop: "end_turn", providertest.SaysCall: "tool_use",
}

func stopOf(a providertest.Answer) string {
	switch {
	case a.Refusal != "":
		return "refusal"
	case a.Stop != providertest.Natural:
		return stops[a.Stop]
	case len(a.Calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

func usageOf(a providertest.Answer) any {
	u := a.Usage
	if u == nil {
		return nil
	}
	return obj{"input_tokens": u.Input, "cache_read_input_tokens": u.CacheRead, "output_tokens": u.Output, "output_tokens_details": obj{"thinking_tokens": u.Reasoning}}
}

// with adds the usage where it is told.
func (o obj) with(a providertest.Answer, tell bool) obj {
	if tell && (a.Usage != nil || a.UsageNull) {
		o["usage"] = usageOf(a)
	}
	return o
}

// arguments are an object where they are one, else a text.
func arguments(text string) any {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}

func document(a providertest.Answer) string {
	content := []any{}
	if a.Reasoning != "" {
		content = append(content, obj{"type": "thinking", "thinking": a.Reasoning, "signature": "c2lnbmVk"})
	}
	if a.Text != "" {
		content = append(content, obj{"type": "text", "text": a.Text})
	}
	for _, c := range a.Calls {
		content = append(content, obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": arguments(c.Arguments)})
	}
	d := obj{"type": "message", "id": "msg_1", "role": "assistant", "content": content, "stop_reason": stopOf(a)}.with(a, true)
	if a.Refusal != "" {
		d["stop_details"] = obj{"category": "cyber", "explanation": a.Refusal}
	}
	return d.String()
}

func events(a providertest.Answer) (said, end []string) {
	say := func(o obj) { said = append(said, event(o)) }
	say(obj{"type": "message_start", "message": obj{"type": "message", "role": "assistant", "content": []any{}, "stop_reason": nil}.with(a, true)})
	n := 0
	block := func(begin obj, deltas ...obj) {
		say(obj{"type": "content_block_start", "index": n, "content_block": begin})
		for _, d := range deltas {
			say(obj{"type": "content_block_delta", "index": n, "delta": d}.with(a, a.UsageEach))
		}
		say(obj{"type": "content_block_stop", "index": n})
		n++
	}
	if a.Reasoning != "" {
		block(obj{"type": "thinking", "thinking": "", "signature": ""}, obj{"type": "thinking_delta", "thinking": a.Reasoning}, obj{"type": "signature_delta", "signature": "c2lnbmVk"})
	}
	if t := a.Text; t != "" {
		half := len(t) / 2
		for half > 0 && t[half]&0xC0 == 0x80 {
			half--
		}
		block(obj{"type": "text", "text": ""}, obj{"type": "text_delta", "text": t[:half]}, obj{"type": "text_delta", "text": t[half:]})
	}
	for _, c := range a.Calls {
		half := len(c.Arguments) / 2
		block(obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": obj{}}, obj{"type": "input_json_delta", "partial_json": ""},
			obj{"type": "input_json_delta", "partial_json": c.Arguments[:half]}, obj{"type": "input_json_delta", "partial_json": c.Arguments[half:]})
	}
	stop := obj{"stop_reason": stopOf(a), "stop_sequence": nil}
	if a.Refusal != "" {
		stop["stop_details"] = obj{"category": "cyber", "explanation": a.Refusal}
	}
	return said, []string{event(obj{"type": "message_delta", "delta": stop}.with(a, true)), event(obj{"type": "message_stop"})}
}

var words = map[int]string{400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
	413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error"}

func fault(status int, message string) string {
	word := words[status]
	if word == "" {
		word = "invalid_request_error"
	}
	if status >= 500 && words[status] == "" {
		word = "api_error"
	}
	return obj{"type": "error", "error": obj{"type": word, "message": message}, "request_id": "req_1"}.String()
}

func bad(message string) providertest.Reply {
	return providertest.Reply{Status: 400, Body: fault(400, message)}
}

// sent is a request read back.
type sent struct {
	MaxTokens  int `json:"max_tokens"`
	System     []sentBlock
	Tools      []struct{ Name string }
	ToolChoice struct{ Type, Name string } `json:"tool_choice"`
	Messages   []struct {
		Role    string
		Content []sentBlock
	}
}

type sentBlock struct {
	Type, Text, ID, Signature string
	ToolUseID                 string           `json:"tool_use_id"`
	Cache                     *json.RawMessage `json:"cache_control"`
}

func read(body []byte) (asked providertest.Asked, err error) {
	var r sent
	if err := json.Unmarshal(body, &r); err != nil {
		return asked, err
	}
	asked.Limit = r.MaxTokens
	if r.ToolChoice.Type == "tool" {
		asked.Forced = r.ToolChoice.Name
	}
	for _, b := range r.System {
		asked.System += b.Text
	}
	for _, t := range r.Tools {
		asked.Tools = append(asked.Tools, t.Name)
	}
	for _, m := range r.Messages {
		for _, b := range m.Content {
			switch b.Type {
			case "tool_use":
				asked.Calls = append(asked.Calls, b.ID)
			case "tool_result":
				asked.Results = append(asked.Results, b.ToolUseID)
			case "thinking":
				asked.Replayed = asked.Replayed || b.Signature == "c2lnbmVk"
			}
		}
	}
	return asked, nil
}

func wire() providertest.Wire {
	signature := bad("messages.1.content.0: Invalid `signature` in `thinking` block")
	return providertest.Wire{
		New: func(s providertest.Setup) (model.Model, error) {
			return anthropic.New(anthropic.Options{
				BaseURL: s.BaseURL, Key: providertest.Key, Model: "claude-sonnet-5", MaxOutput: s.MaxOutput, Transport: s.Transport, Clock: s.Clock,
				Temperature: new(0.5), Effort: "low", Caps: func(c *model.Caps) { c.Tools = c.Tools && !s.NoTools },
			})
		},
		Route: "/v1/messages",
		Authorised: func(h http.Header) bool {
			return h.Get("X-Api-Key") == providertest.Key && h.Get("Anthropic-Version") == "2023-06-01"
		},
		Read: read, Document: document, Events: events,
		TextArguments: func(streamed bool) bool { return streamed },
		Fault:         fault,
		NoModel:       providertest.Reply{Status: 404, Body: fault(404, "model: claude-sonnet-5")},
		NoQuota:       bad("Your credit balance is too low to access the Anthropic API."),
		TooLong:       bad("prompt is too long: 210000 tokens > 200000 maximum"),
		BadSchema:     bad("tools.0.custom.input_schema: JSON schema is invalid"),
		Rungs:         2,
		Fields:        map[string]int{"temperature": 1, "tool_choice": 1, "cache_control": 1, "output_config": 1},
		BadField:      func(name string) providertest.Reply { return bad(name + ": Extra inputs are not permitted") },
		BadReplay:     &signature,
		EventFault:    event(obj{"type": "error", "error": obj{"type": "overloaded_error", "message": "Overloaded"}}),
		NoAnswer:      map[string]string{"no content": `{"type":"message","role":"assistant"}`, "an empty object": `{}`, "another document": `{"type":"model","id":"x"}`},
		Contents: map[string][]string{
			"":      {`{"type":"message","content":null}`, `{"type":"message","content":""}`, `{"content":7}`, `{"content":[]}`, `{"content":[7,null]}`},
			"Hello": {`{"type":"message","content":"Hello"}`, `{"content":[{"type":"text","text":"Hello"}]}`, `{"content":[{"type":"strange","text":"no"},{"type":"text","text":"Hello"}]}`},
		},
		Unknown: []string{"event: ping\ndata: {\"type\":\"ping\"}\n\n", "event: odd\ndata: {\"type\":\"odd\",\"index\":0}\n\n", "data: {\"type\":\"content_block_delta\",\"index\":99,\"delta\":{\"type\":\"odd_delta\"}}\n\n"},
	}
}

func TestTheMatrix(t *testing.T) { providertest.Run(t, wire()) }

// stream is an answer as a stream of events.
func stream(a providertest.Answer) string {
	said, end := events(a)
	return strings.Join(append(said, end...), "")
}
