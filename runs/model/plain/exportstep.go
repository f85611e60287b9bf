package plain

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/drover-go/drover/runs/internal/outline"
)

// one is the step that a line says; ok is false where it is none, or several.
func one(line string) (s step, ok bool) {
	steps, err := parse(line)
	if err != nil || len(steps) != 1 {
		return s, false
	}
	return steps[0], true
}

func (e *exporter) sayOpen(url string) {
	for _, written := range append([]string{url}, quotes(url)...) {
		line := "Go to " + written
		if s, ok := one(line); ok && s.verb == openVerb && s.url == url {
			e.done(line, s)
			return
		}
	}
	e.cannot("the address cannot be written in a step: %s", url)
}

func (e *exporter) sayWait(a action) {
	text := a.text("text")
	seconds, given := a.input["seconds"].(float64)
	if text == "" && given && seconds == 0 {
		return
	}
	if text == "" && !given {
		seconds = 10 // the tool's own
	}
	number := strconv.FormatFloat(seconds, 'f', -1, 64)
	if text == "" {
		e.sayIf(fmt.Sprintf("Wait %s seconds", number), func(s step) bool { return s.verb == waitVerb && s.text == "" && s.seconds == seconds })
		return
	}
	for _, q := range quotes(text) {
		line, most := "Wait for "+q, 0.0
		if given && seconds >= 1 {
			line, most = fmt.Sprintf("Wait up to %s seconds for %s", number, q), seconds
		}
		if s, ok := one(line); ok && s.verb == waitVerb && s.text == text && s.seconds == most {
			e.done(line, s)
			return
		}
	}
	e.cannot("the text that was waited for cannot be written in a step")
}

func (e *exporter) sayIf(line string, is func(step) bool) {
	if s, ok := one(line); ok && is(s) {
		e.done(line, s)
		return
	}
	e.cannot("it cannot be written as a step")
}

func (e *exporter) sayClick(v outline.View, at int) {
	l := v.Lines[at]
	verb := "Click"
	switch {
	case slices.Contains([]string{"checkbox", "switch", "menuitemcheckbox"}, l.Role) && l.Checked:
		verb = "Uncheck"
	case slices.Contains([]string{"checkbox", "switch", "menuitemcheckbox"}, l.Role):
		verb = "Check"
	}
	e.sayOn(v, at, func(target string) string { return verb + " " + target }, func(step) bool { return true })
}

func (e *exporter) sayType(v outline.View, at int, a action) {
	l, text := v.Lines[at], a.text("text")
	submit := a.is("submit")
	switch {
	case text == "" && submit && (a.is("append") || l.Value == ""):
		e.sayEnter(v, at)
		return
	case text == "" && (a.is("append") || l.Value == ""):
		return
	case text == "":
		e.cannot("a field was emptied")
		return
	case a.is("append") && l.Type == "password":
		e.cannot("text was added to what a field held")
		return
	case a.is("append"): // typing replaces what the field holds
		text = l.Value + text
	}
	is := func(s step) bool { return s.text == text && s.submit == submit }
	if (l.Role == "combobox" || l.Role == "listbox") && l.Type == "" && !submit {
		e.sayOn(v, at, func(target string) string { return "Select " + quoted(text) + " from " + target }, is)
		return
	}
	e.sayOn(v, at, func(target string) string {
		line := "Type " + value(text) + " into " + target
		if submit {
			line += " and press Enter"
		}
		return line
	}, is)
}

// sayEnter presses Enter in the field that was typed into last: this model knows
// no other.
func (e *exporter) sayEnter(v outline.View, at int) {
	const line = "Press Enter"
	if f := find(v, step{verb: submitVerb, target: e.field}, -1); e.field.empty() || !f.ok || f.at != at {
		e.cannot("Enter was pressed in a field that was not typed into last")
		return
	}
	e.done(line, step{verb: submitVerb, sentence: line})
}

// sayOn writes a step on an element, in the first words that mean this element
// and no other.
func (e *exporter) sayOn(v outline.View, at int, line func(target string) string, is func(step) bool) {
	after := -1
	if e.view != nil {
		after = e.fieldAt()
	}
	for _, target := range targets(v, at) {
		written := line(target)
		s, ok := one(written)
		if !ok || !is(s) {
			continue
		}
		if f := find(v, s, after); f.ok && f.at == at {
			e.done(written, s)
			return
		}
	}
	l := v.Lines[at]
	e.cannot("no words tell the %s %q from the others on the page", l.Role, shorten(l.Name, 80))
}

// value is a text to type: a placeholder as it is, anything else in quotes.
func value(text string) string {
	if variableForm().FindString(text) == text && text != "" {
		return text
	}
	return quoted(text)
}
