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

// say writes the step of a call that did not fail. That an element was scrolled to
// is left out: it is when it is used.
func (e *exporter) say(a action) {
	ref := a.text("ref")
	switch a.tool {
	case "wait":
		if _, given := a.input["seconds"]; a.text("text") == "" && !given {
			a.input["seconds"] = 10.0 // the tool's own
		} else if a.text("text") != "" && a.number("seconds") == 0 {
			a.input["seconds"] = 1.0 * maxCall
		}
	case "scroll":
		if a.text("direction")+a.text("text") == "" {
			a.input["direction"] = "down"
		}
	case "press":
		a.input["keys"] = strings.Join(a.list("keys"), " ")
	}
	switch a.tool {
	case "fill_form":
		e.sayForm(a)
	case "navigate", "wait", "scroll", "press":
		switch {
		case a.tool == "wait" && a.text("text") == "" && a.number("seconds") == 0, a.tool == "scroll" && ref != "":
		case ref != "":
			if v, at := e.element(a); at >= 0 {
				e.sayAct(v, at, a)
			}
		default:
			e.sayAlone(a)
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

// wordless is why a call that is about no element has no line that says it.
var wordless = map[string]string{
	"navigate": "the address cannot be written in a step: ", "press": "the key cannot be written as a step",
	"scroll": "a step scrolls by most of a view, or to the end", "wait": "what was waited for cannot be written in a step",
}

// sayAlone writes the first line that says a call about no element.
func (e *exporter) sayAlone(a action) {
	var lines []string
	text, number := a.text("text"), strconv.FormatFloat(a.number("seconds"), 'f', -1, 64)
	switch {
	case a.tool == "navigate":
		for _, url := range append([]string{a.text("url")}, quotes(a.text("url"))...) {
			lines = append(lines, "Go to "+url)
		}
	case a.tool == "press":
		lines = []string{"Press " + a.text("keys"), "Press the " + a.text("keys") + " key"}
	case a.tool == "scroll" && text != "":
		lines = []string{"Scroll to " + quoted(text)}
	case a.tool == "scroll":
		lines = []string{"Scroll down", "Scroll up", "Scroll left", "Scroll right", "Scroll to the top", "Scroll to the end"}
	case text != "":
		for _, q := range quotes(text) {
			lines = append(lines, "Wait for "+q, "Wait up to "+number+" seconds for "+q)
		}
	default:
		lines = []string{"Wait " + number + " seconds"}
	}
	for _, line := range lines {
		if s, ok := one(line); ok {
			if act, ok := (&machine{}).decideStep(s); ok && act.plainly() == a.plainly() {
				e.done(line, s)
				return
			}
		}
	}
	e.cannot("%s", wordless[a.tool]+a.text("url"))
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
	case a.tool == "press":
		return []string{"Press " + a.text("keys") + " in " + targetMark, "Press the " + a.text("keys") + " key in " + targetMark}
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
