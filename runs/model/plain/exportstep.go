package plain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
)

func (a action) text(name string) string {
	s, _ := a.input[name].(string)
	return s
}

func (a action) number(name string) float64 {
	n, _ := a.input[name].(float64)
	return n
}

func (a action) is(name string) bool { return a.input[name] == true }

// list is a list of texts, or one.
func (a action) list(name string) (all []string) {
	if s := a.text(name); s != "" {
		return []string{s}
	}
	many, _ := a.input[name].([]any)
	for _, one := range many {
		all = append(all, fmt.Sprint(one))
	}
	return all
}

// sayable are the tools that steps are for.
var sayable = []string{"snapshot", "read", "note_answer", "done", "navigate", "wait", "fill_form", "scroll", "press", "hover", "drag", "select", "click", "type"}

// unsayable is why there are no words for a call in the language of steps; empty
// where there may be.
func (a action) unsayable() string {
	_, isForm := a.input["fields"].([]any)
	button, dx, dy := cmp.Or(a.text("button"), "left"), a.number("dx"), a.number("dy")
	for _, r := range []struct {
		tools string
		why   string
		is    bool
	}{
		{"ask_human take_over", "a person took part", true},
		{a.tool, "there is no such step", !slices.Contains(sayable, a.tool)},
		{"scroll press hover drag select click type", "something was held", a.input["hold"] != nil},
		{"scroll", "the wheel was turned at a place of a picture", a.input["x"] != nil},
		{"scroll", "a part of the page was scrolled", a.text("ref") != "" && a.text("text")+a.text("direction") != ""},
		{"press", "text was typed where the focus was", a.text("text") != ""},
		{"press", "a step presses one key, once", a.number("repeat") > 1 || strings.Contains(strings.Join(a.list("keys"), " "), " ")},
		{"click hover drag select", "keys were held", len(a.list("modifiers")) > 0},
		{"click", "there is no such step", button != "left" && button != "right" || a.is("double") && button == "right"},
		{"select", "a list was emptied", len(a.list("options")) == 0},
		{"fill_form", "its fields cannot be read", !isForm},
		{"drag", "the other end of the drag cannot be said", a.text("to") != "" && (dx != 0 || dy != 0)},
		{"drag", "a drag goes in one direction, by whole pixels", dx != 0 && dy != 0 || dx != math.Trunc(dx) || dy != math.Trunc(dy)},
	} {
		if r.is && slices.Contains(strings.Fields(r.tools), a.tool) {
			return r.why
		}
	}
	return ""
}

// say writes the step of a call that did not fail.
func (e *exporter) say(a action) {
	switch a.tool {
	case "navigate":
		e.sayOpen(a.text("url"))
	case "wait":
		e.sayWait(a)
	case "scroll":
		e.sayScroll(a)
	case "fill_form":
		e.sayForm(a)
	case "press":
		keys := strings.Join(a.list("keys"), " ")
		lines := []string{"Press " + keys, "Press the " + keys + " key"}
		is := func(s step) bool { return s.verb == pressVerb && s.text == keys }
		if a.text("ref") == "" {
			e.sayOne("the key cannot be written as a step", lines, is)
		} else if v, at := e.element(a); at >= 0 {
			e.sayOn(v, at, []string{lines[0] + " in " + targetMark, lines[1] + " in " + targetMark}, is)
		}
	case "click", "type", "hover", "drag", "select":
		if v, at := e.element(a); at >= 0 {
			e.sayAct(v, at, a)
		}
	}
}

// one is the step that a line says; ok is false where it is none, or several.
func one(line string) (s step, ok bool) {
	steps, err := parse(line)
	if err != nil || len(steps) != 1 {
		return s, false
	}
	return steps[0], true
}

// sayOne writes the first of the lines that says the step.
func (e *exporter) sayOne(otherwise string, lines []string, is func(step) bool) {
	for _, line := range lines {
		if s, ok := one(line); ok && is(s) {
			e.done(line, s)
			return
		}
	}
	e.cannot("%s", otherwise)
}

func (e *exporter) sayOpen(url string) {
	var lines []string
	for _, written := range append([]string{url}, quotes(url)...) {
		lines = append(lines, "Go to "+written)
	}
	e.sayOne("the address cannot be written in a step: "+url, lines, func(s step) bool { return s.verb == openVerb && s.url == url })
}

func (e *exporter) sayWait(a action) {
	text, seconds := a.text("text"), a.number("seconds")
	_, given := a.input["seconds"]
	switch {
	case text == "" && !given:
		seconds = 10 // the tool's own
	case text == "" && seconds == 0:
		return
	case seconds < 1 && text != "":
		seconds = 0
	}
	number := strconv.FormatFloat(seconds, 'f', -1, 64)
	lines := []string{"Wait " + number + " seconds"}
	if text != "" {
		lines = nil
	}
	for _, q := range quotes(text) {
		lines = append(lines, "Wait for "+q, "Wait up to "+number+" seconds for "+q)
	}
	e.sayOne("what was waited for cannot be written in a step", lines, func(s step) bool { return s.verb == waitVerb && s.text == text && s.seconds == seconds })
}

// sayScroll leaves out that an element was scrolled to: it is when it is used.
func (e *exporter) sayScroll(a action) {
	const cannot = "a step scrolls by most of a view, or to the end"
	text, way := a.text("text"), cmp.Or(a.text("direction"), "down")
	_, far := a.input["pages"]
	isEnd := way == "top" || way == "bottom"
	switch {
	case a.text("ref") != "":
	case text != "":
		e.sayOne("it cannot be written as a step", []string{"Scroll to " + quoted(text)}, func(s step) bool { return s.verb == scrollVerb && s.text == text })
	case far && !isEnd:
		e.cannot(cannot)
	default:
		words := map[string]string{"top": "to the top", "bottom": "to the end"}
		e.sayOne(cannot, []string{"Scroll " + cmp.Or(words[way], way)}, func(s step) bool { return s.verb == scrollVerb && s.way == way })
	}
}

