package plain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/internal/pagedata"
	"github.com/drover-go/drover/runs/model"
)

func named(name string) browser.Element { return browser.Element{Name: name} }

// machine follows the steps of a task. It keeps nothing between calls of the
// model: it is fed with what has happened since the beginning, does the same
// again in its head, and so knows what comes next.
type machine struct {
	request model.Request
	steps   []step
	// at is the index of the step to do.
	at   int
	view *outline.View
	// tried counts what has been done for this step.
	tried tries
	// filtered says that the view has only the lines with one text.
	filtered bool
	// filling says that the last step filled a field: what follows is likely
	// to be about the same form.
	filling bool
	// visited are the addresses of the pages so far, the one shown last.
	visited []string
	// field is where was typed last.
	field target
	// reads are what has been read, for each read step that is over; reading
	// is the one under way.
	reads   []reading
	reading *reading
	// refused counts the results that were not taken; refusal says why.
	refused int
	refusal string
	// failure is why the task cannot be done.
	failure string
}

// tries are what has been done for a step.
type tries struct {
	failed, looked, searched, waited int
	slept                            float64 // seconds
}

// reading is what a page showed when a step asked for it.
type reading struct {
	want want
	data pagedata.Data
	text string
	// textNext is where the text goes on.
	textNext int
	// shaped says that a schema is filled, whose names the step's own may help
	// to understand.
	shaped bool
}

// action is a call of a tool, and why.
type action struct {
	tool  string
	input map[string]any
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
			a.why = fmt.Sprintf("Step %d of %d: %s.", m.at+1, len(m.steps), strings.TrimRight(shorten(m.steps[m.at].sentence, 300), ". "))
			return a
		}
	}
	return m.finish()
}

// decideStep returns ok == false when the step is over or has failed.
func (m *machine) decideStep(s step) (a action, ok bool) {
	switch s.verb {
	case openVerb:
		return action{tool: "navigate", input: map[string]any{"url": s.url}}, true
	case waitVerb:
		return m.decideWait(s), true
	case backVerb:
		return m.decideBack(s)
	case dialogVerb:
		return m.awaitDialog(s)
	case readVerb, returnVerb:
		return m.decideRead(s), true
	case scrollVerb:
		if s.target.empty() {
			return scrollTo(s, ""), true
		}
	case pressVerb:
		if s.target.empty() {
			return pressKey(s, ""), true
		}
	}
	return m.decideElement(s)
}

// maxCall is how long one call of the tool waits at most, in seconds, and how
// long is waited for a text where the task does not say.
const maxCall = 20

// decideWait waits for as long as the task says, in several calls if need be.
func (m *machine) decideWait(s step) action {
	left := cmp.Or(s.seconds, maxCall) - m.tried.slept
	input := map[string]any{"seconds": min(left, maxCall)}
	if s.text != "" {
		input["text"] = s.text
	}
	return action{tool: "wait", input: input}
}

// decideBack opens the page before this one.
func (m *machine) decideBack(s step) (a action, ok bool) {
	if len(m.visited) < 2 {
		m.fail(s, "there is no page to go back to")
		return action{}, false
	}
	return action{tool: "navigate", input: map[string]any{"url": m.visited[len(m.visited)-2]}}, true
}

func (m *machine) decideRead(s step) action {
	if m.reading == nil {
		m.reading = &reading{want: s.want}
	}
	if s.want.has("text") {
		return action{tool: "read", input: map[string]any{"as": "text", "offset": m.reading.textNext}}
	}
	input := map[string]any{"as": "data"}
	if m.reading.data.Next > 0 {
		input["offset"] = m.reading.data.Next
	}
	return action{tool: "read", input: input}
}

