package plain

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

var (
	sayings = lexicon.Entries(files, "sayings")
	reasons = lexicon.Entries(files, "unsaid")
)

// sayingsOf are the lines of a kind, filled in all the ways that there are.
func sayingsOf(kind string, words map[string][]string) (all []string) {
	for _, e := range sayings() {
		if e.Name == kind {
			all = append(all, filledIn(strings.Join(e.Words, " "), words)...)
		}
	}
	return all
}

func filledIn(line string, words map[string][]string) (all []string) {
	before, rest, ok := strings.Cut(line, "{")
	if !ok {
		return []string{line}
	}
	name, after, _ := strings.Cut(rest, "}")
	ends := filledIn(after, words)
	for _, w := range words[name] {
		for _, end := range ends {
			all = append(all, before+w+end)
		}
	}
	return all
}

// sayForm writes a step for each field.
func (e *exporter) sayForm(a action) {
	fields, ok := a.input["fields"].([]any)
	if !ok {
		e.cannot(whyUnsaid(a))
	}
	for _, f := range fields {
		field, _ := f.(map[string]any)
		ref, _ := field["ref"].(string)
		value := strings.ToLower(fmt.Sprint(field["value"]))
		one := call("type", "ref", ref, "text", fmt.Sprint(field["value"]))
		_, many := field["value"].([]any)
		switch v, at := e.element(ref); {
		case many:
			one = call("select", "ref", ref, "options", field["value"])
		case at < 0 || !slices.Contains(checkRoles, v.Lines[at].Role):
		case is(value, "true", "false"):
			one = call(map[bool]string{true: "check", false: "uncheck"}[is(value, "true")], "ref", ref)
		default:
			one.tool = "box"
		}
		e.say(one)
	}
}

// say writes the step of a call that did not fail, in the first words that mean
// this call and no other. That an element was scrolled to is left out: it is when it
// is used.
func (e *exporter) say(a action) {
	ref := a.input.text("ref")
	var v outline.View
	at, l := -1, outline.Line{}
	if ref != "" {
		if v, at = e.element(ref); at < 0 {
			e.cannot("the messages of the run do not show the element")
			return
		}
		l = v.Lines[at]
	}
	a, kind := a.plain(l)
	if kind == "" {
		return
	}
	after, isSaid := -1, false
	if e.view != nil {
		after = e.fieldAt()
	}
	for _, line := range sayingsOf(kind, words(v, at, a)) {
		steps, err := parse(line)
		if err != nil || len(steps) != 1 {
			continue
		}
		s := steps[0]
		if s.verb == submitVerb && s.target.empty() {
			s.target = e.field
		}
		if !says(s, a, v, l) {
			continue
		}
		isSaid = true
		if f := find(v, s, after); at < 0 && s.target.empty() || f.ok && f.at == at {
			e.write(line)
			e.steps = append(e.steps, s)
			e.at = len(e.steps) - 1
			e.observeAct(s, model.TextOutput(""))
			return
		}
	}
	if isSaid {
		e.cannot(fmt.Sprintf("no words tell the %s %q from the others on the page", l.Role, shorten(l.Name, 80)))
		return
	}
	e.cannot(whyUnsaid(a))
}

// says reports whether a step would make a call.
func says(s step, a action, v outline.View, l outline.Line) bool {
	if a.tool == "check" || a.tool == "uncheck" { // whatever it is now
		return a.tool == string(s.verb)
	}
	decide := func() (action, bool) { return (&machine{view: &v}).actOn(s, l) }
	if s.target.empty() {
		decide = func() (action, bool) { return (&machine{}).decideStep(s) }
	}
	made, ok := decide()
	return ok && made.canonical() == a.canonical()
}

// canonical is a call in one way of several: without what says nothing, and an
// option as a text.
func (a action) canonical() string {
	input := maps.Clone(a.input)
	for _, ref := range []string{"ref", "to"} {
		input[ref] = strings.Trim(input.text(ref), "[]")
	}
	if options := input.list("options"); len(options) == 1 {
		a.tool, input["text"] = "type", options[0]
		delete(input, "options")
	}
	maps.DeleteFunc(input, func(name string, value any) bool {
		return isNothing(value) || name == "button" && value == "left" || name == "repeat" && value == 1.0
	})
	return a.tool + string(encode(input))
}

