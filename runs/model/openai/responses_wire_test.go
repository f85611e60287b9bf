package openai_test

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model/internal/providertest"
	"github.com/drover-go/drover/runs/model/openai"
)

func responses() providertest.Wire {
	w := base(openai.Responses)
	w.Route, w.Read, w.Document, w.Events = "/v1/responses", readResponses, responsesDocument, responsesEvents
	w.Fields = map[string]int{"temperature": 1, "tool_choice": 2, "parallel_tool_calls": 1, "max_output_tokens": 1, "prompt_cache_key": 1, "include": 1, "store": 1}
	w.BadReplay = new(refusal(400, "invalid_request_error", "invalid_encrypted_content", "", "The encrypted content for item rs_1 could not be verified."))
	w.EventFault = "event: error\ndata: " + js(object{"type": "error", "code": "server_error", "message": "later", "param": nil, "sequence_number": 7}) + "\n\n"
	w.NoAnswer = map[string]string{"no output": `{"object":"response"}`, "no status": `{"object":"response","output":[]}`}
	w.Blocked = map[string]string{"a filter": js(object{"object": "response", "status": "incomplete", "output": []any{}, "incomplete_details": object{"reason": "content_filter"}})}
	content := func(c string) string {
		return `{"object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":` + c + `}]}`
	}
	w.Contents = map[string][]string{
		"":      {content(`null`), content(`""`), content(`[]`), content(`7`), content(`[{"type":"strange"}]`)},
		"Hello": {content(`"Hello"`), content(`[{"type":"output_text","text":"Hel"},{"type":"output_text","text":"lo"}]`)},
	}
	w.Unknown = events(object{"type": "response.something.new", "output_index": 0, "delta": "x"}, object{"type": "keepalive"}, object{"strange": 1})
	return w
}

func responsesItems(a providertest.Answer) (all []any) {
	if a.Reasoning != "" {
		all = append(all, object{"id": "rs_1", "type": "reasoning", "summary": []any{object{"type": "summary_text", "text": a.Reasoning}}, "encrypted_content": "gAAAA="})
	}
	var content []any
	if a.Text != "" {
		content = append(content, object{"type": "output_text", "text": a.Text, "annotations": []any{}})
	}
	if a.Refusal != "" {
		content = append(content, object{"type": "refusal", "refusal": a.Refusal})
	}
	if content != nil {
		all = append(all, object{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "phase": "commentary", "content": content})
	}
	for _, c := range a.Calls {
		all = append(all, object{"id": "fc_1", "type": "function_call", "status": "completed", "call_id": c.ID, "name": c.Name, "arguments": c.Arguments})
	}
	return all
}

func responsesWhole(a providertest.Answer, items []any) object {
	doc := object{"id": "resp_1", "object": "response", "status": "completed", "error": nil, "incomplete_details": nil, "output": items}
	if items == nil {
		doc["output"] = []any{}
	}
	switch a.Stop {
	case providertest.Length:
		doc["status"], doc["incomplete_details"] = "incomplete", object{"reason": "max_output_tokens"}
	case providertest.Filtered:
		doc["status"], doc["incomplete_details"] = "incomplete", object{"reason": "content_filter"}
	case providertest.Strange:
		doc["status"], doc["incomplete_details"] = "completed", object{"reason": "something_new"}
	}
	if a.UsageNull {
		doc["usage"] = nil
	}
	if u := a.Usage; u != nil {
		doc["usage"] = object{
			"input_tokens": u.Input + u.CacheRead + u.CacheWrite, "output_tokens": u.Output,
			"input_tokens_details":  object{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite},
			"output_tokens_details": object{"reasoning_tokens": u.Reasoning},
		}
	}
	return doc
}

func responsesDocument(a providertest.Answer) string { return js(responsesWhole(a, responsesItems(a))) }

func responsesEvents(a providertest.Answer) (said, end []string) {
	begun := responsesWhole(providertest.Answer{}, nil)
	if a.UsageEach {
		begun = responsesWhole(a, nil)
	}
	begun["status"], begun["incomplete_details"] = "in_progress", nil
	all := []any{object{"type": "response.created", "response": begun}}
	for i, it := range responsesItems(a) {
		item := it.(object)
		all = append(all, object{"type": "response.output_item.added", "output_index": i, "item": open(item)})
		for _, piece := range halves(a.Text) {
			if item["type"] == "message" {
				all = append(all, object{"type": "response.output_text.delta", "output_index": i, "delta": piece})
			}
		}
		for _, piece := range halves(a.Refusal) {
			if item["type"] == "message" {
				all = append(all, object{"type": "response.refusal.delta", "output_index": i, "delta": piece})
			}
		}
		if args, ok := item["arguments"].(string); ok {
			for _, piece := range halves(args) {
				all = append(all, object{"type": "response.function_call_arguments.delta", "output_index": i, "delta": piece})
			}
			all = append(all, object{"type": "response.function_call_arguments.done", "output_index": i, "arguments": args})
		}
		all = append(all, object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	whole := responsesWhole(a, responsesItems(a))
	status, _ := whole["status"].(string)
	return named(all...), named(object{"type": "response." + status, "response": whole})
}

// open is an item of which nothing has come.
func open(item object) object {
	out := object{}
	for name, value := range item {
		switch name {
		case "content", "summary", "encrypted_content", "arguments":
		default:
			out[name] = value
		}
	}
	return out
}

// named are events with their type as a name, too.
func named(all ...any) (out []string) {
	for _, e := range all {
		kind, _ := e.(object)["type"].(string)
		out = append(out, "event: "+kind+"\ndata: "+js(e)+"\n\n")
	}
	return out
}

func readResponses(body []byte) (asked providertest.Asked, err error) {
	var r struct {
		Instructions string
		Input        []struct {
			Type   string
			CallID string `json:"call_id"`
		}
		Tools []struct{ Name string }
		Limit int `json:"max_output_tokens"`
	}
	if err = json.Unmarshal(body, &r); err != nil {
		return asked, err
	}
	asked.System, asked.Limit, asked.Forced = r.Instructions, r.Limit, forcedOf(body)
	for _, t := range r.Tools {
		asked.Tools = append(asked.Tools, t.Name)
	}
	for _, it := range r.Input {
		switch it.Type {
		case "function_call":
			asked.Calls = append(asked.Calls, it.CallID)
		case "function_call_output":
			asked.Results = append(asked.Results, it.CallID)
		}
	}
	asked.Replayed = strings.Contains(string(body), "gAAAA=")
	return asked, nil
}
