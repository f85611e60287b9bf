package plain

import (
	"slices"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// Dialogs of pages are answered as the task says in the step behind the one that
// opens them: accept the dialog; dismiss the dialog; answer the dialog with "X".
// Where it says nothing they are accepted, but for prompts.

// answers are the words that begin such a step, and whether they accept.
var answers = map[string]bool{
	"accept": true, "confirm": true, "approve": true, "answer": true,
	"dismiss": false, "cancel": false, "decline": false, "reject": false, "refuse": false,
}

// dialogNouns are what dialogs are called, kinds of them what stands before that.
// Parts of pages are called so, too, and are closed otherwise.
var (
	dialogNouns = []string{"dialog", "dialogue", "alert", "prompt", "confirmation"}
	dialogKinds = append([]string{"javascript", "browser", "confirm", "confirmation", "prompt", "alert"}, determiners...)
)

// answersDialog takes the words off with which the answer to a dialog begins.
func answersDialog(tokens []token) (accept bool, rest []token, ok bool) {
	if len(tokens) < 2 || tokens[0].isValue() {
		return false, nil, false
	}
	accept, known := answers[tokens[0].lower()]
	for i := 1; known && i < len(tokens) && !tokens[i].isValue(); i++ {
		word := tokens[i].lower()
		last := i+1 == len(tokens) || !isOneOf(tokens[i+1].lower(), dialogNouns)
		if last && isOneOf(word, dialogNouns) {
			return accept, tokens[i+1:], true
		}
		if !isOneOf(word, dialogKinds) {
			break
		}
	}
	return false, nil, false
}

// dialogStep reads a clause that begins like the answer to a dialog; why says what
// is wrong with one.
func dialogStep(task string, tokens []token) (s step, ok bool, why string) {
	accept, rest, ok := answersDialog(tokens)
	if !ok {
		return s, false, ""
	}
	s = step{verb: dialogVerb, accept: accept}
	before, text := cutAt(rest, "with", "by")
	if why := leftOver(before, []string{"box", "window", "popup", "pop-up"}); why != "" {
		return s, false, why
	}
	switch {
	case text == nil && tokens[0].lower() == "answer":
		return s, false, "it does not say what to answer"
	case text == nil:
		return s, true, ""
	case !accept:
		return s, false, "nothing is written into a dialog that is dismissed"
	}
	p := &clauseParser{task: task, tokens: text, verb: dialogVerb, first: tokens[0].lower()}
	if s.text, why = p.valueIn(text); why != "" {
		return s, false, "it does not say in quotes what to answer"
	}
	return s, true, ""
}

// answerDialog answers the dialog that stands in the way of everything else.
func (m *machine) answerDialog() (a action, ok bool) {
	if m.failure != "" || m.view == nil || m.view.Page.Dialog == nil {
		return action{}, false
	}
	if m.at < len(m.steps) && m.steps[m.at].verb == dialogVerb {
		s := m.steps[m.at]
		input := map[string]any{"accept": s.accept}
		if s.text != "" {
			input["text"] = s.text
		}
		return action{tool: "dialog", input: input, why: "The page asks, and the task says what to answer."}, true
	}
	accept := m.view.Page.Dialog.Type != "prompt"
	why := "The page asks, and the task does not say what to answer: dismissed."
	if accept {
		why = "The page asks, and the task does not say what to answer: accepted."
	}
	return action{tool: "dialog", input: map[string]any{"accept": accept}, why: why}, true
}

// awaitDialog is what a step that answers a dialog does while there is none. An
// alert has been accepted already.
func (m *machine) awaitDialog(s step) (a action, ok bool) {
	told := m.view != nil && slices.ContainsFunc(m.view.Page.Dialogs, wasAccepted)
	switch {
	case s.accept && s.text == "" && told:
		m.advance()
		return action{}, false
	case m.tried.waited == 0:
		return action{tool: "wait", input: map[string]any{"seconds": 2}}, true
	}
	m.fail(s, "the page shows no dialog")
	return action{}, false
}

func wasAccepted(d browser.Dialog) bool { return d.Accepted }

// observeDialog takes in what came of an answer.
func (m *machine) observeDialog(out model.Output) {
	if m.at >= len(m.steps) || m.steps[m.at].verb != dialogVerb {
		return
	}
	if out.IsError() {
		m.fail(m.steps[m.at], firstLine(out))
		return
	}
	m.advance()
}
