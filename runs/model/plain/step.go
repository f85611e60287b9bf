package plain

import (
	"fmt"
	"slices"
	"strings"
)

// verb is what a sentence asks for: what is said, by the names of the file of
// verbs, and what kind of step it is. Most kinds are called like the tool that does
// them.
type verb string

// The kinds of steps.
const (
	noVerb      verb = ""
	openVerb    verb = "open"
	clickVerb   verb = "click"
	hoverVerb   verb = "hover"
	dragVerb    verb = "drag"
	typeVerb    verb = "type"
	selectVerb  verb = "select"
	checkVerb   verb = "check"
	uncheckVerb verb = "uncheck"
	submitVerb  verb = "submit"
	waitVerb    verb = "wait"
	readVerb    verb = "read"
	returnVerb  verb = "return"
	backVerb    verb = "back"
	scrollVerb  verb = "scroll"
	pressVerb   verb = "press" // a key
	dialogVerb  verb = "dialog"
)

// inputs are what is said to a tool, by its names for that.
type inputs map[string]any

func (in inputs) text(name string) string {
	s, _ := in[name].(string)
	return s
}

func (in inputs) number(name string) float64 {
	n, _ := in[name].(float64)
	return n
}

func (in inputs) is(name string) bool { return in[name] == true }

// list is a list of texts, or one.
func (in inputs) list(name string) (all []string) {
	switch v := in[name].(type) {
	case string:
		all = []string{v}
	case []string:
		all = v
	case []any:
		for _, one := range v {
			all = append(all, fmt.Sprint(one))
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// step is one thing to do, as the task says it.
type step struct {
	verb     verb
	sentence string // the step in the caller's words
	input    inputs // what the call of its tool says beside the element
	target   target // the element
	end      target // where a dragVerb leads to
	choose   bool   // a clickVerb may mean an option of a list
	want     want   // of a readVerb or returnVerb
}

// reads reports whether the step is for the result.
func (s step) reads() bool { return s.verb == readVerb || s.verb == returnVerb }

// points reports whether any element may be meant.
func (s step) points() bool {
	return s.verb == clickVerb || s.verb == hoverVerb || s.verb == dragVerb
}

// target is how the task names an element.
type target struct {
	name   string   // empty for the obvious one
	exact  bool     // the name was written in quotes
	role   string   // a kind of element; empty for any. "field" is whatever takes text
	nth    int      // of several of that name; 0 for the best, -1 for the last
	near   string   // a text in the row that it stands in, or in what is like a row
	row    bool     // near has to be in a row proper
	region []string // the roles of the part of the page that it stands in; nil for anywhere
}

func (t target) empty() bool {
	return t.name == "" && t.role == "" && t.nth == 0 && t.near == "" && t.region == nil
}

// named reports whether it is said which element is meant: by name, by its
// place, or as the second of a kind.
func (t target) named() bool {
	return t.name != "" || t.near != "" && t.role != "" || t.nth != 0 && t.role != "" && t.role != "field"
}

// want is what a task wants to know.
type want struct {
	names  []string // what it names
	quoted bool     // it has quotes around one
	row    string   // a text in quotes in the row that is meant; empty for all
	// scope is what it is about in the task's own words: the second order, the
	// Toaster, each product. See [reading.subject].
	scope string
	own   []string // what every page has: title, url, heading, text
	table bool     // the only one there is
	all   bool     // everything
}

func (w want) empty() bool {
	return len(w.names)+len(w.own) == 0 && w.row == "" && w.scope == "" && !w.table && !w.all
}

func (w want) has(own string) bool { return slices.Contains(w.own, own) }

// aboutRow reports whether the task may be about one row.
func (w want) aboutRow() bool {
	words := strings.Fields(strings.ToLower(w.scope))
	if len(words) == 0 {
		return w.row != ""
	}
	return !is(words[0], "each") && (ordinal(words[0]) != 0 || !is(words[len(words)-1], "tables"))
}

// forSchema takes "the first order" for a row, unless the schema has a property
// of that name: "the first name".
func (w want) forSchema(s shape) want {
	if len(w.names) != 1 || w.quoted || w.row != "" || w.scope != "" {
		return w
	}
	phrase := w.names[0]
	words := strings.Fields(strings.ToLower(phrase))
	isRow := len(words) > 1 && (ordinal(words[0]) != 0 || strings.ContainsAny(words[len(words)-1], "0123456789#") || is(words[len(words)-1], "tables"))
	if !isRow || slices.ContainsFunc(s.Properties, func(p property) bool { return match(phrase, p.Name, nil) > 0 }) {
		return w
	}
	w.names, w.scope = nil, phrase
	return w
}
