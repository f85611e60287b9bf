package plain

import (
	"slices"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// Dialogs of pages are answered as the task says in the step behind the one that
// opens them: accept the dialog; dismiss the dialog; answer the dialog with "X".
// Where it says nothing they are accepted, but for prompts.

// answerDialog answers the dialog that stands in the way of everything else.
func (m *machine) answerDialog() (a action, ok bool) {
	switch {
	case m.failure != "" || m.view == nil || m.view.Page.Dialog == nil:
		return action{}, false
	case m.at < len(m.steps) && m.steps[m.at].verb == dialogVerb:
		a = action{tool: "dialog", input: m.steps[m.at].input}
		a.why = "The page asks, and the task says what to answer."
	default:
		a = call("dialog", "accept", m.view.Page.Dialog.Type != "prompt")
		a.why = "The page asks, and the task does not say what to answer: a prompt is dismissed, all else accepted."
	}
	return a, true
}

// awaitDialog is what a step that answers a dialog does while there is none. An
// alert has been accepted already.
func (m *machine) awaitDialog(s step) (a action, ok bool) {
	told := m.view != nil && slices.ContainsFunc(m.view.Page.Dialogs, func(d browser.Dialog) bool { return d.Accepted })
	switch {
	case s.input.is("accept") && s.input["text"] == nil && told:
		m.advance()
		return action{}, false
	case m.tried.waited == 0:
		return call("wait", "seconds", 2), true
	}
	return m.fail(s, "the page shows no dialog")
}

// observeDialog takes in what came of an answer.
func (m *machine) observeDialog(out model.Output) {
	switch {
	case m.at >= len(m.steps) || m.steps[m.at].verb != dialogVerb:
	case out.IsError():
		m.fail(m.steps[m.at], firstLine(out))
	default:
		m.advance()
	}
}
