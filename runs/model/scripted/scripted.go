// Package scripted is a model that replays a conversation: for tests of what
// an agent does with a model's answers, in Drover and in the programs that
// import it.
package scripted

import (
	"context"
	"sync"

	"github.com/drover-go/drover/runs/model"
)

// Turn is one answer of the model.
type Turn struct {
	// Say are the parts of the answer. Tool calls without an id get one.
	Say []model.Part
	// Err is returned instead of an answer, with the Usage.
	Err error
	// Do, if set, makes the answer from the request: a script that must read
	// a reference off the page, or hold until the test lets go.
	Do func(ctx context.Context, r model.Request) (model.Response, error)
	// Usage is what the answer is said to have cost.
	Usage model.Usage
}

// Model replays its turns in order, whoever asks. Use one for one run.
type Model struct {
	mu       sync.Mutex
	turns    []Turn
	next     int
	requests []model.Request
}

// New returns a model that answers with turns, one after the other, and then
// fails for good.
func New(turns ...Turn) *Model { return &Model{turns: turns} }

// Call is a turn that calls one tool.
func Call(tool string, input any) Turn {
	return Turn{Say: []model.Part{model.Call("", tool, input)}}
}

// Requests returns what the model has been asked so far, in order.
func (m *Model) Requests() []model.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]model.Request(nil), m.requests...)
}

// Left returns how many turns have not been played.
func (m *Model) Left() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.turns) - m.next
}

// Generate plays the next turn.
func (m *Model) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	turn, n, ok := m.take(r)
	switch {
	case ctx.Err() != nil:
		return model.Response{}, context.Cause(ctx)
	case !ok:
		return model.Response{}, model.Errorf("the script has ended after %d turns", n)
	case turn.Err != nil:
		return model.Response{Usage: turn.Usage}, turn.Err
	case turn.Do != nil:
		return turn.Do(ctx, r)
	}
	return model.Response{Content: withIDs(turn.Say, n), Finish: finish(turn.Say), Usage: turn.Usage}, nil
}

func (m *Model) take(r model.Request) (turn Turn, n int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	if m.next == len(m.turns) {
		return Turn{}, m.next, false
	}
	m.next++
	return m.turns[m.next-1], m.next, true
}
