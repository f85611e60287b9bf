package openai

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/model/internal/provider"
)

// responsesReader reads an answer of Responses, streamed or not.
type responsesReader struct {
	from  string
	items []*item // as they come, in the order of their indexes once they are put together
	whole []json.RawMessage
}

// An item of an answer: whole once it is done, else what has come of it.
type item struct {
	index           int
	done, added     json.RawMessage
	text, arguments strings.Builder
	all             string // arguments that were told whole
}

type responsesEvent struct {
	Type      string          `json:"type"`
	Index     int             `json:"output_index"`
	Item      json.RawMessage `json:"item"`
	Delta     any             `json:"delta"`
	Arguments any             `json:"arguments"`
	Response  json.RawMessage `json:"response"`
	Output    json.RawMessage `json:"output"` // of a document that is no event
	Code      any             `json:"code"`
	Message   any             `json:"message"`
	Param     any             `json:"param"`
}

var errItems = errors.New("openai: an answer of too many items")

// maxItems is how many items, or calls, an answer may have.
const maxItems = 1_000

func (r *responsesReader) take(raw []byte, s *said) error {
	if string(raw) == "[DONE]" {
		return nil
	}
	var e responsesEvent
	if err := json.Unmarshal(raw, &e); err != nil {
		return unreadable(err)
	}
	switch {
	case e.Type == "error":
		return provider.Fault{Code: textOf(e.Code), Type: textOf(e.Code), Param: textOf(e.Param), Message: textOf(e.Message)}
	case e.Type == "" && e.Output != nil:
		return r.response(raw, s)
	case e.Response != nil:
		s.any = true
		return r.response(e.Response, s)
	}
	return r.piece(e, s)
}

// piece is an event about one item.
func (r *responsesReader) piece(e responsesEvent, s *said) error {
	kind, ok := strings.CutPrefix(e.Type, "response.")
	if !ok {
		return nil
	}
	switch kind {
	case "output_item.added", "output_item.done", "output_text.delta", "refusal.delta", "function_call_arguments.delta", "function_call_arguments.done":
	default:
		return nil
	}
	it := r.item(e.Index)
	if it == nil {
		return unreadable(errItems)
	}
	s.any = true
	switch kind {
	case "output_item.added":
		it.added = e.Item
	case "output_item.done":
		it.done = e.Item
	case "output_text.delta":
		it.text.WriteString(textOf(e.Delta))
	case "refusal.delta":
		s.refusal.WriteString(textOf(e.Delta))
	case "function_call_arguments.delta":
		it.arguments.WriteString(textOf(e.Delta))
	case "function_call_arguments.done":
		it.all = textOf(e.Arguments)
	}
	return nil
}

func (r *responsesReader) item(index int) *item {
	for _, it := range slices.Backward(r.items) {
		if it.index == index {
			return it
		}
	}
	if len(r.items) == maxItems {
		return nil
	}
	it := &item{index: index}
	r.items = append(r.items, it)
	return it
}

// response is the answer as a whole, as far as it has come.
func (r *responsesReader) response(raw json.RawMessage, s *said) error {
	var doc struct {
		ID         any               `json:"id"`
		Status     string            `json:"status"`
		Output     []json.RawMessage `json:"output"`
		Error      json.RawMessage   `json:"error"`
		Incomplete struct {
			Reason string `json:"reason"`
		} `json:"incomplete_details"`
		Usage *struct {
			Input        int64 `json:"input_tokens"`
			Output       int64 `json:"output_tokens"`
			InputDetails struct {
				Cached  int64 `json:"cached_tokens"`
				Written int64 `json:"cache_write_tokens"`
			} `json:"input_tokens_details"`
			OutputDetails struct {
				Reasoning int64 `json:"reasoning_tokens"`
			} `json:"output_tokens_details"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return unreadable(err)
	}
	s.id = textOf(doc.ID)
	if u := doc.Usage; u != nil {
		s.usage = counts(u.Input, u.InputDetails.Cached, u.InputDetails.Written, u.Output, u.OutputDetails.Reasoning)
	}
	if len(doc.Output) > maxItems {
		return unreadable(errItems)
	}
	if len(doc.Output) > 0 {
		r.whole = doc.Output
	}
	switch doc.Status {
	case "completed":
		s.done = true
	case "incomplete":
		s.done, s.filtered = true, doc.Incomplete.Reason == "content_filter"
		s.length = !s.filtered
	case "failed":
		f, _ := provider.ReadFault([]byte(`{"error":` + string(doc.Error) + `}`))
		return f
	}
	return nil
}

// end puts the items together. Those that came by themselves are the truth: their
// reasoning can be sent back.
func (r *responsesReader) end(s *said) {
	all := r.whole
	if len(r.items) > 0 {
		all = nil
		slices.SortFunc(r.items, func(a, b *item) int { return a.index - b.index })
		for _, it := range r.items {
			if raw := it.json(); raw != nil {
				all = append(all, raw)
			}
		}
	}
	refused := s.refusal.Len() > 0
	for _, raw := range all {
		s.takeItem(raw, refused)
	}
	if len(all) > 0 {
		s.any = true
		s.replay = &responsesReplay{from: r.from, items: all, calls: len(s.calls)}
	}
}

// json is the item as it came, or made of its pieces.
func (it *item) json() json.RawMessage {
	if it.done != nil {
		return it.done
	}
	var head object
	if it.added != nil && json.Unmarshal(it.added, &head) != nil {
		return nil
	}
	switch {
	case head["type"] == "function_call":
		head["arguments"] = it.arguments.String()
		if it.all != "" {
			head["arguments"] = it.all
		}
	case it.text.Len() > 0:
		head = object{"type": "message", "role": "assistant", "content": []object{{"type": "output_text", "text": it.text.String()}}}
	default:
		return nil // reasoning that is not whole cannot be sent back
	}
	raw, err := json.Marshal(head)
	if err != nil {
		return nil // cannot be: it was JSON
	}
	return raw
}

// takeItem reads what an item says.
func (s *said) takeItem(raw json.RawMessage, refused bool) {
	var it struct {
		Type      string `json:"type"`
		CallID    any    `json:"call_id"`
		Name      any    `json:"name"`
		Arguments any    `json:"arguments"`
		Content   any    `json:"content"`
		Summary   any    `json:"summary"`
	}
	if json.Unmarshal(raw, &it) != nil {
		return // an item of no known form is kept as it is
	}
	switch it.Type {
	case "function_call":
		s.calls = append(s.calls, call{textOf(it.CallID), textOf(it.Name), argumentsText(it.Arguments)})
	case "reasoning":
		s.reasoning.WriteString(textOf(it.Summary) + textOf(it.Content))
	case "message":
		s.text.WriteString(textOf(it.Content))
		if !refused {
			s.refusal.WriteString(refusalOf(it.Content))
		}
	}
}

func refusalOf(content any) string {
	var all strings.Builder
	parts, _ := content.([]any)
	for _, part := range parts {
		if p, ok := part.(map[string]any); ok && p["type"] == "refusal" {
			all.WriteString(textOf(p["refusal"]))
		}
	}
	return all.String()
}

func argumentsText(v any) string {
	if text, ok := v.(string); ok || v == nil {
		return text
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}
