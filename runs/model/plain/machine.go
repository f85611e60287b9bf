package plain

import (
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
	tried struct{ failed, looked, searched, waited int }
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

// reading is what a page showed when a step asked for it.
type reading struct {
	want want
	data pagedata.Data
	text string
	// textNext is where the text goes on.
	textNext int
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
	case readVerb, returnVerb:
		return m.decideRead(s), true
	}
	return m.decideElement(s)
}

func (m *machine) decideWait(s step) action {
	if s.text != "" {
		return action{tool: "wait", input: map[string]any{"text": s.text, "seconds": 20}}
	}
	return action{tool: "wait", input: map[string]any{"seconds": min(s.seconds, 20)}}
}

func (m *machine) decideRead(s step) action {
	if m.reading == nil {
		m.reading = &reading{want: s.want}
	}
	if s.want.text {
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
	if s.verb == submitVerb && s.target.name == "" {
		s.target = m.field
	}
	if m.view == nil {
		return action{tool: "snapshot", input: map[string]any{}}, true
	}
	if l, _, ok := find(*m.view, s, m.fieldAt()); ok {
		return m.actOn(s, l)
	}
	if s.choose {
		if a, ok := m.chooseInstead(s); ok {
			return a, true
		}
	}
	switch {
	case m.tried.searched == 0 && !m.view.Whole() && s.target.name != "":
		return action{tool: "snapshot", input: map[string]any{"find": s.target.name}}, true
	case m.tried.waited == 0 && s.target.name != "":
		return action{tool: "wait", input: map[string]any{"text": s.target.name, "seconds": 5}}, true
	case m.tried.looked == 0:
		return action{tool: "snapshot", input: map[string]any{}}, true
	}
	m.fail(s, notFound(*m.view, s))
	return action{}, false
}

// fieldAt is where in the view the last field stands; -1 without one.
func (m *machine) fieldAt() int {
	if m.field == (target{}) {
		return -1
	}
	_, at, ok := find(*m.view, step{verb: typeVerb, target: m.field}, -1)
	if !ok {
		return -1
	}
	return at
}

// actOn returns the call that does the step with the element; ok is false when
// there is nothing to do.
func (m *machine) actOn(s step, l outline.Line) (action, bool) {
	ref := string(l.Ref)
	switch s.verb {
	case typeVerb, selectVerb:
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
	return action{tool: "click", input: map[string]any{"ref": ref}}, true
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
	m.tried = struct{ failed, looked, searched, waited int }{}
}

func (m *machine) fail(s step, why string) {
	m.failure = fmt.Sprintf("step %d (%s): %s", m.at+1, shorten(s.sentence, 200), why)
}
