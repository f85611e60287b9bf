// Package turns arranges a conversation for providers that want the user and the
// assistant to take turns: all that is said between two answers is one turn of
// the user, which begins with the results of all calls, in the order of the
// calls. Two answers follow each other only where the first one was paused.
package turns

import (
	"cmp"
	"math"

	"github.com/drover-go/drover/runs/model"
)

// A Turn is what one side says.
type Turn struct {
	// Said is the message of the assistant; nil in a turn of the user.
	Said *model.Message
	// Results answer the calls of the turn before, one each. Parts are the texts
	// and images behind them.
	Results []Result
	Parts   []model.Part
}

// A Result is what came of a call.
type Result struct {
	Call   model.Part
	Output model.Output
	Files  []model.Part
}

// Left is what stands in place of an image that is not sent.
const Left = "(An image that is no longer shown.)"

// none answers a call that has no result: without one, providers refuse the
// whole conversation.
var none = model.ErrorOutput("The call was not carried out.")

// Of returns the turns of a request, the task first. As many images are in them as
// the model takes, the newest; older ones are left out many at a time, because
// each time the provider's cache is lost.
func Of(r model.Request, caps model.Caps) []Turn {
	images := 0
	if caps.Images {
		images = cmp.Or(caps.MaxImages, math.MaxInt)
	}
	a := arranger{drop: excess(r.Messages, images), turns: []Turn{{Parts: texts(r.Task)}}}
	for i := range r.Messages {
		a.add(&r.Messages[i])
	}
	a.close()
	return a.turns
}

func texts(text string) []model.Part {
	if text == "" {
		text = "Begin."
	}
	return []model.Part{model.Text(text)}
}

// excess is how many images are too many: so many, or up to half of those that
// may stay more.
func excess(messages []model.Message, most int) int {
	n := 0
	for _, m := range messages {
		for _, p := range m.Content {
			if p.Type == model.FilePart {
				n++
			}
		}
	}
	if n <= most {
		return 0
	}
	step := max(most/2, 1)
	return min((n-most+step-1)/step*step, n)
}

type arranger struct {
	drop  int // images that are still to be left out
	turns []Turn
}

func (a *arranger) last() *Turn { return &a.turns[len(a.turns)-1] }

// user is the turn of the user that is going on.
func (a *arranger) user() *Turn {
	if a.last().Said != nil {
		a.turns = append(a.turns, Turn{})
	}
	return a.last()
}

func (a *arranger) add(m *model.Message) {
	if m.Role == model.Assistant {
		if m.Replay == nil && !says(m) {
			return // an empty answer
		}
		a.close()
		a.turns = append(a.turns, Turn{Said: m})
		return
	}
	for _, p := range m.Content {
		switch p.Type {
		case model.ToolResultPart:
			if p.Output != nil {
				t := a.user()
				t.Results = append(t.Results, Result{Call: p, Output: *p.Output})
			}
		case model.FilePart:
			a.file(p)
		case model.TextPart:
			if p.Text != "" {
				t := a.user()
				t.Parts = append(t.Parts, p)
			}
		}
	}
}

func says(m *model.Message) bool {
	for _, p := range m.Content {
		if p.Type == model.ToolCallPart || p.Type == model.TextPart && p.Text != "" {
			return true
		}
	}
	return false
}

// file puts an image behind its result, or behind all.
func (a *arranger) file(p model.Part) {
	if a.drop > 0 {
		a.drop--
		p = model.Part{Type: model.TextPart, Text: Left, ToolCallID: p.ToolCallID}
	}
	t := a.user()
	for i := range t.Results {
		if p.ToolCallID != "" && t.Results[i].Call.ToolCallID == p.ToolCallID {
			t.Results[i].Files = append(t.Results[i].Files, p)
			return
		}
	}
	t.Parts = append(t.Parts, p)
}

// close brings the results of a turn of the user into the order of the calls
// before it, and adds those that are missing.
func (a *arranger) close() {
	last := len(a.turns) - 1
	if a.turns[last].Said != nil {
		if len(a.turns[last].Said.Calls()) == 0 {
			return
		}
		a.turns = append(a.turns, Turn{})
		last++
	}
	if last == 0 {
		a.turns[last].Results = nil // of calls that nobody made
		return
	}
	t, given := &a.turns[last], map[string]Result{}
	for _, r := range t.Results {
		if _, twice := given[r.Call.ToolCallID]; !twice {
			given[r.Call.ToolCallID] = r
		}
	}
	t.Results = nil
	for _, call := range a.turns[last-1].Said.Calls() {
		r, ok := given[call.ToolCallID]
		if !ok {
			r.Output = none
		}
		r.Call = call
		t.Results = append(t.Results, r)
	}
}
