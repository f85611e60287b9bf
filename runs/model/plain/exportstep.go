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
		value := fmt.Sprint(field["value"])
		one := call("type", "ref", ref, "text", value)
		_, many := field["value"].([]any)
		switch v, at := e.element(ref); {
		case many:
			one = call("select", "ref", ref, "options", field["value"])
		case at < 0 || !isRole("check", v.Lines[at].Role):
		case slices.Contains(spelled()["true"], value):
			one.tool = "check"
		case slices.Contains(spelled()["false"], value):
			one.tool = "uncheck"
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
	var v outline.View
	at, l := -1, outline.Line{}
	if ref := a.input.text("ref"); ref != "" {
		if a.tool == "scroll" && a.input.text("text")+a.input.text("direction") == "" && a.input["x"] == nil {
			return
		}
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
		e.cannot(fmt.Sprintf("no words tell the %s %q from the others on the page", l.Role, excerpt(l.Name, 80)))
		return
	}
	e.cannot(whyUnsaid(a))
}

// says reports whether a step would make a call.
func says(s step, a action, v outline.View, l outline.Line) bool {
	if a.tool == "check" || a.tool == "uncheck" { // whatever it is now
		return a.tool == string(s.verb)
	}
	made, ok := (&machine{}).decideStep(s)
	if !s.target.empty() {
		made, ok = (&machine{view: &v}).actOn(s, l)
	}
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

// plain is a call as a step would make it, and the kind of the lines that may say
// it; there is none where nothing is done.
func (a action) plain(l outline.Line) (plain action, kind string) {
	in, kind := maps.Clone(a.input), a.tool
	text, seconds, submit := in.text("text"), in.number("seconds"), in.is("submit")
	switch {
	case a.tool == "wait" && text == "" && in["seconds"] == nil:
		in["seconds"] = 10.0 // the tool's own
	case a.tool == "wait" && text == "" && seconds == 0:
		kind = ""
	case a.tool == "wait" && seconds == 0:
		in["seconds"] = 1.0 * maxCall
	case a.tool == "scroll" && text+in.text("direction") == "":
		in["direction"] = "down"
	case a.tool == "press":
		in["keys"] = strings.Join(in.list("keys"), " ")
	case a.tool == "click":
		if delete(in, "text"); isRole("box", l.Role) {
			kind = "box"
		}
	case a.tool != "type":
	case text == "" && (in.is("append") || l.Value == ""):
		if in["append"] = true; !submit {
			kind = ""
		}
	case text == "" || in.is("append") && l.Type == "password":
	case in.is("append"): // typing replaces what the field holds
		in["text"] = l.Value + text
		delete(in, "append")
	case !submit && isRole("choice", l.Role) && l.Type == "":
		return call("select", "ref", in["ref"], "options", text), "select"
	}
	return action{tool: a.tool, input: in}, kind
}

// words are what a call says, as it may be written.
func words(v outline.View, at int, a action) map[string][]string {
	in := a.input
	w := map[string][]string{
		"url": {in.text("url"), quoted(in.text("url"))}, "keys": {in.text("keys")}, "way": spelled()["ways"], "edge": spelled()["edges"],
		"seconds": {strconv.FormatFloat(in.number("seconds"), 'f', -1, 64)}, "pixels": {fmt.Sprintf("%.0f", math.Abs(in.number("dx")+in.number("dy")))},
	}
	switch text := in.text("text"); {
	case text == "":
	case variableForm().FindString(text) == text: // a placeholder as it is
		w["text"] = []string{text}
	default:
		w["text"] = []string{quoted(text)}
	}
	for _, option := range in.list("options") {
		w["options"] = append(w["options"], quoted(option))
	}
	w["options"] = []string{strings.Join(w["options"], " and ")}
	if at >= 0 {
		w["element"] = targets(v, at)
	}
	if end := indexOfRef(v, in.text("to")); end >= 0 {
		all := targets(v, end)
		if i := slices.IndexFunc(all, func(name string) bool {
			t, why := parseTarget(lex(name))
			f := find(v, step{verb: dragVerb, target: t}, -1)
			return why == "" && f.ok && f.at == end
		}); i >= 0 {
			w["end"] = all[i : i+1]
		}
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
