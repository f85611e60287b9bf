package plain

import (
	"slices"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// Dialogs of pages are answered as the task says in the step behind the one that
// opens them: accept the dialog; dismiss the dialog; answer the dialog with "X".
// Where it says nothing they are accepted, but for prompts.

// answersDialog takes the words off with which the answer to a dialog begins.
func answersDialog(tokens []token) (accept bool, rest []token, ok bool) {
	if len(tokens) < 2 || !is(tokens[0].lower(), "accepting", "dismissing") {
		return false, nil, false
	}
	for i, t := range tokens[1:] {
		last := i+2 == len(tokens) || !is(tokens[i+2].lower(), "dialogs")
		switch {
		case last && is(t.lower(), "dialogs"):
			return is(tokens[0].lower(), "accepting"), tokens[i+2:], true
		case !is(t.lower(), "dialogKinds"):
			return false, nil, false
		}
	}
	return false, nil, false
}

// answerDialog answers the dialog that stands in the way of everything else.
func (m *machine) answerDialog() (a action, ok bool) {
	switch {
	case m.failure != "" || m.view == nil || m.view.Page.Dialog == nil:
		return action{}, false
	case m.at < len(m.steps) && m.steps[m.at].verb == dialogVerb:
		a = call("dialog", "accept", m.steps[m.at].accept, "text", m.steps[m.at].text)
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
	case s.accept && s.text == "" && told:
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