// isNothing reports whether a value says no more than none.
func isNothing(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == false || value == 0.0 || value == "" || isList && len(list) == 0
}

// boxRoles are those of boxes that a click checks or unchecks.
var boxRoles = []string{"checkbox", "switch", "menuitemcheckbox"}

// plain is a call as a step would make it, and the kind of the lines that may say
// it; there is none where nothing is done.
func (a action) plain(l outline.Line) (plain action, kind string) {
	in := maps.Clone(a.input)
	text, seconds := in.text("text"), in.number("seconds")
	switch a.tool {
	case "wait":
		switch {
		case text == "" && in["seconds"] == nil:
			in["seconds"] = 10.0 // the tool's own
		case text == "" && seconds == 0:
			return a, ""
		case seconds == 0:
			in["seconds"] = 1.0 * maxCall
		}
	case "scroll":
		switch {
		case text+in.text("direction") != "" || in["x"] != nil:
		case in.text("ref") != "":
			return a, ""
		default:
			in["direction"] = "down"
		}
	case "press":
		in["keys"] = strings.Join(in.list("keys"), " ")
	case "click":
		if delete(in, "text"); slices.Contains(boxRoles, l.Role) {
			return action{tool: a.tool, input: in}, "box"
		}
	case "type":
		return a.typed(in, text, l)
	}
	return action{tool: a.tool, input: in}, a.tool
}

// typed is a call that types: a step replaces what the field holds.
func (a action) typed(in inputs, text string, l outline.Line) (plain action, kind string) {
	submit := in.is("submit")
	switch {
	case text == "" && (in.is("append") || l.Value == ""):
		if in["append"] = true; !submit {
			return a, ""
		}
	case text != "" && in.is("append") && l.Type != "password":
		in["text"] = l.Value + text
		delete(in, "append")
	}
	if text != "" && !submit && slices.Contains(choiceRoles, l.Role) && l.Type == "" {
		return call("select", "ref", in["ref"], "options", in["text"]), "select"
	}
	return action{tool: a.tool, input: in}, a.tool
}

// words are what a call says, as it may be written.
func words(v outline.View, at int, a action) map[string][]string {
	in := a.input
	w := map[string][]string{
		"url": {in.text("url"), quoted(in.text("url"))}, "keys": {in.text("keys")}, "text": {quoted(in.text("text"))}, "way": lists()["ways"], "edge": lists()["edges"],
		"seconds": {strconv.FormatFloat(in.number("seconds"), 'f', -1, 64)}, "pixels": {fmt.Sprintf("%.0f", math.Abs(in.number("dx")+in.number("dy")))},
	}
	if text := in.text("text"); variableForm().FindString(text) == text { // a placeholder as it is
		w["text"] = []string{text}
	}
	var options []string
	for _, o := range in.list("options") {
		options = append(options, quoted(o))
	}
	w["options"] = []string{strings.Join(options, " and ")}
	if at >= 0 {
		w["element"] = targets(v, at)
	}
	if end := indexOfRef(v, in.text("to")); end >= 0 {
		w["end"] = slices.DeleteFunc(targets(v, end), func(name string) bool {
			t, why := parseTarget(lex(name))
			f := find(v, step{verb: dragVerb, target: t}, -1)
			return why != "" || !f.ok || f.at != end
		})
		w["end"] = w["end"][:min(len(w["end"]), 1)]
	}
	return w
}

// whyUnsaid is why a call has no step.
func whyUnsaid(a action) string {
	for _, r := range reasons() {
		names := strings.Fields(r.Name)
		has := !slices.ContainsFunc(names[1:], func(name string) bool { return isNothing(a.input[name]) })
		if has && (names[0] == a.tool || names[0] == "any") {
			return strings.Join(r.Words, " ") + strings.TrimRight(": "+a.input.text("url"), ": ")
		}
	}
	return "there is no such step"
}
