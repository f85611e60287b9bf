package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/internal/pagedata"
	"github.com/drover-go/drover/runs/model"
)

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
	// facts are what is searched, of the page or of a row.
	facts []fact
	known *known
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
		return call("navigate", "url", s.url), true
	case waitVerb: // in several calls if need be
		return call("wait", "seconds", min(cmp.Or(s.seconds, maxCall)-m.tried.slept, maxCall), "text", s.text), true
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
func call(tool string, inputs ...any) action {
	a := action{tool: tool, input: map[string]any{}}
	for i := 0; i < len(inputs); i += 2 {
		if v := inputs[i+1]; v != "" && v != 0 {
			a.input[inputs[i].(string)] = v
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
	if f.why == "" {
		switch radio, radios := radioIn(*m.view, s); {
		case s.verb == selectVerb && radios == 1 && radio.Checked:
			m.advance()
			return action{}, false
		case s.verb == selectVerb && radios == 1:
			return call("click", "ref", string(radio.Ref)), true
		}
		if list := onlyList(*m.view); s.choose && list != "" { // options are not elements of their own on every page
			return call("type", "ref", list, "text", s.target.name), true
		}
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
	for _, l := range v.Lines {
		if l.Ref != "" && slices.Contains(choiceRoles, l.Role) && l.Type == "" {
			if ref != "" {
				return ""
			}
			ref = string(l.Ref)
		}
	}
	return ref
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
	case t.near != "" || t.region != nil || t.name == "" || s.how == byDrag: // rows are only seen as a whole
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
	ref := string(l.Ref)
	switch {
	case s.verb == scrollVerb:
		return call("scroll", "ref", ref, "direction", s.way, "text", s.text), true
	case s.verb == pressVerb:
		return call("press", "ref", ref, "keys", s.text), true
	case s.verb == selectVerb && s.several != nil:
		return call("select", "ref", ref, "options", s.several), true
	case s.verb == selectVerb && m.tried.failed > 0: // what no text can be typed into may be opened
		return call("select", "ref", ref, "options", []string{s.text}), true
	case s.verb == selectVerb, s.verb == typeVerb, s.verb == submitVerb:
		a = call("type", "ref", ref)
		a.input["text"] = s.text
		if s.submit || s.verb == submitVerb {
			a.input["submit"] = true
		}
		if s.verb == submitVerb {
			a.input["append"] = true
		}
		return a, true
	case s.verb == checkVerb && l.Checked, s.verb == uncheckVerb && !l.Checked:
		m.advance()
		return action{}, false
	case s.how == byDoubleClick:
		return call("click", "ref", ref, "double", true), true
	case s.how == byRightClick:
		return call("click", "ref", ref, "button", "right"), true
	case s.how == byHover:
		return call("hover", "ref", ref), true
	case s.how == byDrag && s.to.empty():
		return action{tool: "drag", input: map[string]any{"ref": ref, "dx": s.by[0], "dy": s.by[1]}}, true
	case s.how == byDrag:
		other := step{verb: clickVerb, how: byDrag, target: s.to, sentence: s.sentence}
		f := find(*m.view, other, -1)
		if !f.ok {
			return m.fail(s, cmp.Or(f.why, notFound(*m.view, other)))
		}
		return call("drag", "ref", ref, "to", string(f.line.Ref)), true
	}
	return call("click", "ref", ref), true
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
	m.failure = fmt.Sprintf("step %d (%s): %s", m.at+1, shorten(s.sentence, 200), why)
	return action{}, false
}
