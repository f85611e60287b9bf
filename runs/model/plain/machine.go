package plain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// machine follows the steps of a task. It keeps nothing between calls of the
// model: it is fed with what has happened since the beginning, does the same
// again in its head, and so knows what comes next.
type machine struct {
	request  model.Request
	steps    []step
	at       int // the index of the step to do
	view     *outline.View
	tried    tries
	filtered bool      // the view has only the lines with one text
	filling  bool      // the last step filled a field: what follows is likely to be about the same form
	visited  []string  // the addresses of the pages so far, the one shown last
	field    target    // where was typed last
	reads    []reading // for each step that reads and is over
	reading  *reading  // the one under way
	refused  int       // how many results were not taken
	refusal  string    // why
	failure  string    // why the task cannot be done
}

// tries are what has been done for a step.
type tries struct {
	failed, looked, searched, waited int
	slept                            float64 // seconds
}

// reading is what a page showed when a step asked for it.
type reading struct {
	want     want
	data     pagedata.Data
	text     string
	textNext int    // where the text goes on
	facts    []fact // what is searched, of the page or of a row
	known    *known
}

// action is a call of a tool, and why.
type action struct {
	tool  string
	input inputs
	why   string
}

const (
	maxTries = 3
	maxReads = 60 // parts of a page
)

// decide returns what to do next.
func (m *machine) decide() action {
	if a, ok := m.answerDialog(); ok {
		return a
	}
	for m.failure == "" && m.at < len(m.steps) {
		if a, ok := m.decideStep(m.steps[m.at]); ok {
			a.why = fmt.Sprintf("Step %d of %d: %s.", m.at+1, len(m.steps), strings.TrimRight(excerpt(m.steps[m.at].sentence, 300), ". "))
			return a
		}
	}
	return m.finish()
}

// decideStep returns ok == false when the step is over or has failed.
func (m *machine) decideStep(s step) (a action, ok bool) {
	switch s.verb {
	case openVerb:
		return action{tool: "navigate", input: s.input}, true
	case waitVerb: // in several calls if need be
		return call("wait", "seconds", min(cmp.Or(s.input.number("seconds"), maxCall)-m.tried.slept, maxCall), "text", s.input.text("text")), true
	case backVerb:
		if len(m.visited) < 2 {
			return m.fail(s, "there is no page to go back to")
		}
		return call("navigate", "url", m.visited[len(m.visited)-2]), true
	case dialogVerb:
		return m.awaitDialog(s)
	case readVerb, returnVerb:
		if m.reading == nil {
			m.reading = &reading{want: s.want}
		}
		if s.want.has("text") {
			return call("read", "as", "text", "offset", m.reading.textNext), true
		}
		return call("read", "as", "data", "offset", m.reading.data.Next), true
	case scrollVerb, pressVerb:
		if s.target.empty() {
			return m.actOn(s, outline.Line{})
		}
	}
	return m.decideElement(s)
}

// maxCall is how long one call of the tool waits at most, in seconds, and how
// long is waited for a text where the task does not say.
const maxCall = 20

// call is a call of a tool, with those of its inputs that say something.
func call(tool string, said ...any) action {
	a := action{tool: tool, input: inputs{}}
	for i := 0; i < len(said); i += 2 {
		if v := said[i+1]; v != "" && v != 0 {
			a.input[said[i].(string)] = v
		}
	}
	return a
}