// sayForm writes a step for each field.
func (e *exporter) sayForm(a action) {
	for _, f := range a.input["fields"].([]any) {
		field, _ := f.(map[string]any)
		one := action{tool: "type", input: map[string]any{"ref": field["ref"], "text": fmt.Sprint(field["value"])}}
		v, at := e.element(one)
		if at < 0 {
			return
		}
		options, many := field["value"].([]any)
		switch truth, said := truths[one.text("text")]; {
		case many:
			one = action{tool: "select", input: map[string]any{"ref": field["ref"], "options": options}}
			e.sayAct(v, at, one)
		case !slices.Contains(checkRoles, v.Lines[at].Role):
			e.sayAct(v, at, one)
		case !said:
			e.cannot("whether a box was checked is not certain")
		default:
			e.sayOn(v, at, []string{"Check " + targetMark, "Uncheck " + targetMark}, func(s step) bool { return s.verb == checkVerb == truth })
		}
	}
}

var truths = map[string]bool{"true": true, "on": true, "yes": true, "checked": true, "1": true, "false": false, "off": false, "no": false, "unchecked": false, "0": false}

// sayAct writes the step of a call that acts on an element.
func (e *exporter) sayAct(v outline.View, at int, a action) {
	l, text, submit := v.Lines[at], a.text("text"), a.is("submit")
	switch {
	case a.tool != "type":
	case text == "" && (a.is("append") || l.Value == ""):
		if submit {
			e.sayEnter(v, at)
		}
		return
	case text == "":
		e.cannot("a field was emptied")
		return
	case a.is("append") && l.Type == "password":
		e.cannot("text was added to what a field held")
		return
	case a.is("append"): // typing replaces what the field holds
		a = action{tool: "type", input: map[string]any{"ref": a.input["ref"], "text": l.Value + text, "submit": submit}}
	}
	e.sayOn(v, at, sayings(v, l, a), func(s step) bool {
		act, ok := (&machine{view: &v}).actOn(s, l)
		return ok && act.plainly() == a.plainly()
	})
}

// plainly is a call in one way of several: without what says nothing, and an
// option as a text.
func (a action) plainly() string {
	input := map[string]any{}
	for name, value := range a.input {
		input[name] = value
		if value == false || value == 0.0 || value == "" || name == "button" && value == "left" || name == "text" && a.tool == "click" {
			delete(input, name)
		}
	}
	if options := a.list("options"); len(options) == 1 {
		a.tool, input["text"] = "type", options[0]
		delete(input, "options")
	}
	for _, ref := range []string{"ref", "to"} {
		if s := a.text(ref); s != "" {
			input[ref] = strings.Trim(s, "[]")
		}
	}
	return a.tool + string(encode(input))
}

// targetMark stands in a line for the words of its element.
const targetMark = "\x00"

// sayings are the lines that may say a call.
func sayings(v outline.View, l outline.Line, a action) []string {
	switch text := a.text("text"); {
	case a.tool == "hover":
		return []string{"Hover over " + targetMark}
	case a.tool == "drag":
		return []string{"Drag " + targetMark + dragged(v, a)}
	case a.tool == "select":
		var written []string
		for _, o := range a.list("options") {
			written = append(written, quoted(o))
		}
		return []string{"Select " + strings.Join(written, " and ") + " from " + targetMark}
	case a.tool == "click" && slices.Contains([]string{"checkbox", "switch", "menuitemcheckbox"}, l.Role):
		return []string{"Check " + targetMark, "Uncheck " + targetMark, "Double-click " + targetMark, "Right-click " + targetMark}
	case a.tool == "click":
		return []string{"Click " + targetMark, "Double-click " + targetMark, "Right-click " + targetMark}
	case slices.Contains(choiceRoles, l.Role) && l.Type == "" && !a.is("submit"):
		return []string{"Select " + quoted(text) + " from " + targetMark}
	case variableForm().FindString(text) == text: // a placeholder as it is
		return []string{"Type " + text + " into " + targetMark, "Type " + text + " into " + targetMark + " and press Enter"}
	default:
		return []string{"Type " + quoted(text) + " into " + targetMark, "Type " + quoted(text) + " into " + targetMark + " and press Enter"}
	}
}

// dragged are the words for where a drag leads.
func dragged(v outline.View, a action) string {
	if end := indexOfRef(v, a.text("to")); end >= 0 {
		for _, target := range targets(v, end) {
			to, why := parseTarget(lex(target))
			if f := find(v, step{verb: clickVerb, how: byDrag, target: to}, -1); why == "" && f.ok && f.at == end {
				return " to " + target
			}
		}
	}
	way, far := "right", a.number("dx")
	switch dy := a.number("dy"); {
	case far < 0:
		way, far = "left", -far
	case dy < 0:
		way, far = "up", -dy
	case dy > 0:
		way, far = "down", dy
	}
	return fmt.Sprintf(" %.0f pixels %s", far, way)
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
func (e *exporter) sayOn(v outline.View, at int, lines []string, is func(step) bool) {
	after := -1
	if e.view != nil {
		after = e.fieldAt()
	}
	for _, line := range lines {
		for _, target := range targets(v, at) {
			written := strings.Replace(line, targetMark, target, 1)
			s, ok := one(written)
			if !ok || !is(s) {
				continue
			}
			if f := find(v, s, after); f.ok && f.at == at {
				e.done(written, s)
				return
			}
		}
	}
	l := v.Lines[at]
	e.cannot("no words tell the %s %q from the others on the page", l.Role, shorten(l.Name, 80))
}
