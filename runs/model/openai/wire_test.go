package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/providertest"
	"github.com/drover-go/drover/runs/model/openai"
)

type object = map[string]any

// js is JSON of anything.
func js(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func events(all ...any) (out []string) {
	for _, e := range all {
		out = append(out, "data: "+js(e)+"\n\n")
	}
	return out
}

// newModel makes the model under test, in a dialect, with every field that it may
// send.
func newModel(d openai.Dialect) func(providertest.Setup) (model.Model, error) {
	return func(s providertest.Setup) (model.Model, error) {
		return openai.New(openai.Options{
			Model: "m", Key: providertest.Key, BaseURL: s.BaseURL + "/v1", Dialect: d, Transport: s.Transport, Clock: s.Clock,
			MaxOutput: s.MaxOutput, Temperature: new(0.5),
			Caps: func(c *model.Caps) { c.Tools, c.StrictTools, c.ParallelTools = c.Tools && !s.NoTools, true, false },
		})
	}
}

func authorised(h http.Header) bool { return h.Get("Authorization") == "Bearer "+providertest.Key }

// fault is an error in OpenAI's form.
func fault(status int, message string) string {
	words := map[int][2]string{
		401: {"invalid_request_error", "invalid_api_key"}, 403: {"invalid_request_error", "unsupported_country_region_territory"},
		402: {"billing_error", "billing_error"}, 429: {"requests", "rate_limit_exceeded"},
	}
	word, ok := words[status]
	switch {
	case !ok && status >= 500:
		word = [2]string{"server_error", "server_error"}
	case !ok:
		word = [2]string{"invalid_request_error", ""}
	}
	return js(object{"error": object{"message": message, "type": word[0], "code": word[1], "param": nil}})
}

func refusal(status int, kind, code, param, message string) providertest.Reply {
	return providertest.Reply{Status: status, Body: js(object{"error": object{"message": message, "type": kind, "code": code, "param": param}})}
}

// base is what both of OpenAI's dialects have in common.
func base(d openai.Dialect) providertest.Wire {
	return providertest.Wire{
		New: newModel(d), Authorised: authorised, Fault: fault,
		TextArguments: func(bool) bool { return true },
		NoModel:       refusal(404, "invalid_request_error", "model_not_found", "model", "The model `m` does not exist"),
		NoQuota:       refusal(429, "insufficient_quota", "insufficient_quota", "", "You exceeded your current quota"),
		TooLong:       refusal(400, "invalid_request_error", "context_length_exceeded", "input", "This model's maximum context length is 128000 tokens."),
		BadSchema:     refusal(400, "invalid_request_error", "invalid_function_parameters", "tools[0].function.parameters", "Invalid schema for function 'click': 'x' is not permitted."),
		Rungs:         2,
		BadField: func(name string) providertest.Reply {
			return refusal(400, "invalid_request_error", "unsupported_parameter", name, "Unsupported parameter: '"+name+"' is not supported with this model.")
		},
	}
}

func chat() providertest.Wire {
	w := base(openai.ChatCompletions)
	w.Route, w.Read, w.Document, w.Events = "/v1/chat/completions", readChat, chatDocument, chatEvents
	w.Fields = map[string]int{"temperature": 1, "tool_choice": 2, "stream_options": 1, "parallel_tool_calls": 1, "max_tokens": 1}
	w.BadReplay = new(refusal(400, "invalid_request_error", "", "", "Function call is missing a valid thought_signature."))
	w.EventFault = "data: " + js(object{"error": object{"message": "later", "type": "server_error"}}) + "\n\n"
	w.NoAnswer = map[string]string{"no choices": `{"choices":[]}`, "null for choices": `{"choices":null}`, "usage alone": `{"choices":[],"usage":{"prompt_tokens":1}}`}
	content := func(c string) string {
		return `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":` + c + `}}]}`
	}
	w.Contents = map[string][]string{
		"":      {content(`null`), content(`""`), content(`[]`), content(`7`), content(`{"text":"x"}`)},
		"Hello": {content(`"Hello"`), content(`[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]`)},
	}
	w.Unknown = events(object{"object": "chat.completion.chunk", "choices": []any{}}, object{"strange": object{"a": 1}}, object{"choices": []any{object{"index": 0, "delta": object{"audio": object{"id": "x"}}}}})
	return w
}

func chatUsage(a providertest.Answer) any {
	if a.Usage == nil {
		return nil
	}
	u := *a.Usage
	return object{
		"prompt_tokens": u.Input + u.CacheRead + u.CacheWrite, "completion_tokens": u.Output,
		"prompt_tokens_details":     object{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite},
		"completion_tokens_details": object{"reasoning_tokens": u.Reasoning},
	}
}

func chatFinish(a providertest.Answer) string {
	switch a.Stop {
	case providertest.Length:
		return "length"
	case providertest.Filtered:
		return "content_filter"
	case providertest.Strange:
		return "something_new"
	case providertest.SaysCall:
		return "tool_calls"
	case providertest.SaysStop:
		return "stop"
	}
	if len(a.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func chatCalls(a providertest.Answer) (all []any) {
	for i, c := range a.Calls {
		all = append(all, object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}})
	}
	return all
}

func chatDocument(a providertest.Answer) string {
	msg := object{"role": "assistant", "content": nil}
	if a.Text != "" {
		msg["content"] = a.Text
	}
	if a.Reasoning != "" {
		msg["reasoning_content"] = a.Reasoning
	}
	if a.Refusal != "" {
		msg["refusal"] = a.Refusal
	}
	if len(a.Calls) > 0 {
		msg["tool_calls"] = chatCalls(a)
	}
	doc := object{"id": "chatcmpl-1", "choices": []any{object{"index": 0, "finish_reason": chatFinish(a), "message": msg}}}
	if a.Usage != nil || a.UsageNull {
		doc["usage"] = chatUsage(a)
	}
	return js(doc)
}

// chatEvents sends calls in pieces that are interleaved.
func chatEvents(a providertest.Answer) (said, end []string) {
	chunk := func(delta object) object {
		c := object{"id": "chatcmpl-1", "choices": []any{object{"index": 0, "delta": delta, "finish_reason": nil}}}
		if a.UsageEach {
			c["usage"] = chatUsage(a)
		} else {
			c["usage"] = nil
		}
		return c
	}
	all := []any{chunk(object{"role": "assistant", "content": ""})}
	if a.Reasoning != "" {
		all = append(all, chunk(object{"reasoning_content": a.Reasoning[:1]}), chunk(object{"reasoning_content": a.Reasoning[1:]}))
	}
	for _, piece := range halves(a.Text) {
		all = append(all, chunk(object{"content": piece}))
	}
	for _, piece := range halves(a.Refusal) {
		all = append(all, chunk(object{"refusal": piece}))
	}
	for i, c := range a.Calls {
		all = append(all, chunk(object{"tool_calls": []any{object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}}}))
	}
	for half := range 2 {
		for i, c := range a.Calls {
			if pieces := halves(c.Arguments); half < len(pieces) {
				all = append(all, chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": pieces[half]}}}}))
			}
		}
	}
	end = events(object{"choices": []any{object{"index": 0, "delta": object{}, "finish_reason": chatFinish(a)}}})
	if a.Usage != nil || a.UsageNull {
		end = append(end, events(object{"choices": []any{}, "usage": chatUsage(a)})...)
	}
	return events(all...), append(end, "data: [DONE]\n\n")
}

// halves are a text in two, on the border of a character.
func halves(text string) []string {
	all := []rune(text)
	switch n := len(all) / 2; {
	case text == "":
		return nil
	case n == 0:
		return []string{text}
	default:
		return []string{string(all[:n]), string(all[n:])}
	}
}

func readChat(body []byte) (asked providertest.Asked, err error) {
	var r struct {
		Messages []struct {
			Role    string
			Content any
			Calls   []struct{ ID string } `json:"tool_calls"`
			Answers string                `json:"tool_call_id"`
		}
		Tools []struct{ Function struct{ Name string } }
		Limit int `json:"max_tokens"`
	}
	if err = json.Unmarshal(body, &r); err != nil {
		return asked, err
	}
	for _, msg := range r.Messages {
		switch {
		case msg.Role == "system":
			asked.System, _ = msg.Content.(string)
		case msg.Role == "tool":
			asked.Results = append(asked.Results, msg.Answers)
		}
		for _, c := range msg.Calls {
			asked.Calls = append(asked.Calls, c.ID)
		}
	}
	for _, t := range r.Tools {
		asked.Tools = append(asked.Tools, t.Function.Name)
	}
	asked.Limit, asked.Forced = r.Limit, forcedOf(body)
	asked.Replayed = strings.Contains(string(body), "reasoning_content")
	return asked, nil
}

// forcedOf is the tool that is named in either dialect.
func forcedOf(body []byte) string {
	var r struct {
		Choice any `json:"tool_choice"`
	}
	if json.Unmarshal(body, &r) != nil {
		return ""
	}
	c, _ := r.Choice.(object)
	if f, ok := c["function"].(object); ok {
		c = f
	}
	return strings.TrimPrefix(fmt.Sprint(c["name"]), "<nil>")
}