// decideElement looks for the element that a step names and acts on it. Pages
// take their time: what is not there yet is waited for.
func (m *machine) decideElement(s step) (a action, ok bool) {
	if s.verb == submitVerb && s.target.empty() {
		s.target = m.field
	}
	if m.view == nil {
		return call("snapshot"), true
	}
	if a, ok := m.lookFurther(s); ok {
		return a, true
	}
	f := find(*m.view, s, m.fieldAt())
	if f.ok {
		return m.actOn(s, f.line)
	}
	if radio, n := radioIn(*m.view, s); f.why == "" && s.verb == selectVerb && n == 1 {
		if radio.Checked {
			m.advance()
			return action{}, false
		}
		return call("click", "ref", string(radio.Ref)), true
	}
	if list := onlyList(*m.view); f.why == "" && s.choose && list != "" { // options are not elements of their own on every page
		return call("type", "ref", list, "text", s.target.name), true
	}
	switch {
	case f.why != "" && (m.tried.looked > 0 || !m.view.Whole() || m.filtered):
		return m.fail(s, f.why)
	case f.why == "" && m.tried.waited == 0 && s.target.name != "":
		return call("wait", "text", s.target.name, "seconds", 5), true
	case m.tried.looked == 0: // pages change
		return call("snapshot"), true
	}
	return m.fail(s, notFound(*m.view, s))
}

// onlyList is the only list there is to choose from; empty where there is none, or
// more than one.
func onlyList(v outline.View) (ref string) {
	isNone := func(l outline.Line) bool { return l.Ref == "" || l.Type != "" || !isRole("choice", l.Role) }
	if all := slices.DeleteFunc(slices.Clone(v.Lines), isNone); len(all) == 1 {
		return string(all[0].Ref)
	}
	return ""
}

// maxViews is how many parts of a page are looked at for one step.
const maxViews = 12

// lookFurther looks at the rest of a page of which only a part has been shown:
// what is meant may be further down, and so may another of the same name.
func (m *machine) lookFurther(s step) (a action, ok bool) {
	t := s.target
	switch {
	case m.view.Whole() || m.tried.searched >= maxViews:
		return action{}, false
	case t.near != "" || t.region != nil || t.name == "" || s.verb == dragVerb: // rows are only seen as a whole
		next := m.view.Next()
		return call("snapshot", "offset", next), m.view.First == 0 && next < m.view.Total
	}
	return call("snapshot", "find", t.name), m.tried.searched == 0
}

// fieldAt is where in the view the last field stands; -1 without one.
func (m *machine) fieldAt() int {
	if m.field.empty() || !m.filling {
		return -1
	}
	if f := find(*m.view, step{verb: typeVerb, target: m.field}, -1); f.ok {
		return f.at
	}
	return -1
}

// actOn returns the call that does the step with the element, or without one; ok
// is false when there is nothing to do.
func (m *machine) actOn(s step, l outline.Line) (a action, ok bool) {
	a = action{tool: string(s.verb), input: inputs{}}
	if maps.Copy(a.input, s.input); l.Ref != "" {
		a.input["ref"] = string(l.Ref)
	}
	switch s.verb {
	case selectVerb:
		switch text := s.input["text"]; {
		case text == nil: // several
		case m.tried.failed > 0: // what no text can be typed into may be opened
			a.input["options"] = []any{text}
			delete(a.input, "text")
		default:
			a.tool = "type"
		}
	case submitVerb:
		a.tool = "type"
		maps.Copy(a.input, inputs{"text": "", "submit": true, "append": true})
	case checkVerb, uncheckVerb:
		if a.tool = "click"; l.Checked == (s.verb == checkVerb) {
			m.advance()
			return action{}, false
		}
	case dragVerb:
		if s.end.empty() {
			break
		}
		other := step{verb: dragVerb, target: s.end}
		f := find(*m.view, other, -1)
		if !f.ok {
			return m.fail(s, cmp.Or(f.why, notFound(*m.view, other)))
		}
		a.input["to"] = string(f.line.Ref)
	}
	return a, true
}

// answerDialog answers the dialog that stands in the way of everything else: as the
// step says that is behind the one that opened it. Where none does it is accepted,
// but for a prompt.
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

// advance goes to the next step.
func (m *machine) advance() {
	m.at++
	m.tried = tries{}
	if m.filtered {
		m.view, m.filtered = nil, false
	}
}

// fail ends the task at a step.
func (m *machine) fail(s step, why string) (action, bool) {
	m.failure = fmt.Sprintf("step %d (%s): %s", m.at+1, excerpt(s.sentence, 200), why)
	return action{}, false
}
