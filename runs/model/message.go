// Package model is the language model as an agent sees it: messages and tools
// go in, a message comes out. A host implements [Model] for the
// language model it uses; plain needs none.
package model

import "encoding/json"

// Role says who speaks in a message. Messages of a run are only ever of the
// assistant and of tools; the task itself is not one.
type Role string

// The roles.
const (
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
	User      Role = "user" // only towards a model, never in a run's messages
)

// PartType is the kind of one part of a message (browser-automation-v1, run
// message).
type PartType string

// The types of parts.
const (
	TextPart       PartType = "text"
	ReasoningPart  PartType = "reasoning"
	FilePart       PartType = "file"
	ToolCallPart   PartType = "tool-call"
	ToolResultPart PartType = "tool-result"
)

// Message is one message in the chat format that v1 shows and that is stored:
// content is always an array of parts, and a tool's output always tagged.
type Message struct {
	Role    Role   `json:"role"`
	Content []Part `json:"content"`
	// Replay is [Response.Replay] of the message. It is never stored.
	Replay any `json:"-"`
}

// Part is a piece of a message. Which fields it has depends on its type.
type Part struct {
	Type PartType `json:"type"`
	// Text of a text or reasoning part.
	Text string `json:"text,omitempty"`
	// ToolCallID ties a result to its call.
	ToolCallID string `json:"toolCallId,omitempty"`
	ToolName   string `json:"toolName,omitempty"`
	// Input of a tool call, a JSON object.
	Input json.RawMessage `json:"input,omitempty"`
	// Output of a tool result.
	Output *Output `json:"output,omitempty"`
	// MediaType and Data (base64) of a file. In a message of a tool it stands
	// behind the results, and belongs to the one with its ToolCallID. Messages
	// of a run hold no files: only models see them.
	MediaType string `json:"mediaType,omitempty"`
	Data      string `json:"data,omitempty"`
	// Masked says that no value of a variable can be seen in the file. A run with
	// variables shows its model no other files.
	Masked bool `json:"-"`
}

// OutputType tags the output of a tool.
type OutputType string

// The tags.
const (
	OutputText      OutputType = "text"
	OutputJSON      OutputType = "json"
	OutputErrorText OutputType = "error-text"
)

// Output is what a tool answered.
type Output struct {
	Type OutputType `json:"type"`
	// Value is a JSON string for the text types.
	Value json.RawMessage `json:"value"`
}
