package plain

import (
	"slices"
	"strings"
)

// verb is what a sentence asks for: what is said, by the names of the file of
// verbs, and what kind of step it is.
type verb string

// The kinds of steps.
const (
	noVerb      verb = ""
	openVerb    verb = "open"
	clickVerb   verb = "click"
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

// manner is how an element is pointed at; a click is the zero value.
type manner string

const (
	byClick       manner = ""
	byDoubleClick manner = "double"
	byRightClick  manner = "right"
	byHover       manner = "hover"
	byDrag        manner = "drag"
)

// step is one thing to do, as the task says it.
type step struct {
	verb verb
	// sentence is the step in the caller's words.
	sentence string
	// url of an openVerb.
	url string
	// target of what acts on an element.
	target target
	// text to type, choose, search or wait for.
	text string
	// submit presses Enter after typing.
	submit bool
	// choose says that a clickVerb may mean an option of a list.
	choose bool
	// several options that a selectVerb chooses at once; nil for one.
	several []string
	// how a clickVerb points at the element; to and by are where a drag leads: to
	// another element, or so many pixels.
	how manner
	to  target
	by  [2]float64
	// way that a scrollVerb goes; empty for one to a text.
	way string
	// seconds that a waitVerb waits; with a text, how long at most.
	seconds float64
	// want of a readVerb or returnVerb.
	want want
	// accept is the answer of a dialogVerb, with the text.
	accept bool
}

// reads reports whether the step is for the result.
func (s step) reads() bool { return s.verb == readVerb || s.verb == returnVerb }

// target is how the task names an element.
type target struct {
	// name is what it is called; empty for the obvious one.
	name string
	// exact says that the name was written in quotes.
	exact bool
	// role is a kind of element; empty for any. "field" is whatever takes text.
	role string
	// nth of several of that name; 0 for the best, -1 for the last.
	nth int
	// near is a text in the row that it stands in, or in what is like a row.
	near string
	// row says that near has to be in a row proper.
	row bool
	// region are the roles of the part of the page that it stands in; nil for
	// anywhere.
	region []string
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
	// names are what it names; quoted says that it has quotes around one.
	names  []string
	quoted bool
	// row is a text in quotes in the row that is meant; empty for all.
	row string
	// scope is what it is about in the task's own words: the second order, the
	// Toaster, each product. See [reading.subject].
	scope string
	// own is what every page has: title, url, heading, text.
	own []string
	// table is the only one there is, all is everything.
	table, all bool
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