// decideElement looks for the element that a step names and acts on it. Pages
// take their time: what is not there yet is waited for.
func (m *machine) decideElement(s step) (a action, ok bool) {
	if s.verb == submitVerb && s.target.empty() {
		s.target = m.field
	}
	if m.view == nil {
		return action{tool: "snapshot", input: map[string]any{}}, true
	}
	if a, ok := m.lookFurther(s); ok {
		return a, true
	}
	f := find(*m.view, s, m.fieldAt())
	if f.ok {
		return m.actOn(s, f.line)
	}
	if s.verb == selectVerb && f.why == "" {
		if l, n := radioIn(*m.view, s); n == 1 && l.Checked {
			m.advance()
			return action{}, false
		} else if n == 1 {
			return action{tool: "click", input: map[string]any{"ref": string(l.Ref)}}, true
		}
	}
	if s.choose && f.why == "" {
		if a, ok := m.chooseInstead(s); ok {
			return a, true
		}
	}
	switch {
	case f.why != "" && m.tried.looked == 0 && m.view.Whole() && !m.filtered: // pages change
		return action{tool: "snapshot", input: map[string]any{}}, true
	case f.why != "":
		m.fail(s, f.why)
		return action{}, false
	case m.tried.waited == 0 && s.target.name != "":
		return action{tool: "wait", input: map[string]any{"text": s.target.name, "seconds": 5}}, true
	case m.tried.looked == 0:
		return action{tool: "snapshot", input: map[string]any{}}, true
	}
	m.fail(s, notFound(*m.view, s))
	return action{}, false
}

// maxViews is how many parts of a page are looked at for one step.
const maxViews = 12

// lookFurther looks at the rest of a page of which only a part has been shown:
// what is meant may be further down, and so may another of the same name.
func (m *machine) lookFurther(s step) (a action, ok bool) {
	if m.view.Whole() || m.tried.searched >= maxViews {
		return action{}, false
	}
	if s.target.near != "" || s.target.region != nil || s.target.name == "" || s.how == byDrag { // rows are only seen as a whole
		next := m.view.Next()
		if m.view.First > 0 || next >= m.view.Total {
			return action{}, false
		}
		return action{tool: "snapshot", input: map[string]any{"offset": next}}, true
	}
	if m.tried.searched > 0 {
		return action{}, false
	}
	return action{tool: "snapshot", input: map[string]any{"find": s.target.name}}, true
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

// actOn returns the call that does the step with the element; ok is false when
// there is nothing to do.
func (m *machine) actOn(s step, l outline.Line) (action, bool) {
	ref := string(l.Ref)
	switch s.verb {
	case scrollVerb:
		return scrollTo(s, ref), true
	case pressVerb:
		return pressKey(s, ref), true
	case selectVerb:
		if s.several != nil || m.tried.failed > 0 { // what no text can be typed into may be opened
			return selectFrom(s, ref), true
		}
		return action{tool: "type", input: map[string]any{"ref": ref, "text": s.text}}, true
	case typeVerb:
		input := map[string]any{"ref": ref, "text": s.text}
		if s.submit {
			input["submit"] = true
		}
		return action{tool: "type", input: input}, true
	case submitVerb:
		return action{tool: "type", input: map[string]any{"ref": ref, "text": "", "append": true, "submit": true}}, true
	case checkVerb, uncheckVerb:
		if l.Checked == (s.verb == checkVerb) {
			m.advance()
			return action{}, false
		}
	}
	return m.pointAt(s, ref)
}

// selectFrom is the call that chooses what the browser does not list.
func selectFrom(s step, ref string) action {
	options := s.several
	if options == nil {
		options = []string{s.text}
	}
	return action{tool: "select", input: map[string]any{"ref": ref, "options": options}}
}

// chooseInstead chooses an option of the only list there is: options are not
// elements of their own on every page.
func (m *machine) chooseInstead(s step) (action, bool) {
	var lists []outline.Line
	for _, l := range m.view.Lines {
		if l.Ref != "" && (l.Role == "combobox" || l.Role == "listbox") && l.Type == "" {
			lists = append(lists, l)
		}
	}
	if len(lists) != 1 {
		return action{}, false
	}
	return action{tool: "type", input: map[string]any{"ref": string(lists[0].Ref), "text": s.target.name}}, true
}

// advance goes to the next step.
func (m *machine) advance() {
	m.at++
	m.tried = tries{}
	if m.filtered {
		m.view, m.filtered = nil, false
	}
}

func (m *machine) fail(s step, why string) {
	m.failure = fmt.Sprintf("step %d (%s): %s", m.at+1, shorten(s.sentence, 200), why)
}
