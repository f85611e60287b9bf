package plain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
)

// sayInput writes the step of a call that points, presses, scrolls or chooses.
func (e *exporter) sayInput(a action) {
	switch a.tool {
	case "fill_form":
		e.sayForm(a)
	case "scroll":
		e.sayScroll(a)
	case "press":
		e.sayPress(a)
	default:
		if v, at := e.shownElement(a); at >= 0 {
			e.sayPoint(v, at, a)
		}
	}
}

// shownElement is where the run saw the element of a call; that it did not is said.
func (e *exporter) shownElement(a action) (v outline.View, at int) {
	if v, at = e.element(a.text("ref")); at < 0 {
		e.cannot("the messages of the run do not show the element")
		return v, at
	}
	e.begin(v)
	return v, at
}

// pointed reports whether a click was more than one with the left button.
func (a action) pointed() bool {
	held, _ := a.input["modifiers"].([]any)
	return a.is("double") || a.text("button") != "" && a.text("button") != "left" || len(held) > 0 || a.text("modifiers") != ""
}

func (e *exporter) sayPoint(v outline.View, at int, a action) {
	held, _ := a.input["modifiers"].([]any)
	how := func(m manner) func(step) bool { return func(s step) bool { return s.how == m } }
	write := func(words string) func(string) string { return func(target string) string { return words + target } }
	switch {
	case len(held) > 0 || a.text("modifiers") != "":
		e.cannot("keys were held")
	case a.tool == "hover":
		e.sayOn(v, at, write("Hover over "), how(byHover))
	case a.tool == "drag":
		e.sayDrag(v, at, a)
	case a.tool == "select":
		e.sayOptions(v, at, a.list("options"))
	case a.is("double") && a.text("button") == "":
		e.sayOn(v, at, write("Double-click "), how(byDoubleClick))
	case a.text("button") == "right" && !a.is("double"):
		e.sayOn(v, at, write("Right-click "), how(byRightClick))
	default:
		e.cannot("there is no such step")
	}
}

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

func (e *exporter) sayOptions(v outline.View, at int, options []string) {
	if len(options) == 0 {
		e.cannot("a list was emptied")
		return
	}
	written := make([]string, len(options))
	for i, o := range options {
		written[i] = quoted(o)
	}
	is := func(s step) bool {
		return s.verb == selectVerb && (slices.Equal(s.several, options) || s.several == nil && len(options) == 1 && s.text == options[0])
	}
	e.sayOn(v, at, func(target string) string { return "Select " + strings.Join(written, " and ") + " from " + target }, is)
}

// sayDrag names the other end in the first words that mean it.
func (e *exporter) sayDrag(v outline.View, at int, a action) {
	dx, _ := a.input["dx"].(float64)
	dy, _ := a.input["dy"].(float64)
	if a.text("to") == "" {
		e.sayDragBy(v, at, dx, dy)
		return
	}
	other, end := e.element(a.text("to"))
	if end < 0 || dx != 0 || dy != 0 {
		e.cannot("the other end of the drag cannot be said")
		return
	}
	for _, target := range targets(other, end) {
		to, why := parseTarget(lex(target))
		if f := find(other, step{verb: clickVerb, how: byDrag, target: to}, -1); why != "" || !f.ok || f.at != end {
			continue
		}
		e.sayOn(v, at, func(from string) string { return "Drag " + from + " to " + target }, func(s step) bool { return s.to.name == to.name && s.to.near == to.near && s.to.nth == to.nth })
		return
	}
	e.cannot("no words tell the other end of the drag from what else is on the page")
}

func (e *exporter) sayDragBy(v outline.View, at int, dx, dy float64) {
	way, far := "right", dx
	switch {
	case dx != 0 && dy != 0, dx != math.Trunc(dx), dy != math.Trunc(dy):
		e.cannot("a drag goes in one direction, by whole pixels")
		return
	case dx < 0:
		way, far = "left", -dx
	case dy < 0:
		way, far = "up", -dy
	case dy > 0:
		way, far = "down", dy
	}
	by := [2]float64{dx, dy}
	e.sayOn(v, at, func(target string) string { return fmt.Sprintf("Drag %s %.0f pixels %s", target, far, way) }, func(s step) bool { return s.by == by })
}

func (e *exporter) sayPress(a action) {
	keys := strings.Join(a.list("keys"), " ")
	if n, given := a.input["repeat"].(float64); given && n > 1 || strings.Contains(keys, " ") {
		e.cannot("a step presses one key, once")
		return
	}
	for _, line := range []string{"Press " + keys, "Press the " + keys + " key"} {
		s, ok := one(line)
		if !ok || s.verb != pressVerb || s.text != keys {
			continue
		}
		if a.text("ref") == "" {
			e.done(line, s)
		} else if v, at := e.shownElement(a); at >= 0 {
			e.sayOn(v, at, func(target string) string { return line + " in " + target }, func(s step) bool { return s.verb == pressVerb && s.text == keys })
		}
		return
	}
	e.cannot("the key cannot be written as a step")
}

// sayScroll leaves out that an element was scrolled to: it is when it is used.
func (e *exporter) sayScroll(a action) {
	ways := map[string]string{"": "down", "down": "down", "up": "up", "left": "left", "right": "right", "top": "to the top", "bottom": "to the end"}
	way, known := ways[a.text("direction")]
	_, far := a.input["pages"]
	switch text, ref := a.text("text"), a.text("ref"); {
	case ref != "" && text == "" && a.text("direction") == "":
	case ref != "":
		e.cannot("a part of the page was scrolled")
	case text != "":
		e.sayIf("Scroll to "+quoted(text), func(s step) bool { return s.verb == scrollVerb && s.text == text })
	case !known || far && !strings.HasPrefix(way, "to "):
		e.cannot("a step scrolls by most of a view, or to the end")
	default:
		e.sayIf("Scroll "+way, func(s step) bool { return s.verb == scrollVerb && s.text == "" })
	}
}

// sayForm writes a step for each field.
func (e *exporter) sayForm(a action) {
	fields, ok := a.input["fields"].([]any)
	if !ok {
		e.cannot("its fields cannot be read")
		return
	}
	for _, f := range fields {
		field, _ := f.(map[string]any)
		one := action{tool: "type", input: map[string]any{"ref": field["ref"], "text": fmt.Sprint(field["value"])}}
		v, at := e.shownElement(one)
		if at < 0 {
			return
		}
		options, many := field["value"].([]any)
		switch l := v.Lines[at]; {
		case many:
			e.sayOptions(v, at, action{input: map[string]any{"options": options}}.list("options"))
		case slices.Contains(checkRoles, l.Role):
			e.sayChecked(v, at, one.text("text"))
		default:
			e.sayType(v, at, one)
		}
	}
}

func (e *exporter) sayChecked(v outline.View, at int, value string) {
	switch value {
	case "true", "on", "yes", "checked", "1":
		e.sayOn(v, at, func(target string) string { return "Check " + target }, func(s step) bool { return s.verb == checkVerb })
	case "false", "off", "no", "unchecked", "0":
		e.sayOn(v, at, func(target string) string { return "Uncheck " + target }, func(s step) bool { return s.verb == uncheckVerb })
	default:
		e.cannot("whether a box was checked is not certain")
	}
}
