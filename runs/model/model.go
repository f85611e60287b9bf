package model

import (
	"context"
	"encoding/json"
)

// Model is a language model, or what stands in for one. It may be used by
// several runs at the same time and keeps nothing between calls: everything it
// needs is in the request.
//
// The interface may gain methods; what a host implements should embed one of
// the models of Drover.
type Model interface {
	// Generate returns what the assistant says next. It returns soon after the
	// context ends. An [Error] says whether asking again can help; the response
	// then has at most the usage of what was paid for nonetheless, and an id.
	Generate(ctx context.Context, r Request) (Response, error)
}

// Request is all that a model is told. Variable values are never in it.
type Request struct {
	// System is the instruction of the whole conversation: how to act, the
	// variables by name, and Instructions.
	System string
	// Instructions are the part of System that is the agent's own system
	// prompt; empty for none.
	Instructions string
	// Task is what the caller wants, placeholders unresolved. It is the first
	// message of the user.
	Task string
	// Variables are the placeholders that may be used, sorted by name.
	Variables []Variable
	// Messages are what has been said since, oldest first. Those of the role
	// User are hints of the loop. The model does not change them.
	Messages []Message
	// Tools are what may be called now.
	Tools []Tool
	// ResultSchema is the JSON Schema of the result; nil for none. It is also
	// in the input of the tool that ends the run.
	ResultSchema json.RawMessage
	// Force is the name of the tool that has to be called; empty leaves the
	// choice to the model. A model that cannot be forced is asked as usual.
	Force string
	// MoreOutput says that the answer to the same question was cut by the limit
	// on its length: this one may be longer.
	MoreOutput bool
	// Step counts from 1 to MaxSteps. At MaxSteps the run has to end.
	Step, MaxSteps int
}

// Variable is a placeholder %Name%, without its value.
type Variable struct {
	Name string
	// Description says when to use it; empty for nothing said.
	Description string
	// Origins are where it may be typed; nil for anywhere.
	Origins []string `json:",omitempty"`
	// TOTP says that a code of that moment is typed.
	TOTP bool `json:",omitempty"`
}

// Tool is something that the model may call.
type Tool struct {
	Name        string
	Description string
	// Input is the JSON Schema of the call's input: an object.
	Input json.RawMessage
}

// Response is one message of the assistant.
type Response struct {
	// Content are its parts in order: text, reasoning and tool calls. Ids of
	// tool calls are unique in the run.
	Content []Part
	Finish  Finish
	Usage   Usage
	// RequestID is what the provider calls the exchange in its own logs; empty
	// where it says nothing.
	RequestID string
	// Replay is what a provider wants back with this message in the next
	// request (signatures of its reasoning, say). It stays in memory; see
	// [Message]. What another model made, a model leaves out.
	Replay any
}

// Finish says why a model stopped talking.
type Finish string

// The reasons.
const (
	// FinishCalls: it waits for the results of its tool calls.
	FinishCalls Finish = "tool-calls"
	// FinishStop: it has said what it wanted to say.
	FinishStop Finish = "stop"
	// FinishLength: its output reached a limit and is cut.
	FinishLength Finish = "length"
	// FinishPaused: the provider wants its message back as it is, and goes on.
	FinishPaused Finish = "paused"
)

// Func is a function that is a model: for tests, and for hosts that have a
// language model of their own.
type Func func(ctx context.Context, r Request) (Response, error)

// Generate calls f.
func (f Func) Generate(ctx context.Context, r Request) (Response, error) { return f(ctx, r) }
