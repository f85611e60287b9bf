package model

import "encoding/json"

// Text returns a part of plain text.
func Text(text string) Part { return Part{Type: TextPart, Text: text} }

// Reasoning returns a part that says why.
func Reasoning(text string) Part { return Part{Type: ReasoningPart, Text: text} }

// Call returns a tool call. The input is anything that marshals to a JSON
// object; what does not becomes the empty object.
func Call(id, tool string, input any) Part {
	raw, err := json.Marshal(input)
	if err != nil || !isObject(raw) {
		raw = json.RawMessage(`{}`)
	}
	return Part{Type: ToolCallPart, ToolCallID: id, ToolName: tool, Input: raw}
}

// Result returns the answer to a tool call.
func Result(call Part, out Output) Part {
	return Part{Type: ToolResultPart, ToolCallID: call.ToolCallID, ToolName: call.ToolName, Output: &out}
}

// TextOutput is what a tool answered in words.
func TextOutput(text string) Output { return Output{Type: OutputText, Value: quote(text)} }

// ErrorOutput is what went wrong in a tool, in words for the model.
func ErrorOutput(text string) Output { return Output{Type: OutputErrorText, Value: quote(text)} }

// JSONOutput is what a tool answered as data.
func JSONOutput(raw json.RawMessage) Output { return Output{Type: OutputJSON, Value: raw} }

// Text returns the words of a text output; for data its JSON.
func (o Output) Text() string {
	var s string
	if o.Type != OutputJSON && json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return string(o.Value)
}

// IsError reports whether the tool failed.
func (o Output) IsError() bool { return o.Type == OutputErrorText }

// Calls returns the tool calls of the message in order.
func (m Message) Calls() []Part { return m.parts(ToolCallPart) }

// Results returns the tool results of the message in order.
func (m Message) Results() []Part { return m.parts(ToolResultPart) }

func (m Message) parts(t PartType) []Part {
	var found []Part
	for _, p := range m.Content {
		if p.Type == t {
			found = append(found, p)
		}
	}
	return found
}

func quote(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return raw
}

func isObject(raw json.RawMessage) bool {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c == '{' && json.Valid(raw)
		}
	}
	return false
}
